import Loading
import RehearsalBase
import Script
import Timelines

/// What `help` prints, made from the definitions of the commands; also the reference in `docs/`.
package enum HelpText {
  /// Everything that `help` takes.
  static func topics(with commands: [ShellCommand]) -> [String] {
    let topics = commands.map(\.definition.verb) + HelpTopic.all.map(\.name)
    let words =
      PipeWords.stages.map(\.word) + PipeWords.sources.map(\.word)
      + CommandDefinition.Topic.allCases.map(\.name)
    return topics + words.filter { !topics.contains($0) }
  }

  /// All commands by topic, and the other topics, for lines of `width` columns.
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
        "'help NAME' says more, with examples; 'help search WORDS' finds a page. Tab completes, '?' says what is expected, 'undo' takes back; 'help keys' has the other keys. Ctrl-D leaves.",
        indent: 0,
        width: width
      )
  }

  /// The commands below one heading of the overview.
  private static func entries(
    of topic: CommandDefinition.Topic,
    in commands: [ShellCommand],
    width: Int
  ) -> [String] {
    commands.map(\.definition).filter { $0.topic == topic }
      .flatMap { entry($0.verb, $0.summary, width: width) }
  }

  /// The help on a command, a topic, a heading of the overview or a word of pipes; nil where there is
  /// none of that name. A heading may share its name with one of the others, and then follows it.
  static func lines(on name: String, of commands: [ShellCommand], width: Int) -> [String]? {
    let page = page(on: name, of: commands, width: width)
    guard
      let topic = CommandDefinition.Topic.allCases.first(where: { $0.name == name.lowercased() })
    else { return page }
    return (page ?? []) + [topic.rawValue] + entries(of: topic, in: commands, width: width)
  }

  private static func page(on name: String, of commands: [ShellCommand], width: Int) -> [String]? {
    if let command = commands.first(where: { $0.definition.verb == name }) {
      return lines(on: command.definition, width: width)
    }
    guard let topic = HelpTopic.all.first(where: { $0.name == name }) else {
      return linesOnWordOfPipes(name, width: width)
    }
    return wrapped(topic.summary, indent: 0, width: width)
      + topic.paragraphs().flatMap { wrapped($0, indent: 2, width: width) }
  }

  private static func linesOnWordOfPipes(_ name: String, width: Int) -> [String]? {
    let operators = PipeWords.stages.map { (word: $0.word, usage: $0.usage, summary: $0.summary) }
    let sources = PipeWords.sources.map { (word: $0.word, usage: $0.usage, summary: $0.summary) }
    guard let word = (operators + sources).first(where: { $0.word == name }) else { return nil }
    return wrapped(word.usage, indent: 0, width: width)
      + wrapped(word.summary, indent: 2, width: width)
      + wrapped("It is a word of pipes: 'help pipes' lists all of them.", indent: 2, width: width)
  }

  private static func lines(on command: CommandDefinition, width: Int) -> [String] {
    var lines = synopsis(of: command, width: width)
    lines += wrapped(command.summary, indent: 2, width: width)
    for paragraph in command.details { lines += wrapped(paragraph, indent: 2, width: width) }
    for (number, example) in command.examples.enumerated() {
      lines.append(command.examples.count == 1 ? "  For example:" : "  Example \(number + 1):")
      lines += example.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
    }
    return lines + wrapped(invitation(to: command), indent: 2, width: width)
  }

  /// How to perform the examples; nothing where there is none.
  private static func invitation(to command: CommandDefinition) -> String {
    if command.effects.contains(.opensNetwork) { return "" }
    return switch command.examples.count {
    case 0: ""
    case 1: "'help \(command.verb) run' performs it."
    default: "'help \(command.verb) run', 'help \(command.verb) run 2' and so on perform them."
    }
  }

  /// The synopsis, broken between its parts, and a part that is too long for a line between its words.
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

  /// Where the summaries begin in lists of pages.
  static let summaryColumn = 15

  /// A page in a list: its name, and its summary beside it, or below a name that is too long.
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

  /// Words filled into lines; a word that is too long stands alone.
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
