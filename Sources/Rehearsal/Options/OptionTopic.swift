import Script

extension HelpTopic {
  /// What `help options` says.
  static let options = HelpTopic(
    name: "options",
    summary: "What 'set' can change, and who else can."
  ) {
    SessionOption.all.map(paragraph) + [
      "An option is set by the config file, whose place '\(ProgramName.current) config --path' prints; a variable of the environment, as REHEARSE_WIDTH=100, overrides that, a flag, as '--width 100', overrides both, and 'set' all of them. NO_COLOR in the environment says 'colour never', unless REHEARSE_COLOUR says something else.",
      "A transcript that is replayed or run knows nothing of a config file and the environment. So 'save' and 'record' write down, as 'set OPTION VALUE', what changes what is printed: width where it matters, times, policy and seed.",
    ]
  }

  private static func paragraph(on option: SessionOption) -> String {
    let value = option.words.isEmpty ? "is \(option.initial)" : "is '\(option.initial)'"
    let words = option.words.map { "'\($0.text)': \($0.meaning)" }.joined(separator: "; ")
    let meaning = words.isEmpty || option.placeholder == "P" ? "" : " \(words)."
    return
      "\(option.name) \(option.placeholder): \(option.summary)\(meaning) It \(value) unless something else is said."
  }
}
