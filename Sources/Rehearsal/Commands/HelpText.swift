import Loading
import Script
import Timelines

/// What `help` prints, made from the definitions of the commands; also the reference in `docs/`.
package enum HelpText {
  /// Everything that `help` takes.
  static func topics(with commands: [ShellCommand]) -> [String] {
    let topics = commands.map(\.definition.verb) + HelpTopic.all.map(\.name)
    let words = PipeWords.stages.map(\.word) + PipeWords.sources.map(\.word)
    return topics + words.filter { !topics.contains($0) }
  }

  /// All commands by topic, and the other topics, for lines of `width` columns.
  static func overview(of commands: [ShellCommand], width: Int) -> [String] {
    var lines: [String] = []
    for topic in CommandDefinition.Topic.allCases {
      lines.append(topic.rawValue)
      for command in commands where command.definition.topic == topic {
        lines += entry(command.definition.verb, command.definition.summary, width: width)
      }
    }
    lines.append("More")
    for topic in HelpTopic.all { lines += entry(topic.name, topic.summary, width: width) }
    lines.append("'help NAME' says more, with examples. Tab completes; Ctrl-D leaves.")
    return lines
  }

  /// The help on one command or topic; nil where there is none of that name.
  static func lines(on name: String, of commands: [ShellCommand], width: Int) -> [String]? {
    if let command = commands.first(where: { $0.definition.verb == name }) {
      return lines(on: command.definition, width: width)
    }
    guard let topic = HelpTopic.all.first(where: { $0.name == name }) else {
      return linesOnWordOfPipes(name, width: width)
    }
    return [topic.summary]
      + topic.paragraphs().flatMap { wrapped($0, indent: 2, width: width) }
  }

  private static func linesOnWordOfPipes(_ name: String, width: Int) -> [String]? {
    let operators = PipeWords.stages.map { (word: $0.word, usage: $0.usage, summary: $0.summary) }
    let sources = PipeWords.sources.map { (word: $0.word, usage: $0.usage, summary: $0.summary) }
    guard let word = (operators + sources).first(where: { $0.word == name }) else { return nil }
    return [word.usage] + wrapped(word.summary, indent: 2, width: width)
      + wrapped("It is a word of pipes: 'help pipes' lists all of them.", indent: 2, width: width)
  }

  private static func lines(on command: CommandDefinition, width: Int) -> [String] {
    var lines = synopsis(of: command, width: width)
    lines += wrapped(command.summary, indent: 2, width: width)
    for paragraph in command.details { lines += wrapped(paragraph, indent: 2, width: width) }
    for example in command.examples {
      lines.append("  For example:")
      lines += example.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
    }
    return lines
  }

  /// The synopsis, broken between its parts.
  static func synopsis(of command: CommandDefinition, width: Int) -> [String] {
    let parts = command.synopsis
    var lines = [command.verb]
    for part in parts {
      if lines[lines.count - 1].widthInColumns + 1 + part.widthInColumns > width {
        lines.append("    " + part)
      } else {
        lines[lines.count - 1] += " " + part
      }
    }
    return lines
  }

  private static func entry(_ name: String, _ summary: String, width: Int) -> [String] {
    let column = 15
    let lines = wrapped(summary, indent: column, width: width)
    let padding = String(repeating: " ", count: max(1, column - 2 - name.count))
    return ["  " + name + padding + (lines.first ?? "").dropFirst(column)] + lines.dropFirst()
  }

  /// Words filled into lines; a word that is too long stands alone.
  static func wrapped(_ text: String, indent: Int, width: Int) -> [String] {
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
    return lines + [margin + line]
  }
}
