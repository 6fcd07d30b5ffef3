import MockHTTP
import RehearsalTesting
import SearchFeature
import Testing
import URLSessionHTTP

/// The view models under many schedules: in other orders of answers and keys, and with other delays.
@Suite struct ExplorationTests {
  /// Returns the app's own client with a mock catalogue, which answers after various delays.
  @MainActor private static func client(_ run: ExploredRun) -> BookClient {
    let server = MockServer()
    for title in ["sw", "swift"] {
      let books = #"[{"title": "All about \#(title)", "author": "A. Nonymous"}]"#
      let delay = run.choose([Duration.milliseconds(100), .milliseconds(700), .seconds(2)])
      server.add(.get("/search", .json(books).after(delay)).query("title", title))
    }
    return BookClient(session: .rehearsing(server, on: run.stage))
  }

  /// Types a text, pauses, and types another one.
  @MainActor private static func type(_ run: ExploredRun, _ type: (String) -> Void) async throws {
    type("sw")
    try await Task.sleep(for: .milliseconds(run.choose([700, 300, 100])))
    type("swift")
    await run.settle()
  }

  @Test func `the books on the screen are those of the latest search`() async throws {
    try await explore(schedules: 200, strategy: .random) { run in
      let model = SearchModel(client: Self.client(run))
      try await Self.type(run) { model.text = $0 }
      #expect(model.books.map(\.title) == ["All about swift"])
      #expect(!model.isSearching)
    }
  }

  @Test func `the books of release 1.0 may be stale`() async throws {
    await withKnownIssue {
      try await explore(schedules: 200, strategy: .random) { run in
        let model = HastySearchModel(client: Self.client(run))
        try await Self.type(run) { model.text = $0 }
        run.check(model.books.map(\.title) == ["All about swift"], "the books are not stale")
      }
    }
  }
}
