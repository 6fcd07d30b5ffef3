#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

@MainActor final class FormModel: ObservableObject {
  @Published var name = ""
  @Published private(set) var isValid = false
  private var pipelines: Set<AnyCancellable> = []

  init(scheduler: some Scheduler) {
    $name.dropFirst().debounce(for: .milliseconds(300), scheduler: scheduler)
      .map { $0.count > 2 }
      .sink { [weak self] in self?.isValid = $0 }
      .store(in: &pipelines)
  }

  func enter(_ name: String) { self.name = name }
}
