import Script

/// Writes the definitions of all commands and options as lines of JSON.
extension Reference {
  /// The definitions of all commands, one per line.
  package static var json: String {
    ShellCommands.all.map(\.definition).map { definition in
      JSONLine("definition").with("verb", definition.verb)
        .with("topic", definition.topic.rawValue)
        .with("synopsis", definition.synopsis).with("summary", definition.summary)
        .with("details", definition.details).with("examples", definition.examples).text
    }.joined()
  }
}

extension ConfigExample {
  /// All options, one per line.
  package static var json: String {
    SessionOption.all.map { option in
      JSONLine("option").with("name", option.name).with("summary", option.summary)
        .with("values", option.words.map(\.text)).with("default", option.initial)
        .with("variable", option.variable).with("flag", "--" + option.name).text
    }.joined()
  }
}
