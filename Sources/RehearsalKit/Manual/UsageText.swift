/// The discussion in `--help`.
enum UsageText {
  /// Joins examples and sentences to a discussion.
  ///
  /// - Parameters:
  ///   - sentences: the details, in paragraphs.
  ///   - examples: pairs of arguments and their effect. `NAME` is replaced by the name of the program.
  /// - Returns: the text.
  static func discussion(_ sentences: String, _ examples: KeyValuePairs<String, String>) -> String {
    let lines = examples.map { "\n  NAME" + ($0.isEmpty ? "" : " ") + $0 + "\n      " + $1 }
    let text = lines.joined().replacing("NAME", by: ThisProgram.current.name)
    return heading + text + "\n\n" + sentences
  }

  /// The line above the examples.
  static let heading = "EXAMPLES:"
}

extension String {
  /// Returns this text with each `word` replaced. It compares bytes, because each start of the program makes all these
  /// texts.
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
