import RehearsalBase
import Script
import Timelines

/// Finds the pages of help that have all of some words, and suggests a similar word if there is none.
struct HelpSearch {
  private let entries: [Entry]

  /// A page of help, or a line of one, with its parts.
  struct Entry {
    let name: String
    let summary: String
    let parts: [Part]
    /// The words of the name, the summary and the parts.
    let words: [(place: HelpRank, part: Int, words: [String])]
  }

  struct Part {
    let place: HelpRank
    let text: String
    /// A prefix for quotes of the text: `example 2: `.
    var label = ""
  }

  /// The kind of text with a word. The higher, the more likely is this the right page.
  enum HelpRank: Int, Comparable {
    case example = 1
    case details = 4
    case synopsis = 12
    case summary = 20
    case problem = 30
    case name = 60

    /// Whether a result quotes the text; each result shows its name and summary anyway.
    var isQuoted: Bool { self != .summary && self != .name }

    static func < (one: HelpRank, other: HelpRank) -> Bool { one.rawValue < other.rawValue }
  }

  /// A page with all words. Quotes the text that has them, unless its name and summary do.
  struct Finding {
    let name: String
    let summary: String
    let quote: String?
    let score: Int
  }

  /// A search in the pages of `commands`, topics, words of pipes and `scenes`.
  init(commands: [ShellCommand], scenes: [Scene]) {
    let known = Set(commands.map(\.definition.verb)).union(Self.stages.map(\.name))
    entries =
      commands.map { Self.shellCommands[ObjectIdentifier($0.definition)] ?? Entry($0.definition) }
      + Self.topics + Self.stages + Self.sources.filter { !known.contains($0.name) }
      + scenes.map { Entry($0) }
  }

  // The pages that are equal in all sessions. Each run of a search may print a hint that needs them.
  private static let shellCommands = Dictionary(
    uniqueKeysWithValues: ShellCommands.all.map {
      (ObjectIdentifier($0.definition), Entry($0.definition))
    }
  )
  private static let topics = HelpTopic.all.map { Entry($0) }
  private static let stages = PipeWords.stages.map {
    Entry($0.word, $0.summary, usage: $0.usage)
  }
  private static let sources = PipeWords.sources.map {
    Entry($0.word, $0.summary, usage: $0.usage)
  }

  /// Returns the pages that have all of these words, or words that begin with them. The best match
  /// comes first, equal matches in the order of the overview.
  func findings(for texts: [String]) -> [Finding] {
    let wanted = texts.flatMap(Self.words)
    guard !wanted.isEmpty else { return [] }
    return entries.enumerated().compactMap { entry in
      entry.element.finding(of: wanted).map { (entry.offset, $0) }
    }.sorted { ($1.1.score, $0.0) < ($0.1.score, $1.0) }.map(\.1)
  }

  /// Suggests a similar word for the first word that is on no page.
  func hint(for texts: [String]) -> String? {
    let all = entries.flatMap { $0.words.flatMap(\.words) }
    let lost = texts.flatMap(Self.words).first { word in !all.contains { $0.hasPrefix(word) } }
    return lost.flatMap { Suggestion.hint(for: $0, in: all.filter { $0.count > 2 }) }
  }

  /// Returns the words of a text in lower case.
  static func words(of text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  // MARK: Printing

  private static let mostFindings = 12

  /// Returns the results as lines of at most `width` columns.
  static func lines(on findings: [Finding], width: Int) -> [String] {
    var lines: [String] = []
    for finding in findings.prefix(mostFindings) {
      lines += HelpText.entry(finding.name, finding.summary, indent: 0, width: width)
      if let quote = finding.quote {
        lines += HelpText.wrapped(quote, indent: HelpText.summaryColumn, width: width)
      }
    }
    let more = findings.count - mostFindings
    let hint = "… and \(more) more; add a word to narrow the search"
    if more > 0 { lines += HelpText.wrapped(hint, indent: 0, width: width) }
    return lines
  }
}
