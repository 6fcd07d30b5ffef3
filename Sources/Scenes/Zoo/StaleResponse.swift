import Exploring
import Observation

extension Specimen {
  static let staleResponse = Specimen(
    name: "stale response wins",
    symptom: "The field says 'swift', and the list shows the results for 'sw'.",
    bug: StaleResponse.scenario(StaleResponse.Hasty.init),
    twin: StaleResponse.scenario(StaleResponse.Careful.init)
  )
}

/// A search screen shows the answer that came last, not the answer to the latest search.
enum StaleResponse {
  typealias Find = @MainActor (String) async throws -> String

  @MainActor @Observable final class Hasty: Screen {
    private(set) var results = ""
    private let find: Find

    init(find: @escaping Find) { self.find = find }

    func search(_ text: String) async throws {
      let found = try await find(text)
      results = found
    }
  }

  @MainActor @Observable final class Careful: Screen {
    private(set) var results = ""
    private let find: Find
    private var latest = 0

    init(find: @escaping Find) { self.find = find }

    func search(_ text: String) async throws {
      latest += 1
      let number = latest
      let found = try await find(text)
      if number == latest { results = found }
    }
  }

  @MainActor protocol Screen: Sendable {
    var results: String { get }
    func search(_ text: String) async throws
  }

  static func scenario(
    _ makeScreen: @escaping @MainActor (@escaping Find) -> some Screen
  ) -> Specimen.Scenario {
    { run in
      let screen = makeScreen { text in
        try await run.take(.milliseconds(100), .milliseconds(300))
        run.note("found all about \(text)")
        return "all about \(text)"
      }
      Task { try await screen.search("sw") }
      try await Task.sleep(for: .milliseconds(150))
      Task { try await screen.search("swift") }
      await run.settle()
      run.check(
        screen.results == "all about swift",
        "the results are for the latest search",
        "it shows '\(screen.results)'"
      )
    }
  }
}
