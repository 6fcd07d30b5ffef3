import Script

/// The reference of all commands as Markdown, generated from their definitions: `docs/commands.md`.
package enum Reference {
  package static var markdown: String {
    var text = """
      # The commands

      `rehearse reference` generates this page from the definitions of the commands; do not edit it.
      Every example is a transcript, which the tests replay.

      """
    for topic in CommandDefinition.Topic.allCases {
      text += "\n## \(topic.rawValue)\n"
      for command in ShellCommands.all where command.definition.topic == topic {
        text += section(command.definition)
      }
    }
    text += "\n## More\n"
    for topic in HelpTopic.all {
      text += "\n### \(topic.name)\n\n\(topic.summary)\n"
      for paragraph in topic.paragraphs() { text += "\n\(escaped(paragraph))\n" }
    }
    return text
  }

  private static func section(_ command: CommandDefinition) -> String {
    var text = "\n### \(command.verb)\n\n```\n"
    text += HelpText.synopsis(of: command, width: 98).joined(separator: "\n")
    text += "\n```\n\n\(escaped(command.summary))\n"
    let examples = command.examples.map { "\n```transcript\n\($0)\n```\n" }
    text += examples.prefix(1).joined()
    for paragraph in command.details { text += "\n\(escaped(paragraph))\n" }
    return text + examples.dropFirst().joined()
  }

  /// Escapes the characters that have a meaning in Markdown.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "*_<>[]#|".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }
}
