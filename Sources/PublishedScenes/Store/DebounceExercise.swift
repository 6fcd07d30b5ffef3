import Dispatch
import Foundation
import FoundationPipelines
import Scenes

/// The exercise about debounce in PokeMaster's book: words are sent after delays on the main queue,
/// and a text counts after a second without words.
final class DebounceExercise: ObservableObject {
  private var subscriptions: Set<AnyCancellable> = []
  @Published private(set) var debounced = ""
  @Published private(set) var accumulated = ""

  private let word = PassthroughSubject<String, Never>()
  private let searchText = PassthroughSubject<String, Never>()

  init() {
    word
      .debounce(for: .seconds(1), scheduler: RunLoop.main)
      .sink { [unowned self] in debounced = $0 }
      .store(in: &subscriptions)
    searchText
      .scan("") { $0 + $1 }
      .debounce(for: .seconds(1), scheduler: RunLoop.main)
      .sink { [unowned self] in accumulated = $0 }
      .store(in: &subscriptions)
  }

  /// Sends the words of the exercise at their times.
  @MainActor func typeSample() async {
    await withCheckedContinuation { continuation in
      for (text, instant) in TypedWords.sample {
        delay(instant / .seconds(1)) { [self] in
          word.send(text)
          searchText.send(text)
        }
      }
      delay((TypedWords.sample.last?.at ?? .zero) / .seconds(1)) { continuation.resume() }
    }
  }
}

/// Runs `work` on the main queue after a number of seconds.
private func delay(_ seconds: Double, _ work: @escaping () -> Void) {
  DispatchQueue.main.asyncAfter(deadline: .now() + seconds, execute: work)
}
