import Script

/// One row of a terminal: cells with a role each.
struct TerminalRow {
  struct Cell {
    /// What it shows; a control character is spelt out.
    let text: String
    let columns: Int
    let role: SessionPicture.Role
    /// Whether other cells can follow it in one word: ASCII keeps its width in every font.
    let isASCII: Bool
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
      Cell(text: text, columns: text.widthInColumns, role: role, isASCII: character.isASCII)
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
  }

  /// Its words, from left to right. What is not ASCII may come from another font, and so stands in
  /// words of its own: only runs of one sign go on.
  var words: [Word] {
    var words: [Word] = []
    var column = 0
    var last: Cell?
    for cell in cells {
      defer { column += cell.columns }
      guard cell.text != " " else {
        last = nil
        continue
      }
      if let last, last.role == cell.role, last.isASCII && cell.isASCII || last.text == cell.text {
        words[words.count - 1].text += cell.text
        words[words.count - 1].columns += cell.columns
      } else {
        words.append(Word(text: cell.text, column: column, columns: cell.columns, role: cell.role))
      }
      last = cell
    }
    return words
  }

  var text: String { cells.map(\.text).joined() }
}
