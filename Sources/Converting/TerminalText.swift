import RehearsalBase

/// The text on a terminal after writing to it. Carriage returns, backspaces, erasures and movements
/// are applied; colours and titles are removed.
///
/// If the terminal's width is known, wrapped lines are joined. Otherwise, rows have unlimited
/// width, and no line is wrapped.
struct TerminalText {
  /// The lines, without blanks at their ends.
  var lines: [String] {
    var lines: [String] = []
    var line = ""
    for row in rows {
      line += row.cells.joined()
      if row.isWrapped { continue }
      while line.unicodeScalars.last == " " { line.unicodeScalars.removeLast() }
      lines.append(line)
      line.removeAll()
    }
    return lines
  }

  private struct Row {
    /// The character of each column with its combining characters. The column after a wide one is
    /// empty.
    var cells: [String] = []
    /// Whether the row continues in the next one.
    var isWrapped = false
  }

  private var rows = [Row()]
  private var row = 0
  private var column = 0

  /// The maximum distance that one sequence can move.
  private static let farthest = 1_000

  private let width: Int

  /// The minimum plausible width. A recording with a smaller one has an unknown width.
  private static let narrowest = 20

  /// Renders text.
  ///
  /// - Parameters:
  ///   - text: the text that was written.
  ///   - width: the terminal's width in columns, nil if unknown.
  init(_ text: String, width: Int? = nil) {
    self.width = width.flatMap { $0 < Self.narrowest ? nil : $0 } ?? Int.max
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\n": beginRow()
      case "\r": column = 0
      case "\u{8}": column = max(0, min(column, self.width - 1) - 1)
      case "\t":
        let stop = min(column / 8 * 8 + 8, self.width - 1)
        while column < stop { write(" ") }
      case "\u{1B}": obey(&scalars)
      case "\u{9B}": obeyControl(&scalars)
      case "\u{A0}": write(" ")
      default: if scalar.properties.generalCategory != .control { write(scalar) }
      }
    }
    if rows.last?.cells.isEmpty == true { rows.removeLast() }
    if !rows.isEmpty { rows[rows.count - 1].isWrapped = false }
  }

  private mutating func beginRow() {
    row += 1
    column = 0
    if row == rows.count { rows.append(Row()) }
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    let text = String(scalar)
    // Most characters are known to have one column.
    let columns = scalar.value < 0x300 ? 1 : text.widthInColumns
    guard columns > 0 else { return combine(text) }
    if column > width - columns {
      rows[row].isWrapped = true
      beginRow()
    }
    pad(to: column + columns)
    rows[row].cells[column] = text
    for place in column + 1..<column + columns { rows[row].cells[place] = "" }
    column += columns
  }

  /// Adds a zero-width character to the previous cell.
  private mutating func combine(_ text: String) {
    let before = rows[row].cells.prefix(column).lastIndex { !$0.isEmpty }
    if let before { rows[row].cells[before] += text }
  }

  private mutating func pad(to column: Int) {
    let missing = column - rows[row].cells.count
    if missing > 0 { rows[row].cells += Array(repeating: " ", count: missing) }
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

  /// Skips a string such as a window title, up to its end, a bell or `ESC \`.
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
    case "C": column = min(column + count, width - 1)
    case "D": column = max(0, min(column, width - 1) - count)
    case "G": column = min(count, width) - 1
    case "K": eraseLine(number ?? 0)
    case "J" where number ?? 0 == 0:
      eraseLine(0)
      rows.removeSubrange((row + 1)...)
    case "P": rows[row].cells.removeSubrange(clamped(column..<column + count))
    default: break
    }
  }

  private mutating func eraseLine(_ what: Int) {
    if what != 1 { rows[row].isWrapped = false }
    if what == 0 { return rows[row].cells.removeSubrange(clamped(column..<Int.max)) }
    let count = rows[row].cells.count
    for index in 0..<(what == 1 ? min(column + 1, count) : count) { rows[row].cells[index] = " " }
  }

  private func clamped(_ range: Range<Int>) -> Range<Int> {
    range.clamped(to: 0..<rows[row].cells.count)
  }
}
