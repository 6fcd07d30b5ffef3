/// A line of output and its label, so that a terminal or a picture can show errors and hints in
/// other colours than the rest.
package struct OutputLine: Sendable, Equatable, Codable {
  /// The whole text, with the label.
  package let text: String
  /// Nil for most lines, such as events.
  package let label: Label?
  /// Whether the text is a pattern of a transcript, because the printed line differs between machines.
  package let isPattern: Bool

  package init(_ text: String, label: Label? = nil, isPattern: Bool = false) {
    (self.text, self.label, self.isPattern) = (text, label, isPattern)
  }

  /// An error. `place` is the file and line of a command that comes from a file.
  package static func error(_ sentence: String, at place: String? = nil) -> OutputLine {
    let place = place.map { $0 + ": " } ?? ""
    return OutputLine(place + "error: " + sentence, label: Label(.error, at: place.count))
  }

  package static func hint(_ advice: String) -> OutputLine {
    OutputLine("hint: " + advice, label: Label(.hint))
  }

  package static func note(_ text: String) -> OutputLine {
    OutputLine("note: " + text, label: Label(.note))
  }

  /// The word that says what a line is about.
  package struct Label: Sendable, Equatable, Codable {
    package let kind: Kind
    /// The label in the text, with its colon, in characters.
    package let range: Range<Int>

    package init(_ kind: Kind, at start: Int = 0) {
      self.kind = kind
      range = start..<start + kind.rawValue.count + 1
    }
  }

  package enum Kind: String, Sendable, Codable {
    case error, hint, note
  }
}
