import Script

/// The config file that `rehearse config` prints: every option with its default, commented out.
package enum ConfigExample {
  package static var text: String {
    let head = """
      # Options of \(ProgramName.current). To set an option, remove the '#' in front of its line and change the value.
      # Environment variables override this file, flags override both, and the command 'set' overrides
      # all of them.
      """
    return head + "\n" + SessionOption.all.map(section).joined()
  }

  private static func section(_ option: SessionOption) -> String {
    var lines = HelpText.wrapped(option.summary, indent: 0, width: 96)
    let width = option.words.map(\.text.count).max() ?? 0
    for word in option.words {
      let name = word.text + String(repeating: " ", count: width - word.text.count + 2)
      let meaning = HelpText.wrapped(word.meaning, indent: 2 + name.count, width: 96)
      lines.append("  " + name + (meaning.first ?? "").dropFirst(2 + name.count))
      lines += meaning.dropFirst()
    }
    lines.append(
      "In the environment: \(option.variable). As a flag: --\(option.name) \(option.sample)."
    )
    return "\n" + lines.map { "# " + $0 + "\n" }.joined() + "#\(option.name) = \(option.initial)\n"
  }
}
