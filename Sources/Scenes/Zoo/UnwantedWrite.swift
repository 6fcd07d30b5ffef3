import Exploring
import Observation

extension Specimen {
  static let unwantedWrite = Specimen(
    name: "cancelled work that writes",
    symptom: "After logging out, the name of the last user appears again.",
    bug: UnwantedWrite.scenario(UnwantedWrite.Hasty.init),
    twin: UnwantedWrite.scenario(UnwantedWrite.Careful.init)
  )
}

/// A screen cancels its load and relies on that. But cancellation does not discard an answer that
/// has already arrived.
enum UnwantedWrite {
  typealias Fetch = @MainActor () async throws -> String

  @MainActor @Observable final class Hasty: Screen {
    private(set) var name: String?
    private let fetch: Fetch
    private var loading: Task<Void, any Error>?

    init(fetch: @escaping Fetch) { self.fetch = fetch }

    func appear() {
      loading = Task { name = try await fetch() }
    }

    func logOut() {
      loading?.cancel()
      name = nil
    }
  }

  @MainActor @Observable final class Careful: Screen {
    private(set) var name: String?
    private let fetch: Fetch
    private var loading: Task<Void, any Error>?

    init(fetch: @escaping Fetch) { self.fetch = fetch }

    func appear() {
      loading = Task {
        let fetched = try await fetch()
        try Task.checkCancellation()
        name = fetched
      }
    }

    func logOut() {
      loading?.cancel()
      name = nil
    }
  }

  @MainActor protocol Screen: Sendable {
    var name: String? { get }
    func appear()
    func logOut()
  }

  static func scenario(
    _ makeScreen: @escaping @MainActor (@escaping Fetch) -> some Screen
  ) -> Specimen.Scenario {
    { run in
      let screen = makeScreen {
        try await Task.sleep(for: .seconds(2))
        run.note("the answer is there")
        return "Ada"
      }
      screen.appear()
      try await Task.sleep(for: .seconds(1))
      run.note("looks for the button")
      try await Task.sleep(for: .seconds(1))
      run.note("logs out")
      screen.logOut()
      await run.settle()
      run.check(screen.name == nil, "no name is shown after logging out")
    }
  }
}
