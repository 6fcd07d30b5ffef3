import Script
import Testing

@testable import Rehearsal

/// What a question mark says, and where it is only text.
@MainActor @Suite struct ExplanationTests {
  @Test func `a question mark tells what is expected, with its meaning`() {
    #expect(explanation(of: "wait ") == ["250ms  a duration"])
    #expect(explanation(of: "run ") == ["NAME  a process; there is none, 'process NAME' makes one"])
    #expect(explanation(of: "load ") == ["profile  loadable, absent"])
    #expect(
      explanation(of: "load profile 1 ")?.contains("stubborn   is deaf to cancellation") == true
    )
    #expect(explanation(of: "now ") == ["nothing more is expected"])
  }

  @Test func `behind half a word it tells what that can become`() {
    #expect(
      explanation(of: "load profile 1 s") == [
        "silently  leaves the state alone until it answers",
        "stubborn  is deaf to cancellation",
      ]
    )
  }

  @Test func `on an empty line it tells the commands by topic`() {
    let lines = explanation(of: "") ?? []
    #expect(lines.first?.hasPrefix("Members  loadable, process") == true)
    #expect(lines.count < 24)
  }

  @Test(arguments: [
    "load profile \"what", "load profile {\"a\": ", "# what", "loadable x: String",
    "loadable x: String ", "loadable x: [Int]", "load profile from /search", "route GET /search",
    "load profile from http://localhost/a", "nosuch ",
  ])
  func `where it is text, it explains nothing`(text: String) {
    #expect(explanation(of: text) == nil)
  }

  @Test func `of many members it tells the first`() {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    defer { host.end() }
    for number in 1...30 { host.perform("loadable m\(number)") }
    let lines = host.explanation(of: "load ") ?? []
    #expect(lines.count == 21)
    #expect(lines.last == "…    and 10 more")
  }

  @Test func `performed, it prints the explanation and changes nothing`() {
    var lines: [String] = []
    let host = SessionHost(files: MemoryFiles()) { lines.append($0) }
    defer { host.end() }
    host.perform("loadable profile")
    host.perform("cancel ?")
    #expect(lines == ["profile  loadable, absent"])
    #expect(!host.hasFailed)
    host.perform("loadable other: String ?")
    #expect(!host.hasFailed)
    host.perform("nosuch ?")
    #expect(host.hasFailed)
  }

  @Test func `every word that completion offers has a meaning`() {
    for definition in ShellCommands.table.definitions {
      for word in (definition.arguments + definition.clauses).flatMap(\.keywords) {
        let meaning = WordMeanings.meaning(of: word, after: definition.verb, behind: nil)
        #expect(!meaning.isEmpty, "\(definition.verb) … \(word)")
      }
    }
  }

  private func explanation(of text: String) -> [String]? {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    defer { host.end() }
    host.perform("loadable profile: String")
    return host.explanation(of: text)
  }
}

extension Syntax {
  fileprivate var keywords: [String] {
    switch self {
    case .keyword(let word): [word]
    case .slot(let slot):
      slot.expectations.compactMap { if case .keyword(let word) = $0 { word } else { nil } }
    case .sequence(let parts), .oneOf(let parts), .clauses(let parts): parts.flatMap(\.keywords)
    case .optional(let part), .list(let part), .many(let part): part.keywords
    }
  }
}
