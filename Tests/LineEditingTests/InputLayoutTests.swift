import Testing

@testable import LineEditing

@Suite struct InputLayoutTests {
  typealias Position = InputLayout.Position

  @Test func `a short line ends after its prompt`() {
    #expect(end(of: "abc", columns: 10) == Position(row: 0, column: 5))
  }

  @Test func `a line that fills a row ends on the next`() {
    #expect(end(of: "12345678", columns: 10) == Position(row: 1, column: 0))
    #expect(end(of: "123456789", columns: 10) == Position(row: 1, column: 1))
  }

  @Test func `a wide character that does not fit moves to the next row whole`() {
    #expect(end(of: "1234567日", columns: 10) == Position(row: 1, column: 2))
    #expect(end(of: "123456日", columns: 10) == Position(row: 1, column: 0))
  }

  @Test func `a caret before a wide character that moved is where the character is`() {
    #expect(caret(at: 7, in: "1234567日", columns: 10) == Position(row: 1, column: 0))
    #expect(caret(at: 7, in: "12345678", columns: 10) == Position(row: 0, column: 9))
  }

  @Test func `a combining mark takes no column`() {
    #expect(end(of: "e\u{301}", columns: 10) == Position(row: 0, column: 3))
  }

  @Test func `a line break begins a row`() {
    #expect(end(of: "ab\nc", columns: 10) == Position(row: 1, column: 1))
  }

  @Test func `a tab advances to the next stop, even across the edge`() {
    #expect(end(of: "\t", columns: 20) == Position(row: 0, column: 8))
    #expect(end(of: "\t", columns: 5) == Position(row: 1, column: 0))
  }

  @Test func `control characters take two columns, undisplayable ones seven or eight`() {
    #expect(end(of: "\u{1}", columns: 20) == Position(row: 0, column: 4))
    #expect(end(of: "\u{E000}", columns: 20) == Position(row: 0, column: 9))
    #expect(end(of: "\u{F0000}", columns: 20) == Position(row: 0, column: 10))
  }

  @Test func `a caret at the end is at the end`() {
    #expect(caret(at: 3, in: "abc", columns: 4) == Position(row: 1, column: 1))
  }

  private func end(of line: String, columns: Int) -> Position {
    measure(line, caret: 0, columns: columns).end
  }

  private func caret(at caret: Int, in line: String, columns: Int) -> Position {
    measure(line, caret: caret, columns: columns).caret
  }

  private func measure(
    _ line: String,
    caret: Int,
    columns: Int
  ) -> (caret: Position, end: Position) {
    InputLayout.measure(
      prompt: "> ",
      line: Array(line.unicodeScalars),
      caret: caret,
      columns: columns,
      width: testWidth
    )
  }
}

/// Widths of characters for tests, independent of the locale.
func testWidth(_ scalar: Unicode.Scalar) -> Int {
  switch scalar.value {
  case 0..<0x20, 0x7F, 0xE000...0xF8FF, 0xF0000...: -1
  case 0x300...0x36F: 0
  case 0x2E80...0x9FFF: 2
  default: 1
  }
}
