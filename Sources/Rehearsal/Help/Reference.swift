import Script

/// The reference of all commands as Markdown, made from their definitions: `docs/commands.md`.
package enum Reference {
  package static var markdown: String {
    var text = """
      # The commands

      Made from the definitions of the commands by `rehearse reference`; do not edit it by hand.
      Every example here is a transcript and is replayed by the tests.

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
    for paragraph in command.details { text += "\n\(escaped(paragraph))\n" }
    for example in command.examples { text += "\n```transcript\n\(example)\n```\n" }
    return text
  }

  /// Signs that Markdown would take for its own.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "*_<>[]#|".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }
}
