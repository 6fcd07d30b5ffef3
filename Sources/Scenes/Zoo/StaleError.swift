import Exploring
import Observation

extension Specimen {
  static let staleError = Specimen(
    name: "stale error wins",
    symptom: "'Not available' is shown above the profile that has just been loaded.",
    bug: StaleError.scenario(StaleError.Hasty.init),
    twin: StaleError.scenario(StaleError.Careful.init)
  )
}

/// A screen ignores late answers, but not late failures.
enum StaleError {
  typealias Fetch = @MainActor () async throws -> String

  @MainActor @Observable final class Hasty: Screen {
    private(set) var name: String?
    private(set) var message: String?
    private let fetch: Fetch
    private var latest = 0

    init(fetch: @escaping Fetch) { self.fetch = fetch }

    func reload() async {
      latest += 1
      let number = latest
      message = nil
      do {
        let fetched = try await fetch()
        if number == latest { name = fetched }
      } catch {
        message = "Not available"
      }
    }
  }

  @MainActor @Observable final class Careful: Screen {
    private(set) var name: String?
    private(set) var message: String?
    private let fetch: Fetch
    private var latest = 0

    init(fetch: @escaping Fetch) { self.fetch = fetch }

    func reload() async {
      latest += 1
      let number = latest
      message = nil
      do {
        let fetched = try await fetch()
        if number == latest { name = fetched }
      } catch {
        if number == latest { message = "Not available" }
      }
    }
  }

  @MainActor protocol Screen: Sendable {
    var name: String? { get }
    var message: String? { get }
    func reload() async
  }

  private struct TimedOut: Error {}

  static func scenario(
    _ makeScreen: @escaping @MainActor (@escaping Fetch) -> some Screen
  ) -> Specimen.Scenario {
    { run in
      var requests = 0
      let screen = makeScreen {
        requests += 1
        if requests == 1 {
          try await run.take(.seconds(1), .seconds(5))
          throw TimedOut()
        }
        try await Task.sleep(for: .seconds(1))
        return "Ada"
      }
      Task { await screen.reload() }
      try await Task.sleep(for: .seconds(2))
      Task { await screen.reload() }
      await run.settle()
      run.check(screen.name == "Ada", "the second attempt loads the profile")
      run.check(screen.message == nil, "no message is shown with the loaded profile")
    }
  }
}
