import Loading
import RehearsalBase
import Script
import Timelines

/// The text of `help`: the overview, and the page of a command, made from its definition.
package enum HelpText {
  /// The names of all pages.
  static func topics(with commands: [ShellCommand]) -> [String] {
    let topics = commands.map(\.definition.verb) + HelpTopic.all.map(\.name)
    let words =
      PipeWords.stages.map(\.word) + PipeWords.sources.map(\.word)
      + CommandDefinition.Topic.allCases.map(\.name)
    return topics + words.filter { !topics.contains($0) }
  }

  /// Lists all commands by topic and the other topics, in lines of at most `width` columns.
  static func overview(of commands: [ShellCommand], width: Int) -> [String] {
    var lines: [String] = []
    for topic in CommandDefinition.Topic.allCases {
      lines.append(topic.rawValue)
      lines += entries(of: topic, in: commands, width: width)
    }
    lines.append("More")
    for topic in HelpTopic.all { lines += entry(topic.name, topic.summary, width: width) }
    return lines
      + wrapped(
        "'help NAME' explains one, with examples; 'help search WORDS' finds pages. Tab completes, '?' explains possible continuations, 'undo' undoes a command, Ctrl-D leaves; 'help keys' lists the other keys.",
        indent: 0,
        width: width
      )
  }

  /// Lists the commands of one heading of the overview.
  private static func entries(
    of topic: CommandDefinition.Topic,
    in commands: [ShellCommand],
    width: Int
  ) -> [String] {
    commands.map(\.definition).filter { $0.topic == topic }
      .flatMap { entry($0.verb, $0.summary, width: width) }
  }

  /// Returns the help on a command, a topic, a word of 'load', a word of pipes or a heading of the
  /// overview, all of them if several have the name; nil if there is none.
  static func lines(on name: String, of commands: [ShellCommand], width: Int) -> [String]? {
    let page = page(on: name, of: commands, width: width)
    guard
      let topic = CommandDefinition.Topic.allCases.first(where: { $0.name == name.lowercased() })
    else { return page }
    return (page ?? []) + [topic.rawValue] + entries(of: topic, in: commands, width: width)
  }

  private static func page(on name: String, of commands: [ShellCommand], width: Int) -> [String]? {
    var lines: [String] = []
    if let command = commands.first(where: { $0.definition.verb == name }) {
      lines = self.lines(on: command.definition, width: width)
    } else if let topic = HelpTopic.all.first(where: { $0.name == name }) {
      lines = wrapped(topic.summary, indent: 0, width: width)
      lines += topic.paragraphs().flatMap { wrapped($0, indent: 2, width: width) }
    }
    lines += linesOnWordOfLoad(name, width: width)
    lines += linesOnWordOfPipes(name, width: width)
    return lines.isEmpty ? nil : lines
  }

  /// Returns the help on a word of an answer or a clause of 'load', or on a word of another tool for a clause.
  private static func linesOnWordOfLoad(_ name: String, width: Int) -> [String] {
    let load = ShellCommand.load.definition
    if let usage = usage(of: name, in: load) {
      return wrapped(usage, indent: 0, width: width)
        + wrapped(
          WordMeanings.meaning(of: name, in: load, behind: nil),
          indent: 2,
          width: width
        )
        + wrapped("It is a word of 'load': 'help load' explains it.", indent: 2, width: width)
    }
    let clauses = load.clauses.flatMap(\.keywords)
    guard ShellCommands.table.index(of: name) == nil,
      let clause = Suggestion.replacement(for: name, in: clauses)
    else { return [] }
    return wrapped("The word in 'load' is '\(clause)':", indent: 0, width: width)
      + linesOnWordOfLoad(clause, width: width).map { "  " + $0 }
  }

  /// Returns how a command uses a word that begins its answer, or that is part of a clause; nil if it has no such word.
  private static func usage(of word: String, in command: CommandDefinition) -> String? {
    if let clause = command.clauses.first(where: { $0.keywords.contains(word) }) {
      return ([command.verb] + command.arguments.map(\.synopsis) + [clause.synopsis])
        .joined(separator: " ")
    }
    guard command.arguments.contains(where: { $0.expects(.keyword(word)) }) else { return nil }
    return "\(command.verb) NAME \(word) …"
  }

  private static func linesOnWordOfPipes(_ name: String, width: Int) -> [String] {
    let operators = PipeWords.stages.map { (word: $0.word, usage: $0.usage, summary: $0.summary) }
    let sources = PipeWords.sources.map { (word: $0.word, usage: $0.usage, summary: $0.summary) }
    guard let word = (operators + sources).first(where: { $0.word == name }) else { return [] }
    return wrapped("In a pipe: " + word.usage, indent: 0, width: width)
      + wrapped(word.summary, indent: 2, width: width)
      + wrapped("'help pipes' lists all words of pipes.", indent: 2, width: width)
  }

  private static func lines(on command: CommandDefinition, width: Int) -> [String] {
    var lines = synopsis(of: command, width: width)
    lines += wrapped(command.summary, indent: 2, width: width)
    let examples = command.examples.enumerated().map { number, example -> [String] in
      var lines = [command.examples.count == 1 ? "  For example:" : "  Example \(number + 1):"]
      lines += example.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
      return lines
    }
    lines += examples.first ?? []
    for paragraph in command.details { lines += wrapped(paragraph, indent: 2, width: width) }
    lines += examples.dropFirst().flatMap { $0 }
    return lines + wrapped(invitation(to: command), indent: 2, width: width)
  }

  /// Returns how to run the examples; empty if there is none.
  private static func invitation(to command: CommandDefinition) -> String {
    if command.effects.contains(.opensNetwork) { return "" }
    return switch command.examples.count {
    case 0: ""
    case 1: "'help \(command.verb) run' runs it."
    default: "'help \(command.verb) run' runs example 1, 'help \(command.verb) run 2' example 2."
    }
  }

  /// Returns the synopsis, broken between its parts. A part that is too long for a line is broken between
  /// its words.
  static func synopsis(of command: CommandDefinition, width: Int) -> [String] {
    let parts = command.synopsis
    var lines = [command.verb]
    for part in parts {
      if lines[lines.count - 1].widthInColumns + 1 + part.widthInColumns > width {
        lines += wrapped(part, indent: 4, width: width)
      } else {
        lines[lines.count - 1] += " " + part
      }
    }
    return lines
  }

  /// The column of the summaries in lists of pages.
  static let summaryColumn = 15

  /// Returns a page in a list: its name, then its summary in the same line, or below a name that is too
  /// long.
  static func entry(
    _ name: String,
    _ summary: String,
    indent: Int = 2,
    width: Int
  ) -> [String] {
    let lines = wrapped(summary, indent: summaryColumn, width: width)
    let margin = String(repeating: " ", count: indent)
    let room = summaryColumn - indent - name.widthInColumns
    guard room > 0 else { return [margin + name] + lines }
    let padding = String(repeating: " ", count: room)
    return [margin + name + padding + (lines.first ?? "").dropFirst(summaryColumn)]
      + lines.dropFirst()
  }

  /// Wraps a text into lines of at most `width` columns. A word that is too long has its own line.
  package static func wrapped(_ text: String, indent: Int, width: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.widthInColumns + 1 + String(word).widthInColumns > width {
        lines.append(margin + line)
        line = String(word)
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    return line.isEmpty ? lines : lines + [margin + line]
  }
}
