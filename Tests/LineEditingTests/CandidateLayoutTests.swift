import Testing

@testable import LineEditing

@Suite struct CandidateLayoutTests {
  @Test func `candidates with descriptions are listed one per line`() {
    let lines = lines(for: [("load", "begin a load"), ("list", ""), ("cancel", "stop a load")])
    #expect(lines == ["  load    begin a load", "  list", "  cancel  stop a load"])
  }

  @Test func `plain candidates are ordered down the columns`() {
    let names = ["a", "b", "c", "d", "e"].map { ($0, "") }
    #expect(lines(for: names, columns: 9) == ["  a  d", "  b  e", "  c"])
  }

  @Test func `wide characters count twice`() {
    let lines = lines(for: [("日本", "wide"), ("abcd", "narrow")])
    #expect(lines == ["  日本  wide", "  abcd  narrow"])
  }

  @Test func `candidates that do not fit are counted`() {
    let names = (1...9).map { ("n\($0)", "number \($0)") }
    #expect(lines(for: names, rows: 3) == ["  n1  number 1", "  n2  number 2", "  … and 7 more"])
    let plain = (1...9).map { ("n\($0)", "") }
    #expect(lines(for: plain, columns: 6, rows: 3) == ["  n1", "  n2", "  … …"])
  }

  @Test func `a line never reaches the last column`() {
    let long = String(repeating: "日", count: 60)
    for columns in 8...40 {
      for line in lines(for: [(long, long), ("b", long)], columns: columns) {
        #expect(line.unicodeScalars.reduce(0) { $0 + testWidth($1) } < columns)
      }
    }
  }

  @Test func `control characters in a candidate cannot reach the terminal`() {
    #expect(lines(for: [("a\u{1B}[2Jb", "c\nd")]) == ["  a [2Jb  c d"])
  }

  private func lines(
    for candidates: [(String, String)],
    columns: Int = 40,
    rows: Int = 10
  ) -> [String] {
    CandidateLayout(columns: columns, rows: rows, width: testWidth).lines(
      for: candidates.map { LineEditor.Candidate(text: $0.0, description: $0.1) }
    )
  }
}
