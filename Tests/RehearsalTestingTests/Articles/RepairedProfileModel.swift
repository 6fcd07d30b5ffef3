import Observation

@MainActor @Observable final class RepairedProfileModel {
  private(set) var name = ""
  private let fetch: (Int) async throws -> String
  private var task: Task<Void, any Error>?

  init(fetch: @escaping (Int) async throws -> String) { self.fetch = fetch }

  func show(_ id: Int) {
    task?.cancel()
    task = Task {
      let name = try await fetch(id)
      try Task.checkCancellation()
      self.name = name
    }
  }
}
