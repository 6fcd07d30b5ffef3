import Exploring
import Observation

extension Specimen {
  static let repeatedPage = Specimen(
    name: "pagination with a page twice",
    symptom: "The same twenty entries are in the list twice.",
    bug: RepeatedPage.scenario(RepeatedPage.Hasty.init),
    twin: RepeatedPage.scenario(RepeatedPage.Careful.init)
  )
}

/// A list requests the next page whenever its end is visible, even if that page is in flight.
enum RepeatedPage {
  typealias Fetch = @MainActor (_ page: Int) async throws -> [Int]

  @MainActor @Observable final class Hasty: List {
    private(set) var rows: [Int] = []
    private var nextPage = 0
    private let fetch: Fetch

    init(fetch: @escaping Fetch) { self.fetch = fetch }

    func endIsSeen() async throws {
      rows += try await fetch(nextPage)
      nextPage += 1
    }
  }

  @MainActor @Observable final class Careful: List {
    private(set) var rows: [Int] = []
    private var nextPage = 0
    private var isFetching = false
    private let fetch: Fetch

    init(fetch: @escaping Fetch) { self.fetch = fetch }

    func endIsSeen() async throws {
      guard !isFetching else { return }
      isFetching = true
      defer { isFetching = false }
      rows += try await fetch(nextPage)
      nextPage += 1
    }
  }

  @MainActor protocol List: Sendable {
    var rows: [Int] { get }
    func endIsSeen() async throws
  }

  static func scenario(
    _ makeList: @escaping @MainActor (@escaping Fetch) -> some List
  ) -> Specimen.Scenario {
    { run in
      let list = makeList { page in
        try await run.take(.milliseconds(200), .milliseconds(600))
        run.note("page \(page)")
        return [page * 2, page * 2 + 1]
      }
      for _ in 1...3 {
        Task { try await list.endIsSeen() }
        try await Task.sleep(for: .milliseconds(400))
      }
      await run.settle()
      run.check(
        list.rows == Array(list.rows.indices),
        "each row appears once, in order",
        "\(list.rows)"
      )
    }
  }
}
