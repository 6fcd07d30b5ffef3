/// What a terminal shows of the text that was written to it: carriage returns, backspaces, erased lines and
/// movements carried out, colours and titles left out.
///
/// Rows have no right end here, so nothing is wrapped that was not wrapped before.
struct TerminalText {
  /// The rows, without blanks at their ends.
  var lines: [String] {
    rows.map { row in
      var text = String(String.UnicodeScalarView(row))
      while text.unicodeScalars.last == " " { text.unicodeScalars.removeLast() }
      return text
    }
  }

  private var rows: [[Unicode.Scalar]] = [[]]
  private var row = 0
  private var column = 0

  /// How far one sequence moves at most.
  private static let farthest = 1_000

  init(_ text: String) {
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\n":
        row += 1
        column = 0
        if row == rows.count { rows.append([]) }
      case "\r": column = 0
      case "\u{8}": column = max(0, column - 1)
      case "\t": repeat { write(" ") } while column % 8 != 0
      case "\u{1B}": obey(&scalars)
      case "\u{9B}": obeyControl(&scalars)
      case "\u{A0}": write(" ")
      default: if scalar.properties.generalCategory != .control { write(scalar) }
      }
    }
    if rows.last?.isEmpty == true { rows.removeLast() }
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    pad(to: column)
    if column < rows[row].count {
      rows[row][column] = scalar
    } else {
      rows[row].append(scalar)
    }
    column += 1
  }

  private mutating func pad(to column: Int) {
    let missing = column - rows[row].count
    if missing > 0 { rows[row] += Array(repeating: " ", count: missing) }
  }

  // MARK: Escape sequences

  private mutating func obey(_ scalars: inout Substring.UnicodeScalarView) {
    switch scalars.popFirst() {
    case "[": obeyControl(&scalars)
    case "]", "P", "_", "^", "X": Self.skipText(&scalars)
    case "(", ")", "#", "%": _ = scalars.popFirst()
    default: break
    }
  }

  /// The title of a window and the like: to its end, a bell or `ESC \`.
  private static func skipText(_ scalars: inout Substring.UnicodeScalarView) {
    var previous: Unicode.Scalar?
    while let scalar = scalars.popFirst() {
      if scalar == "\u{7}" || scalar == "\u{9C}" || previous == "\u{1B}" && scalar == "\\" {
        return
      }
      previous = scalar
    }
  }

  private mutating func obeyControl(_ scalars: inout Substring.UnicodeScalarView) {
    var parameters = ""
    while let scalar = scalars.popFirst() {
      guard (0x40...0x7E).contains(scalar.value) else {
        parameters.unicodeScalars.append(scalar)
        continue
      }
      let number = Int(parameters.prefix { $0.isASCII && $0.isNumber })
      return move(scalar, number)
    }
  }

  private mutating func move(_ final: Unicode.Scalar, _ number: Int?) {
    let count = min(max(number ?? 1, 1), Self.farthest)
    switch final {
    case "A": row = max(0, row - count)
    case "B": row = min(rows.count - 1, row + count)
    case "C": column += count
    case "D": column = max(0, column - count)
    case "G": column = count - 1
    case "K": eraseLine(number ?? 0)
    case "J" where number ?? 0 == 0:
      eraseLine(0)
      rows.removeSubrange((row + 1)...)
    case "P": rows[row].removeSubrange(clamped(column..<column + count))
    default: break
    }
  }

  private mutating func eraseLine(_ what: Int) {
    if what == 0 { return rows[row].removeSubrange(clamped(column..<Int.max)) }
    let end = what == 1 ? min(column + 1, rows[row].count) : rows[row].count
    for index in 0..<end { rows[row][index] = " " }
  }

  private func clamped(_ range: Range<Int>) -> Range<Int> { range.clamped(to: 0..<rows[row].count) }
}
