import RehearsalBase
import Script
import Timelines

/// Looks for words in everything that help can say.
struct HelpSearch {
  private let entries: [Entry]

  /// A page of help, or a line of one, with its parts by where they stand.
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
    /// What stands before the text where it is quoted: `example 2: `.
    var label = ""
  }

  /// Where a word was found; the higher, the likelier that this is what was looked for.
  enum HelpRank: Int, Comparable {
    case example = 1
    case details = 4
    case synopsis = 12
    case summary = 20
    case name = 60

    static func < (one: HelpRank, other: HelpRank) -> Bool { one.rawValue < other.rawValue }
  }

  /// What was found: a page, and where the words stand in it unless its name and summary tell.
  struct Finding {
    let name: String
    let summary: String
    let quote: String?
    let score: Int
  }

  /// Looks in the pages on `commands` and `scenes`, on topics and on the words of pipes.
  init(commands: [ShellCommand], scenes: [Scene]) {
    let stages = PipeWords.stages.map { Entry($0.word, $0.summary, usage: $0.usage) }
    let sources = PipeWords.sources.map { Entry($0.word, $0.summary, usage: $0.usage) }
    let known = Set(commands.map(\.definition.verb)).union(stages.map(\.name))
    entries =
      commands.map { Entry($0.definition) } + HelpTopic.all.map { Entry($0) } + stages
      + sources.filter { !known.contains($0.name) } + scenes.map { Entry($0) }
  }

  /// The pages that have all of these words, or words that begin so: the likeliest first, and equally
  /// likely ones in the order of the overview.
  func findings(for texts: [String]) -> [Finding] {
    let wanted = texts.flatMap(Self.words)
    guard !wanted.isEmpty else { return [] }
    return entries.enumerated().compactMap { entry in
      entry.element.finding(of: wanted).map { (entry.offset, $0) }
    }.sorted { ($1.1.score, $0.0) < ($0.1.score, $1.0) }.map(\.1)
  }

  /// The word that may have been meant by one that is nowhere.
  func hint(for texts: [String]) -> String? {
    let all = entries.flatMap { $0.words.flatMap(\.words) }
    let lost = texts.flatMap(Self.words).first { word in !all.contains { $0.hasPrefix(word) } }
    return lost.flatMap { Suggestion.hint(for: $0, in: all.filter { $0.count > 2 }) }
  }

  /// A text's words, in small letters.
  static func words(of text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  // MARK: Printing

  private static let mostFindings = 12

  /// The findings as help prints them, in lines of at most `width` columns.
  static func lines(on findings: [Finding], width: Int) -> [String] {
    var lines: [String] = []
    for finding in findings.prefix(mostFindings) {
      lines += HelpText.entry(finding.name, finding.summary, indent: 0, width: width)
      if let quote = finding.quote {
        lines += HelpText.wrapped(quote, indent: HelpText.summaryColumn, width: width)
      }
    }
    let more = findings.count - mostFindings
    let hint = "… and \(more) more; another word makes them fewer"
    if more > 0 { lines += HelpText.wrapped(hint, indent: 0, width: width) }
    return lines
  }
}
