/// The screen of a terminal: it turns the output of a program into rows of text.
///
/// It supports the sequences that libedit and the prompt send for `TERM=xterm`.
public struct Screen: Sendable {
  /// The width, in cells.
  public private(set) var columns: Int
  /// The height, in cells.
  public private(set) var rows: Int
  /// The row of the cursor, from 0 at the top.
  public private(set) var cursorRow = 0
  /// The column of the cursor, from 0 at the left.
  public private(set) var cursorColumn = 0
  /// The number of times the bell rang.
  public private(set) var bellCount = 0

  /// One column. A wide character leaves the text of its second cell empty.
  private struct Cell: Equatable {
    var text: String
    /// The parameters of the sequence that set its style; empty for none.
    var look = ""
  }
  private static let blank = Cell(text: " ")
  private var look = ""
  /// The rows that have scrolled off the screen.
  private var scrolledOff: [[Cell]] = []
  private var cells: [[Cell]]
  private var wraps = false
  private var inserts = false
  private var saved = (row: 0, column: 0)
  private var pending: [UInt8] = []

  /// Creates an empty screen with the cursor at the top left.
  public init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    cells = Array(repeating: Array(repeating: Self.blank, count: columns), count: rows)
  }

  /// Every row from the first ever written, without blanks at their ends and empty ones at the end.
  public var text: [String] {
    var lines = (scrolledOff + cells).map(Self.trimmed)
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The text with styles: `[1;34|load] x` if the first word was written after `ESC [1;34m`.
  public var dressedText: [String] {
    (scrolledOff + cells).prefix(text.count).map(Self.dressed)
  }

  /// The row of the cursor, without a dim hint at its end.
  public var currentLine: String {
    var row = cells[cursorRow][...]
    while let last = row.last, last == Self.blank || last.look == "2" { row.removeLast() }
    return Self.trimmed(Array(row))
  }

  /// Cuts or extends rows, like a terminal that does not rewrap lines.
  public mutating func resize(rows: Int, columns: Int) {
    cells = cells.map { row in
      Array(
        (row + Array(repeating: Self.blank, count: max(0, columns - row.count))).prefix(columns)
      )
    }
    while cells.count < rows { cells.append(Array(repeating: Self.blank, count: columns)) }
    while cells.count > rows {
      scrolledOff.append(cells.removeFirst())
      cursorRow = max(0, cursorRow - 1)
    }
    self.rows = rows
    self.columns = columns
    cursorColumn = min(cursorColumn, columns - 1)
    wraps = false
  }

  /// Shows output of a program. A sequence or character may arrive in parts.
  public mutating func feed(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    var start = 0
    while start < pending.count, let length = Self.unit(at: start, of: pending) {
      let unit = pending[start..<(start + length)]
      start += length
      show(unit)
    }
    pending.removeFirst(start)
  }

  /// Returns the length of the sequence or character at `start`; nil if it is incomplete.
  private static func unit(at start: Int, of bytes: [UInt8]) -> Int? {
    let first = bytes[start]
    if first == 0x1B {
      guard start + 1 < bytes.count else { return nil }
      guard bytes[start + 1] == UInt8(ascii: "[") else { return 2 }
      let letter = bytes[(start + 2)...].firstIndex { 0x40...0x7E ~= $0 }
      return letter.map { $0 - start + 1 }
    }
    let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    return start + length <= bytes.count ? length : nil
  }

  private mutating func show(_ unit: ArraySlice<UInt8>) {
    let text = String(decoding: unit, as: UTF8.self)
    switch unit.first {
    case 0x1B: obey(text)
    case 0x07: bellCount += 1
    case 0x08: moveTo(column: cursorColumn - 1)
    case 0x09: moveTo(column: (cursorColumn / 8 + 1) * 8)
    case 0x0A: lineFeed()
    case 0x0D: moveTo(column: 0)
    case .some(let byte) where byte < 0x20: break
    default: put(text)
    }
  }

  private mutating func obey(_ sequence: String) {
    if sequence == "\u{1B}7" { saved = (cursorRow, cursorColumn) }
    if sequence == "\u{1B}8" { moveTo(row: saved.row, column: saved.column) }
    guard sequence.hasPrefix("\u{1B}["), let letter = sequence.last else { return }
    let number = Int(sequence.dropFirst(2).dropLast().prefix { $0.isNumber })
    let count = max(1, number ?? 1)
    switch letter {
    case "A": moveTo(row: cursorRow - count, column: cursorColumn)
    case "B": moveTo(row: cursorRow + count, column: cursorColumn)
    case "C": moveTo(column: cursorColumn + count)
    case "D": moveTo(column: cursorColumn - count)
    case "G": moveTo(column: count - 1)
    case "H": moveTo(row: 0, column: 0)
    case "J": clear(from: number == 2 ? 0 : cursorRow, wholly: number == 2)
    case "K": clearRow(cursorRow, from: cursorColumn)
    case "@": for _ in 0..<count { shiftRight() }
    case "P": for _ in 0..<count { shiftLeft() }
    case "h": if number == 4 { inserts = true }
    case "l": if number == 4 { inserts = false }
    case "m": look = Self.look(String(sequence.dropFirst(2).dropLast()))
    default: break
    }
  }

  private mutating func put(_ text: String) {
    guard let scalar = text.unicodeScalars.first else { return }
    let width = Self.width(scalar)
    if width == 0 {
      cells[cursorRow][max(0, cursorColumn - (wraps ? 0 : 1))].text += text
      return
    }
    if wraps || cursorColumn + width > columns {
      moveTo(column: 0)
      lineFeed()
    }
    if inserts { for _ in 0..<width { shiftRight() } }
    cells[cursorRow][cursorColumn] = Cell(text: text, look: look)
    if width == 2 { cells[cursorRow][cursorColumn + 1] = Cell(text: "", look: look) }
    let next = cursorColumn + width
    moveTo(column: next)
    wraps = next >= columns
  }

  /// Returns the width of a scalar, as far as the tests need it: 2 for CJK and emoji, 0 for combining marks.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x300...0x36F, 0x200D, 0xFE0F: 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xFF00...0xFF60, 0x1F300...0x1FAFF: 2
    default: 1
    }
  }

  private mutating func lineFeed() {
    wraps = false
    if cursorRow + 1 < rows {
      cursorRow += 1
    } else {
      scrolledOff.append(cells.removeFirst())
      cells.append(Array(repeating: Self.blank, count: columns))
    }
  }

  private mutating func moveTo(row: Int? = nil, column: Int) {
    cursorRow = min(max(0, row ?? cursorRow), rows - 1)
    cursorColumn = min(max(0, column), columns - 1)
    wraps = false
  }

  private mutating func clear(from row: Int, wholly: Bool) {
    clearRow(row, from: wholly ? 0 : cursorColumn)
    for below in (row + 1)..<max(row + 1, rows) { clearRow(below, from: 0) }
  }

  private mutating func clearRow(_ row: Int, from column: Int) {
    for index in column..<columns { cells[row][index] = Self.blank }
  }

  private mutating func shiftRight() {
    cells[cursorRow].removeLast()
    cells[cursorRow].insert(Self.blank, at: cursorColumn)
  }

  private mutating func shiftLeft() {
    cells[cursorRow].remove(at: cursorColumn)
    cells[cursorRow].append(Self.blank)
  }

  /// Returns the style of a sequence. Each sequence of the prompt begins with a reset, so `0;1` is the same as `1`.
  private static func look(_ parameters: String) -> String {
    parameters.split(separator: ";").drop { $0 == "0" }.joined(separator: ";")
  }

  private static func trimmed(_ row: [Cell]) -> String {
    var text = row.map(\.text).joined()
    while text.last == " " { text.removeLast() }
    return text
  }

  private static func dressed(_ row: [Cell]) -> String {
    var row = row[...]
    while row.last == blank { row.removeLast() }
    var text = ""
    var look = ""
    for cell in row + [Cell(text: "")] where cell.look != look || !cell.text.isEmpty {
      if cell.look != look {
        text += (look.isEmpty ? "" : "]") + (cell.look.isEmpty ? "" : "[\(cell.look)|")
        look = cell.look
      }
      text += cell.text
    }
    return text
  }
}
