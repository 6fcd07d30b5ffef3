import Exploring
import Foundation
import Observation
import RehearsalTesting
import Synchronization
import Testing

/// Checks README.md: its view model and its test are in this file, and its message is the issue of that test.
@Suite struct ReadmeTests {
  private static func text(_ path: String) throws -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return try String(contentsOfFile: root.joined(separator: "/") + "/" + path, encoding: .utf8)
  }

  /// The fences marked `swift` before the dependency in the manifest.
  private static func fences() throws -> [String] {
    let parts = try text("README.md").split(separator: "\n```swift\n").dropFirst().prefix(2)
    return parts.map {
      String($0.prefix(upTo: $0.firstRange(of: "\n```")?.lowerBound ?? $0.endIndex))
    }
  }

  @Test func `each piece of code of the page is compiled here`() throws {
    let source = try Self.text("Tests/RehearsalTestingTests/ReadmeTests.swift")
    let fences = try Self.fences()
    #expect(fences.count == 2)
    for paragraph in fences.joined(separator: "\n\n").split(separator: "\n\n") {
      if paragraph.hasPrefix("import ") || paragraph.hasPrefix("@testable ") { continue }
      #expect(source.contains(paragraph.trimmingPrefix("@Test ")))
    }
  }

  @Test func `the message of the page is the issue of its test`() async throws {
    let test = try #require(try Self.fences().last)
    let line = try #require(
      test.split(separator: "\n", omittingEmptySubsequences: false).firstIndex {
        $0.contains("#expect")
      }
    )
    let place = "SearchTests.swift:\(line + 1)"
    let message = Mutex("")
    try await withKnownIssue {
      try await `the list shows the latest search`()
    } matching: { issue in
      guard let location = issue.sourceLocation else { return false }
      // The test of the page stands further up in its file.
      let text = (issue.comments.first?.rawValue ?? "")
        .replacing(/ReadmeTests\.swift:([0-9]+)/) { match in
          "SearchTests.swift:\((Int(match.1) ?? 0) - location.line + line + 1)"
        }
        .replacing("\n", with: "\n  ")
      message.withLock {
        $0 = """
          ✘ Test "the list shows the latest search" recorded an issue at \(place):\(location.column): Issue recorded
          ↳ \(text)
          """
      }
      return true
    }

    let page = try Self.text("README.md")
    #expect(page.contains("```\n" + message.withLock(\.self) + "\n```"))
  }
}

@MainActor @Observable final class SearchModel {
  private(set) var results: [String] = []
  private let fetch: (String) async throws -> [String]

  init(fetch: @escaping (String) async throws -> [String]) { self.fetch = fetch }

  func search(_ text: String) {
    Task { results = try await fetch(text) }
  }
}

private func `the list shows the latest search`() async throws {
  try await explore { run in
    let model = SearchModel { text in
      try await Task.sleep(for: run.choose([.milliseconds(100), .seconds(2)]))
      return ["All about \(text)"]
    }
    model.search("sw")
    try await Task.sleep(for: .milliseconds(500))
    model.search("swift")
    await run.settle()
    #expect(model.results == ["All about swift"])
  }
}
