import Script

/// Writes the page `help options` from the table of options.
extension HelpTopic {
  /// The page `help options`.
  static let options = HelpTopic(
    name: "options",
    summary: "The options, and where to set them."
  ) {
    SessionOption.all.map(paragraph) + [
      "These set an option, each overriding the ones before: the config file, whose path '\(ProgramName.current) config --path' prints; an environment variable, such as REHEARSE_WIDTH=100; a flag, such as '--width 100'; and 'set'. NO_COLOR in the environment means 'colour never', unless REHEARSE_COLOUR is set.",
      "'rehearse test' and 'rehearse run' take only 'colour' and 'pager' from the config file and the environment. 'save' and 'record' write options that change the output, as 'set OPTION VALUE': width if it matters, times, policy, seed and preempt.",
    ]
  }

  private static func paragraph(on option: SessionOption) -> String {
    let value = option.words.isEmpty ? "is \(option.initial)" : "is '\(option.initial)'"
    let words = option.words.map { "'\($0.text)': \($0.meaning)" }.joined(separator: "; ")
    let meaning = words.isEmpty || option.placeholder == "P" ? "" : " \(words)."
    return
      "\(option.name) \(option.placeholder): \(option.summary)\(meaning) The default \(value)."
  }
}
