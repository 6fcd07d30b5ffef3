import Foundation
import Loading
import RehearsalTesting
import Synchronization
import Testing

/// The Swift code of the articles in the documentation catalogues. Each piece is a whole file, which is compiled.
@Suite struct ArticleTests {
  private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }

  private static let files = [
    ("Loading/Loading.docc/FirstLoad.md", ["Articles/FeedModel"]),
    ("Staging/Staging.docc/VirtualTime.md", ["Articles/Reminder"]),
    ("Exploring/Exploring.docc/Schedules.md", ["Articles/TapTests"]),
    ("RehearsalTesting/RehearsalTesting.docc/TestsInVirtualTime.md", ["Articles/RetryTests"]),
    (
      "RehearsalTesting/RehearsalTesting.docc/FirstModel.md",
      ["Articles/ProfileModel", "Articles/RepairedProfileModel", "Articles/RepairedProfileTests"]
    ),
    ("RehearsalKit/RehearsalKit.docc/YourShell.md", ["Shell"]),
  ]

  @Test(arguments: files)
  func `each piece of code is a file that is compiled`(article: String, names: [String]) throws {
    let parts = try Self.text("Sources/" + article).split(separator: "\n```swift\n").dropFirst()
    let pieces = parts.map { part in
      String(part.prefix(upTo: part.firstRange(of: "\n```")?.lowerBound ?? part.endIndex)) + "\n"
    }
    let expected = try names.map { name in
      try Self.text(
        name == "Shell"
          ? "Examples/SearchApp/Sources/SearchShell/SearchShell.swift"
          : "Tests/RehearsalTestingTests/\(name).swift"
      )
    }
    #expect(pieces == expected)
  }

  @Test func `each catalogue has a page, and its articles are listed here`() throws {
    let sources = Self.root + "/Sources"
    let paths = try #require(FileManager.default.enumerator(atPath: sources))
      .compactMap { $0 as? String }.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
    let pages = paths.filter { path in
      let parts = path.split(separator: "/")
      return parts[2] == parts[0] + ".md"
    }
    #expect(pages.count == 5)
    #expect(Set(paths).subtracting(pages) == Set(Self.files.map(\.0)))
  }

  @Test func `the reminder takes an hour of virtual time`() throws {
    #expect(try timeOfReminder() == .seconds(3600))
  }

  @Test @MainActor func `a new load replaces the one in flight`() async throws {
    let model = FeedModel()
    #expect(model.title == "Pull to load")
    model.refresh { ["a"] }
    #expect(model.title == "Loading …")
    model.refresh { ["a", "b"] }
    while model.posts.isLoading { await Task.yield() }
    #expect(model.title == "2 posts")
  }

  /// The issue of the test of the article, with the model that has the bug.
  @Test func `the article has the issue and its schedule`() async throws {
    let message = Mutex("")
    let this = try #require(Test.current)
    try await withKnownIssue {
      let trait: RehearsalTrait = .explored
      try await trait.provideScope(for: this, testCase: Test.Case.current) {
        try await Self.`shows the latest profile`()
      }
    } matching: { issue in
      message.withLock { $0 = issue.comments.first?.rawValue ?? "" }
      return true
    }
    let text = message.withLock(\.self)
    let article = try Self.text("Sources/RehearsalTesting/RehearsalTesting.docc/FirstModel.md")
    let schedule = try #require(text.firstMatch(of: /by schedule '([0-9:]+)'/)).1
    #expect(article.contains("by schedule '\(schedule)'"))
    #expect(article.contains(".explored(replaying: \"\(schedule)\")"))
    #expect(text.contains(#"(model.name → "profile 1") == "profile 2""#))
    #expect(article.contains(#"(model.name → "profile 1") == "profile 2""#))
  }

  @MainActor private static func `shows the latest profile`() async throws {
    let model = ProfileModel { id in
      try await Task.sleep(for: .milliseconds(100))
      return "profile \(id)"
    }
    model.show(1)
    model.show(2)
    try await Task.sleep(for: .seconds(1))
    #expect(model.name == "profile 2")
  }
}
