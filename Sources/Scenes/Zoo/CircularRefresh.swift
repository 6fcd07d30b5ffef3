import Exploring

extension Specimen {
  static let circularRefresh = Specimen(
    name: "task that waits for itself",
    symptom: "After a long time away, everything loads forever, and no message says why.",
    bug: CircularRefresh.scenario(CircularRefresh.Hasty.init),
    twin: CircularRefresh.scenario(CircularRefresh.Careful.init)
  )
}

/// A client refreshes its token if a request is refused, but the refresh is a request too.
enum CircularRefresh {
  typealias Send = @MainActor (_ path: String) async throws -> String

  actor Hasty: Client {
    private var refreshing: Task<Void, any Error>?
    private let send: Send

    init(send: @escaping Send) { self.send = send }

    func get(_ path: String) async throws -> String {
      do {
        return try await send(path)
      } catch is Refused {
        try await refresh()
        return try await send(path)
      }
    }

    private func refresh() async throws {
      let task = refreshing ?? Task { _ = try await get("/token") }
      refreshing = task
      defer { refreshing = nil }
      try await task.value
    }
  }

  actor Careful: Client {
    private var refreshing: Task<Void, any Error>?
    private let send: Send

    init(send: @escaping Send) { self.send = send }

    func get(_ path: String) async throws -> String {
      do {
        return try await send(path)
      } catch is Refused {
        try await refresh()
        return try await send(path)
      }
    }

    private func refresh() async throws {
      let task = refreshing ?? Task { _ = try await send("/token") }
      refreshing = task
      defer { refreshing = nil }
      try await task.value
    }
  }

  protocol Client: Actor {
    func get(_ path: String) async throws -> String
  }

  private struct Refused: Error {}

  static func scenario(
    _ makeClient: @escaping @MainActor (@escaping Send) -> some Client
  ) -> Specimen.Scenario {
    { run in
      let isForgotten = run.choose([false, true])
      var isValid = false
      let client = makeClient { path in
        try await Task.sleep(for: .seconds(1))
        if path == "/token" {
          if isForgotten { throw Refused() }
          isValid = true
        }
        if !isValid { throw Refused() }
        return "what is at \(path)"
      }
      let shown = try? await client.get("/profile")
      run.check((shown == nil) == isForgotten, "the profile is shown, if it still exists")
    }
  }
}
