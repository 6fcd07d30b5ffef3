/// What `--help` says about a subcommand beyond its options.
enum UsageText {
  /// A few sentences, and examples: what is typed behind the program's name, and what it does. There
  /// `NAME` stands for that name.
  static func discussion(_ sentences: String, _ examples: KeyValuePairs<String, String>) -> String {
    let lines = examples.map { "\n  NAME" + ($0.isEmpty ? "" : " ") + $0 + "\n      " + $1 }
    let text = lines.joined().replacing("NAME", by: ThisProgram.current.name)
    return sentences + "\n\n" + heading + text
  }

  /// The line above the examples.
  static let heading = "EXAMPLES:"
}

extension String {
  /// This text with another word in every place of one, byte for byte: each start of the program makes all
  /// these texts.
  fileprivate func replacing(_ word: String, by other: String) -> String {
    let (word, bytes) = (Array(word.utf8), Array(utf8))
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == word[0], bytes[place...].starts(with: word) {
        result += other.utf8
        place += word.count
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
