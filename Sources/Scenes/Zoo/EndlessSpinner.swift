import Exploring
import Observation

extension Specimen {
  static let endlessSpinner = Specimen(
    name: "spinner that never ends",
    symptom: "The user comes back to a screen, and the spinner never stops.",
    bug: EndlessSpinner.scenario(EndlessSpinner.Hasty.init),
    twin: EndlessSpinner.scenario(EndlessSpinner.Careful.init)
  )
}

/// One exit of a load does not clear the flag that it is loading.
enum EndlessSpinner {
  typealias Fetch = @MainActor () async throws -> [String]

  @MainActor @Observable final class Hasty: Screen {
    private(set) var items: [String] = []
    private(set) var message: String?
    private(set) var isLoading = false
    private let fetch: Fetch

    init(fetch: @escaping Fetch) { self.fetch = fetch }

    func load() async {
      guard !isLoading else { return }
      isLoading = true
      do {
        items = try await fetch()
      } catch is CancellationError {
        return
      } catch {
        message = "Not available"
      }
      isLoading = false
    }
  }

  @MainActor @Observable final class Careful: Screen {
    private(set) var items: [String] = []
    private(set) var message: String?
    private(set) var isLoading = false
    private let fetch: Fetch

    init(fetch: @escaping Fetch) { self.fetch = fetch }

    func load() async {
      guard !isLoading else { return }
      isLoading = true
      defer { isLoading = false }
      do {
        items = try await fetch()
      } catch is CancellationError {
        return
      } catch {
        message = "Not available"
      }
    }
  }

  @MainActor protocol Screen: Sendable {
    var isLoading: Bool { get }
    func load() async
  }

  static func scenario(
    _ makeScreen: @escaping @MainActor (@escaping Fetch) -> some Screen
  ) -> Specimen.Scenario {
    { run in
      let screen = makeScreen {
        try await Task.sleep(for: .seconds(2))
        return ["a", "b"]
      }
      let visit = Task { await screen.load() }
      try await Task.sleep(for: .seconds(1))
      run.note("waits")
      try await Task.sleep(for: .seconds(1))
      run.note("leaves")
      visit.cancel()
      try await Task.sleep(for: .seconds(5))
      run.note("comes back")
      await screen.load()
      run.check(!screen.isLoading, "the spinner ends when the load does")
    }
  }
}
