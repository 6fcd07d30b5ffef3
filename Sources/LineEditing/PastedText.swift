/// The text between the terminal's two paste marks, cleaned and split into lines.
struct PastedText: Equatable {
  /// The lines that ended in a line break, in order.
  private(set) var lines: [String] = []
  /// The text after the last line break, which the user can finish.
  private(set) var rest = ""

  var isEmpty: Bool { lines.isEmpty && rest.isEmpty }

  /// Replaces tabs by spaces, because a Tab would complete, and drops other control characters.
  init(_ scalars: some Sequence<Unicode.Scalar> = []) {
    var wasReturn = false
    for scalar in scalars {
      switch scalar {
      case "\n" where wasReturn: break
      case "\n", "\r": endLine()
      case "\t": rest += "  "
      default:
        if scalar.properties.generalCategory != .control { rest.unicodeScalars.append(scalar) }
      }
      wasReturn = scalar == "\r"
    }
  }

  /// Removes and returns the first complete line.
  mutating func takeLine() -> String? { lines.isEmpty ? nil : lines.removeFirst() }

  /// Removes and returns the text after the last line break.
  mutating func takeRest() -> String {
    defer { rest = "" }
    return rest
  }

  private mutating func endLine() {
    lines.append(rest)
    rest = ""
  }
}
