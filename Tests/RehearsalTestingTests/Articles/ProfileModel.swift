import Observation

@MainActor @Observable final class ProfileModel {
  private(set) var name = ""
  private let fetch: (Int) async throws -> String

  init(fetch: @escaping (Int) async throws -> String) { self.fetch = fetch }

  func show(_ id: Int) {
    Task { name = try await fetch(id) }
  }
}
