import Exploring

extension Specimen {
  static let doubleRefresh = Specimen(
    name: "a re-entrant actor refreshes a token twice",
    symptom: "Users are logged out in the middle of their work.",
    bug: DoubleRefresh.scenario(DoubleRefresh.Hasty.init),
    twin: DoubleRefresh.scenario(DoubleRefresh.Careful.init)
  )
}

/// An actor runs one job at a time, but another call can enter while it awaits.
enum DoubleRefresh {
  /// A token, which can be exchanged for the next one, once.
  typealias Token = Int
  typealias Refresh = @MainActor (Token) async throws -> Token

  actor Hasty: Credentials {
    private var token: Token
    private var isExpired = true
    private let refresh: Refresh

    init(token: Token, refresh: @escaping Refresh) {
      self.token = token
      self.refresh = refresh
    }

    func validToken() async throws -> Token {
      if isExpired {
        token = try await refresh(token)
        isExpired = false
      }
      return token
    }
  }

  actor Careful: Credentials {
    private let token: Token
    private var refreshing: Task<Token, any Error>?
    private let refresh: Refresh

    init(token: Token, refresh: @escaping Refresh) {
      self.token = token
      self.refresh = refresh
    }

    func validToken() async throws -> Token {
      let refreshed = refreshing ?? Task { try await refresh(token) }
      refreshing = refreshed
      return try await refreshed.value
    }
  }

  protocol Credentials: Actor {
    func validToken() async throws -> Token
  }

  private struct LoggedOut: Error {}

  static func scenario(
    _ makeCredentials: @escaping @MainActor (Token, @escaping Refresh) -> some Credentials
  ) -> Specimen.Scenario {
    { run in
      var latest = 7
      var isLoggedOut = false
      let credentials = makeCredentials(latest) { token in
        guard token == latest, !isLoggedOut else {
          isLoggedOut = true
          throw LoggedOut()
        }
        latest += 1
        let next = latest
        try await run.take(.seconds(1), .seconds(3))
        return next
      }
      for _ in 1...2 {
        Task { try await credentials.validToken() }
        try await Task.sleep(for: .seconds(2))
      }
      await run.settle()
      run.check(!isLoggedOut, "the user stays logged in", "a token was refreshed twice")
    }
  }
}
