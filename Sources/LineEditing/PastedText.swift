/// A paste between the terminal's two marks, cleaned and cut into lines.
struct PastedText: Equatable {
  /// Lines that ended in a line break, in order.
  private(set) var lines: [String] = []
  /// What came after the last line break: left for the user to finish.
  private(set) var rest = ""

  var isEmpty: Bool { lines.isEmpty && rest.isEmpty }

  /// Tabs become spaces, since a Tab would complete; other control characters are left out.
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

  /// Takes the first finished line.
  mutating func takeLine() -> String? { lines.isEmpty ? nil : lines.removeFirst() }

  /// Takes what stands after the last line break.
  mutating func takeRest() -> String {
    defer { rest = "" }
    return rest
  }

  private mutating func endLine() {
    lines.append(rest)
    rest = ""
  }
}
