import RehearsalBase

/// Writes a failure for a terminal or a log: place, problem, difference, and how to accept it; quotes paths.
package struct FailureText {
  /// Maximum number of lines of a difference.
  static let shownLines = 200
  /// Maximum length of a line in bytes.
  static let shownBytes = 2_000

  private let colour: Bool
  private let program: String?

  /// - Parameters:
  ///   - colour: whether marks are coloured by escape sequences.
  ///   - program: the command name of the program that can accept differences; nil if there is none.
  package init(colour: Bool, program: String? = ProgramName.current) {
    self.colour = colour
    self.program = program
  }

  /// Renders place and problem, the command, the difference, and the command that accepts it, each with a line feed.
  package func text(of failure: TranscriptFailure) -> String {
    var text = failure.line > 0 ? "\(failure.path):\(failure.line): " : "\(failure.path): "
    text = Self.visible(text) + Self.visible(failure.problem.sentence) + "\n"
    if let command = failure.command {
      for (index, line) in command.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        text += (index == 0 ? " > " : " . ") + shown(String(line)) + "\n"
      }
    }
    let diff = Array(failure.diff.prefix(Self.shownLines))
    let words = colour ? ChangedWords(diff).lines : []
    let pieces = LongLines(diff, limitInBytes: Self.shownBytes).pieces
    for (index, line) in diff.enumerated() {
      let piece = pieces[index].map { Self.visible($0) }
      text += diffLine(line, piece ?? shown(line.text), colour ? words[index] : [])
    }
    if failure.diff.count > Self.shownLines {
      text += " … \(failure.diff.count - Self.shownLines) more lines\n"
    }
    for note in failure.notes {
      let lines = note.split(separator: "\n", omittingEmptySubsequences: false)
      text += "note: " + lines.map { shown(String($0)) }.joined(separator: "\n  ") + "\n"
    }
    if let hint = failure.problem.hint { text += "hint: \(hint)\n" }
    if let program, let words = failure.acceptance { text += "to accept: \(program) \(words)\n" }
    return text
  }

  private func diffLine(
    _ line: TranscriptFailure.DiffLine,
    _ text: String,
    _ words: [ChangedWords.Part]
  ) -> String {
    let (mark, code) =
      switch line.mark {
      case .same: (" ", "")
      case .expected: ("-", "31")
      case .actual: ("+", "32")
      }
    if !colour || code.isEmpty { return "\(mark)  \(text)\n" }
    let inner =
      words.count < 2
      ? text
      : words.map { part in
        let text = shown(part.text)
        return part.isChanged ? "\u{1B}[1;4;\(code)m\(text)\u{1B}[0;\(code)m" : text
      }.joined()
    return "\u{1B}[\(code)m\(mark)  \(inner)\u{1B}[0m\n"
  }

  /// Cuts a long line and escapes its control characters.
  private func shown(_ line: String) -> String {
    let count = line.utf8.count
    guard count > Self.shownBytes else { return Self.visible(line) }
    let cut = String(decoding: line.utf8.prefix(Self.shownBytes), as: UTF8.self)
    return Self.visible(cut) + "… (\(count) bytes)"
  }

  /// Spells out the characters that a terminal interprets or that reorder text, except tabs.
  package static func visible(_ text: String) -> String {
    if !text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.needsEscape, scalar != "\t" {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension FailureText {
  /// Quotes a path for a shell, and spells out the characters that a terminal interprets.
  package static func quoted(_ path: String) -> String {
    let isOption = path.utf8.first == UInt8(ascii: "-")
    let needsEscape = path.unicodeScalars.contains(where: \.needsEscape)
    if path.utf8.allSatisfy(isPlain), !isOption, !needsEscape { return path }
    let path = isOption ? "./" + path : path
    if needsEscape { return spelt(path) }
    let inner = path.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''")
    return "'\(inner)'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }

  /// Quotes with `$'…'`, which has escapes. POSIX has it since 2024, and shells have had it for long.
  private static func spelt(_ path: String) -> String {
    var text = ""
    for scalar in path.unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "'", "\\": text += "\\\(scalar)"
      default: text += scalar.needsEscape ? bytes(scalar) : String(scalar)
      }
    }
    return "$'\(text)'"
  }

  private static func bytes(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf8.map { "\\x" + ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
