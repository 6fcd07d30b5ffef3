import Exploring

extension Specimen {
  static let poisonedCache = Specimen(
    name: "poisoned cache after a failed load",
    symptom: "A picture that once failed to load is missing until the app is restarted.",
    bug: PoisonedCache.scenario(PoisonedCache.Hasty.init),
    twin: PoisonedCache.scenario(PoisonedCache.Careful.init)
  )
}

/// A cache stores tasks, to share requests in flight. It also keeps failed ones.
enum PoisonedCache {
  typealias Fetch = @MainActor (String) async throws -> String

  actor Hasty: Pictures {
    private let fetch: Fetch
    private var loads: [String: Task<String, any Error>] = [:]

    init(fetch: @escaping Fetch) { self.fetch = fetch }

    func picture(_ name: String) async throws -> String {
      if let load = loads[name] { return try await load.value }
      let load = Task { try await fetch(name) }
      loads[name] = load
      return try await load.value
    }
  }

  actor Careful: Pictures {
    private let fetch: Fetch
    private var loads: [String: Task<String, any Error>] = [:]

    init(fetch: @escaping Fetch) { self.fetch = fetch }

    func picture(_ name: String) async throws -> String {
      if let load = loads[name] { return try await load.value }
      let load = Task { try await fetch(name) }
      loads[name] = load
      do {
        return try await load.value
      } catch {
        loads[name] = nil
        throw error
      }
    }
  }

  protocol Pictures: Actor {
    func picture(_ name: String) async throws -> String
  }

  private struct Offline: Error {}

  static func scenario(
    _ makePictures: @escaping @MainActor (@escaping Fetch) -> some Pictures
  ) -> Specimen.Scenario {
    { run in
      let isOnlineAgain = ContinuousClock.now.advanced(by: run.choose([.zero, .seconds(2)]))
      let pictures = makePictures { name in
        try await run.take(.milliseconds(100), .seconds(1))
        if ContinuousClock.now < isOnlineAgain { throw Offline() }
        return "the picture \(name)"
      }
      for _ in 1...2 {
        Task { try await pictures.picture("cat") }
        try await Task.sleep(for: .seconds(1))
      }
      let shown = try? await pictures.picture("cat")
      run.check(shown != nil, "the picture loads when the network is back")
    }
  }
}
