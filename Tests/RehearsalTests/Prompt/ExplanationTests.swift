import Script
import Testing

@testable import Rehearsal

/// The explanations of a question mark, and the places where it is text.
@MainActor @Suite struct ExplanationTests {
  @Test func `a question mark shows what is expected, with its meaning`() {
    #expect(explanation(of: "wait ") == ["250ms  a duration"])
    #expect(explanation(of: "run ") == ["NAME  a process; there is none, 'process NAME' makes one"])
    #expect(explanation(of: "load ") == ["profile  loadable, absent"])
    #expect(
      explanation(of: "load profile 1 ")?.contains("uncancellable  ignores its cancellation")
        == true
    )
    #expect(explanation(of: "now ") == ["nothing more is expected"])
  }

  @Test func `after half a word it shows the possible words`() {
    #expect(
      explanation(of: "load profile 1 s") == [
        "silently  keeps the state until the answer"
      ]
    )
  }

  @Test func `on an empty line it shows the commands by topic`() {
    let lines = explanation(of: "") ?? []
    #expect(lines.first?.hasPrefix("Members  loadable, process") == true)
    #expect(lines.count < 24)
  }

  @Test(arguments: [
    "load profile \"what", "load profile {\"a\": ", "# what", "loadable x: String",
    "loadable x: String ", "loadable x: [Int]", "load profile from /search", "route GET /search",
    "load profile from http://localhost/a", "load profile \"a b",
  ])
  func `it explains nothing if it is text`(text: String) {
    #expect(explanation(of: text) == nil)
  }

  @Test func `it shows the first of many members`() {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    defer { host.end() }
    for number in 1...30 { host.perform("loadable m\(number)") }
    let lines = host.explanation(of: "load ", width: 78) ?? []
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

  @Test(arguments: [
    ("loadd", "there is no command 'loadd'; did you mean 'load'?"),
    ("lod ", "there is no command 'lod'; did you mean 'load'?"),
    ("load profil ", "no member is called 'profil'; did you mean 'profile'?"),
    ("load profike", "no member is called 'profike'; did you mean 'profile'?"),
    ("load profile 1 aftr ", "did not expect 'aftr' here; did you mean 'after'?"),
    ("policy profile lattest", "did not expect 'lattest' here; did you mean 'latest'?"),
    ("set widht ", "no member is called 'widht'; did you mean 'width'?"),
  ])
  func `after a wrong word it suggests similar words`(text: String, line: String) {
    #expect(explanation(of: text) == [line])
  }

  @Test func `performed after an unknown member, it is a mistake`() {
    var lines: [String] = []
    let host = SessionHost(files: MemoryFiles()) { lines.append($0) }
    defer { host.end() }
    host.perform("load z ?")
    #expect(host.hasFailed)
    #expect(lines.first == "error: no member is called 'z'")
  }

  @Test(arguments: ["save ?", "record ?", "timeline to ?", "test ?", "source ?", "states to ?"])
  func `a question mark is never the name of a file`(command: String) {
    let files = MemoryFiles()
    var lines: [String] = []
    let host = SessionHost(files: files) { lines.append($0) }
    defer { host.end() }
    host.perform(command)
    #expect(!host.hasFailed)
    #expect(lines.contains { $0.hasPrefix("FILE") })
    #expect(throws: FileProblem.missing) { try files.read("?") }
  }

  @Test func `it never says that nothing is expected if something may follow`() {
    for definition in ShellCommands.table.definitions where !definition.synopsis.isEmpty {
      let lines = explanation(of: definition.verb + " ")
      #expect(lines != nil && lines != ["nothing more is expected"], "\(definition.verb)")
    }
  }

  @Test(arguments: [
    ("undo ", "2  a number of commands"), ("serve ", "8080  a port"),
    ("help search ", "timeout  words to look for"), ("shape P { ", "id  the name of a field"),
    ("inject http ", "30%  a share of the requests"), ("loadable z ", ":         a type follows"),
    ("loadable z ", "=         a value follows"),
    ("expect profile loaded ", "\"text\"  a JSON value"),
    ("hold ", "GET      a method"), ("watch ", "for      the duration"),
    ("load profile fail url c", "cancelled                  URLError code -999"),
    ("inject profile ", "http            an answer with this status"),
    ("inject ", "http     makes requests fail, not loads"),
    ("load profile fail transport re", "refused  no server listens"),
    ("route GET /a ", "empty    closes without a byte of an answer"),
  ])
  func `it shows optional parts, and the meaning of words there`(text: String, line: String) {
    let lines = explanation(of: text) ?? []
    #expect(lines.contains(line), "\(lines)")
  }

  @Test(arguments: [40, 80, 300])
  func `its lines fit the columns`(width: Int) {
    for text in ["", "set ", "simulate ", "load profile 1 ", "load profike"] {
      for line in explanation(of: text, width: width) ?? [] { #expect(line.count <= width) }
    }
  }

  @Test func `every word that completion offers has a meaning`() {
    for definition in ShellCommands.table.definitions {
      for word in (definition.arguments + definition.clauses).flatMap(\.keywords) {
        let meaning = WordMeanings.meaning(of: word, in: definition, behind: nil)
        #expect(!meaning.isEmpty, "\(definition.verb) … \(word)")
      }
    }
  }

  private func explanation(of text: String, width: Int = 78) -> [String]? {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    defer { host.end() }
    host.perform("loadable profile: String")
    return host.explanation(of: text, width: width)
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
