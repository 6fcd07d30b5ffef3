import RehearsalBase

/// One row of a terminal: cells with a role each.
struct TerminalRow {
  struct Cell {
    /// What it shows; a control character is spelt out.
    let text: String
    let columns: Int
    let role: SessionPicture.Role
    /// Whether other cells can follow it in one word: ASCII keeps its width in every font.
    let isASCII: Bool
    /// Whether it is written from right to left.
    let isRightToLeft: Bool
  }

  private(set) var cells: [Cell] = []

  /// A line whose characters have roles; where several are given, the last one counts.
  init(_ line: String, _ colours: SessionPicture.Colours) {
    let characters = Array(line)
    var roles = Array(repeating: SessionPicture.Role.plain, count: characters.count)
    for (range, role) in colours {
      for index in range.clamped(to: roles.indices) { roles[index] = role }
    }
    for (character, role) in zip(characters, roles) { append(character, role) }
  }

  private init(cells: [Cell]) {
    self.cells = cells
  }

  private mutating func append(_ character: Character, _ role: SessionPicture.Role) {
    let text = String(character).escapingControls
    cells.append(
      Cell(
        text: text,
        columns: text.widthInColumns,
        role: role,
        isASCII: character.isASCII,
        isRightToLeft: text.unicodeScalars.first?.isRightToLeft == true
      )
    )
  }

  mutating func append(_ row: TerminalRow) { cells += row.cells }

  var widthInColumns: Int { cells.reduce(0) { $0 + $1.columns } }

  /// The same in rows that are at most so wide, as a terminal breaks it: wherever it ends.
  func broken(atColumn limit: Int) -> [TerminalRow] {
    var rows = [TerminalRow(cells: [])]
    var width = 0
    for cell in cells {
      if width + cell.columns > limit, width > 0 {
        rows.append(TerminalRow(cells: []))
        width = 0
      }
      rows[rows.count - 1].cells.append(cell)
      width += cell.columns
    }
    return rows
  }

  /// Cells that are drawn as one: of one role, without a blank between them.
  struct Word {
    var text: String
    let column: Int
    var columns: Int
    let role: SessionPicture.Role
    /// Whether it is turned around, and its letters may join, so that it has a width of its own.
    let isRightToLeft: Bool
  }

  /// Its words, from left to right. What is not ASCII may come from another font, and so stands in
  /// words of its own: only runs of one sign go on, and what is written from right to left, blanks and all.
  var words: [Word] {
    var words: [Word] = []
    var column = 0
    var last: Cell?
    for (index, cell) in cells.enumerated() {
      defer { column += cell.columns }
      if cell.text == " ", !isBlankInside(at: index) {
        last = nil
      } else if let last, last.continues(with: cell) || cell.text == " " {
        words[words.count - 1].text += cell.text
        words[words.count - 1].columns += cell.columns
      } else {
        words.append(
          Word(
            text: cell.text,
            column: column,
            columns: cell.columns,
            role: cell.role,
            isRightToLeft: cell.isRightToLeft
          )
        )
      }
      if cell.text != " " { last = cell }
    }
    return words
  }

  /// Whether a blank is between two words that are turned around together.
  private func isBlankInside(at index: Int) -> Bool {
    guard index > 0, index + 1 < cells.count else { return false }
    let (before, after) = (cells[index - 1], cells[index + 1])
    return before.isRightToLeft && after.isRightToLeft && before.role == after.role
  }

  var text: String { cells.map(\.text).joined() }
}

extension TerminalRow.Cell {
  /// Whether another cell right behind it belongs to the same word.
  fileprivate func continues(with next: Self) -> Bool {
    role == next.role
      && (isASCII && next.isASCII || text == next.text || isRightToLeft && next.isRightToLeft)
  }
}

extension Unicode.Scalar {
  /// Whether it is of a script that is written from right to left: Hebrew, Arabic and their neighbours.
  fileprivate var isRightToLeft: Bool {
    switch value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}
