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
      #expect(source.contains(paragraph.trimmingPrefix("@Test(.explored) ")))
    }
  }

  /// Returns the place on the page of a line of this file.
  private static func place(ofLine line: Int) -> String {
    guard let fences = try? fences(),
      let source = try? text("Tests/RehearsalTestingTests/ReadmeTests.swift")
    else {
      return "unknown"
    }
    let sourceLines = source.split(separator: "\n", omittingEmptySubsequences: false)
    for (file, fence) in zip(["SearchModel", "SearchTests"], fences) {
      let lines = fence.split(separator: "\n", omittingEmptySubsequences: false)
      if let index = lines.firstIndex(of: sourceLines[line - 1]) {
        return "\(file).swift:\(index + 1)"
      }
    }
    return "unknown"
  }

  @Test func `the message of the page is the issue of its test`() async throws {
    let message = Mutex("")
    let this = try #require(Test.current)
    try await withKnownIssue {
      let trait: RehearsalTrait = .explored
      try await trait.provideScope(for: this, testCase: Test.Case.current) {
        try await `the list shows the latest search`()
      }
    } matching: { issue in
      guard let location = issue.sourceLocation else { return false }
      let text = (issue.comments.first?.rawValue ?? "")
        .replacing(/ReadmeTests\.swift:([0-9]+)/) { match in
          Self.place(ofLine: Int(match.1) ?? 0)
        }
        .replacing("\n", with: "\n  ")
        // The compiler writes a name in backticks with no-break spaces.
        .replacing("\u{A0}", with: " ")
      let place = Self.place(ofLine: location.line)
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

@MainActor func `the list shows the latest search`() async throws {
  let model = SearchModel { text in
    try await Task.sleep(for: .milliseconds(100))
    return ["All about \(text)"]
  }
  model.search("sw")
  model.search("swift")
  try await Task.sleep(for: .seconds(1))
  #expect(model.results == ["All about swift"])
}
