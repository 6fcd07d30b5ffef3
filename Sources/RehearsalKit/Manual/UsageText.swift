/// What `--help` says about a subcommand beyond its options.
enum UsageText {
  /// A few sentences, and examples: what is typed behind the program's name, and what it does. There
  /// `NAME` stands for that name.
  static func discussion(_ sentences: String, _ examples: KeyValuePairs<String, String>) -> String {
    let name = ThisProgram.current.name
    let lines = examples.map { "  NAME \($0)".trimmed + "\n      " + $1 }
    let text = lines.joined(separator: "\n").split(
      separator: "NAME",
      omittingEmptySubsequences: false
    )
    return sentences + "\n\n" + heading + "\n" + text.joined(separator: name)
  }

  /// The line above the examples.
  static let heading = "EXAMPLES:"
}

extension String {
  fileprivate var trimmed: String { last == " " ? String(dropLast()) : self }
}
