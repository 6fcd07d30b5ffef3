import RehearsalBase
import Scenes
import Script
import Testing

@testable import Rehearsal

@Suite struct HelpTests {
  private static let search = HelpSearch(commands: ShellCommands.all, scenes: Scenes.all)

  @Test(arguments: HelpText.topics(with: ShellCommands.all))
  func `every completion of help has a page`(name: String) {
    #expect(HelpText.lines(on: name, of: ShellCommands.all, width: 78)?.isEmpty == false)
  }

  @Test(arguments: HelpText.topics(with: ShellCommands.all))
  func `a search for the name of a page finds that page first`(name: String) {
    #expect(Self.search.findings(for: [name]).first?.name == name || Self.isHeading(name))
  }

  private static func isHeading(_ name: String) -> Bool {
    CommandDefinition.Topic.allCases.contains { $0.name == name }
  }

  @Test(arguments: ["load", "a", "value", "in time", "timeout D"], [38, 78, 298])
  func `the lines of a search fit the width, except longer words`(text: String, width: Int) {
    let findings = Self.search.findings(for: [text])
    let lines = HelpSearch.lines(on: findings, width: width)
    #expect(!findings.isEmpty)
    for line in lines where line.split(separator: " ").count > 1 {
      #expect(line.widthInColumns <= width, "\(line)")
    }
  }

  @Test func `a search needs all of its words`() {
    let one = Set(Self.search.findings(for: ["debounce"]).map(\.name))
    let both = Set(Self.search.findings(for: ["debounce", "marble"]).map(\.name))
    #expect(both.isStrictSubset(of: one))
    #expect(both.contains("marble"))
  }

  @Test(arguments: ["", " ", "§", "\u{0}", "…"])
  func `an empty search finds nothing`(text: String) {
    #expect(Self.search.findings(for: [text]).isEmpty)
  }

  @Test(arguments: [
    ("stale", "explore"), ("race", "explore"), ("flaky", "explore"),
    ("stuck spinner", "eventually"),
    ("main queue", "settle"), ("latency", "load"), ("mock", "route"), ("debounce", "debounce"),
    ("debounce", "enter"),
  ])
  func `a search for a problem finds the page that helps`(words: String, page: String) {
    let pages = Self.search.findings(for: [words]).prefix(5).map(\.name)
    #expect(pages.contains(page), "\(pages)")
  }

  @Test(arguments: ["fail", "retry", "timeout", "never"])
  func `a word of load and of pipes has help on both`(name: String) {
    let lines = HelpText.lines(on: name, of: ShellCommands.all, width: 78) ?? []
    #expect(lines.contains("  It is a word of 'load': 'help load' explains it."))
    #expect(lines.contains("  'help pipes' lists all words of pipes."))
  }

  @Test(arguments: ShellCommand.load.definition.clauses.flatMap(\.keywords))
  func `each clause word of load has help`(word: String) throws {
    let lines = try #require(HelpText.lines(on: word, of: ShellCommands.all, width: 200))
    let usage = try #require(lines.firstIndex { $0.hasPrefix("load NAME [ANSWER] ") })
    #expect(lines[usage].split { !$0.isLetter }.contains { $0 == word })
    #expect(lines[usage + 1].hasPrefix("  ") && lines[usage + 1].count > 3)
    #expect(lines[usage + 2] == "  It is a word of 'load': 'help load' explains it.")
  }

  @Test(arguments: [("delay", "after"), ("stubborn", "uncancellable")])
  func `a word of another tool has help on the clause of load`(word: String, clause: String) {
    let lines = HelpText.lines(on: word, of: ShellCommands.all, width: 78) ?? []
    #expect(lines.first == "The word in 'load' is '\(clause)':")
    #expect(lines.count > 3 && lines[1].hasPrefix("  load NAME [ANSWER] \(clause)"))
  }

  @Test func `help on a command begins with one sentence and one example`() throws {
    let lines = try #require(HelpText.lines(on: "load", of: ShellCommands.all, width: 78))
    let summary = try #require(lines.firstIndex(of: "  Starts a load of a loadable."))
    #expect(lines[summary + 1] == "  Example 1:")
  }

  @Test func `a command of each topic is listed below its heading`() throws {
    for topic in CommandDefinition.Topic.allCases {
      let lines = try #require(HelpText.lines(on: topic.name, of: ShellCommands.all, width: 78))
      for command in ShellCommands.all where command.definition.topic == topic {
        #expect(lines.contains { $0.hasPrefix("  \(command.definition.verb) ") })
      }
    }
  }
}
