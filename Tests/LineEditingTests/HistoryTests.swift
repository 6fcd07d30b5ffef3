import Testing

@testable import LineEditing

@Suite struct HistoryListTests {
  @Test func `a repeated entry moves to the end`() {
    var list = HistoryList(limit: 10, entries: ["a", "b", "c"])
    #expect(list.add("a") == .moved)
    #expect(list.entries == ["b", "c", "a"])
  }

  @Test func `the newest entry again, and an empty one, change nothing`() {
    var list = HistoryList(limit: 10, entries: ["a"])
    #expect(list.add("a") == .none)
    #expect(list.add("") == .none)
    #expect(list.entries == ["a"])
  }

  @Test func `the oldest entries are dropped at the limit`() {
    var list = HistoryList(limit: 2)
    for entry in ["a", "b", "c"] { #expect(list.add(entry) == .appended) }
    #expect(list.entries == ["b", "c"])
  }

  @Test func `entries given at the start follow the same rules`() {
    let list = HistoryList(limit: 2, entries: ["a", "b", "a", "", "c", "a"])
    #expect(list.entries == ["c", "a"])
  }
}

@Suite struct HistoryTextTests {
  @Test(arguments: ["plain", "two\nlines", "back\\slash", "\\n is not a break", "a\r\nb", "日本 🙂"])
  func `an entry is stored in one line and restored`(entry: String) {
    let line = HistoryText.line(for: entry)
    #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(HistoryText.entries(in: line) == [entry])
  }

  @Test func `damaged lines are left out and the others stay`() {
    var bytes = Array("one\n".utf8) + [0xFF, 0xFE, 0x0A] + Array("nul\0\n\n".utf8)
    bytes += [UInt8](repeating: 0x61, count: HistoryText.longestLine + 1) + [0x0A]
    bytes += Array("two\\".utf8)
    #expect(HistoryText.entries(in: bytes) == ["one", "two\\"])
  }
}

@Suite struct HistoryCursorTests {
  private let entries = ["create a", "load", "create (b", "create (b", "recreate"]

  @Test func `only entries that begin with the prefix are shown, each once in a row`() {
    var cursor = HistoryCursor(entries: entries, line: "create", prefix: "create")
    #expect(cursor.older() == "create (b")
    #expect(cursor.older() == "create a")
    #expect(cursor.older() == nil)
    #expect(cursor.shown == "create a")
  }

  @Test func `after the newest entry, the typed line is shown again`() {
    var cursor = HistoryCursor(entries: entries, line: "create x", prefix: "create ")
    #expect(cursor.newer() == nil)
    #expect(cursor.older() == "create (b")
    #expect(cursor.newer() == "create x")
    #expect(cursor.newer() == nil)
    #expect(cursor.older() == "create (b")
  }

  @Test func `without a prefix every entry is shown`() {
    var cursor = HistoryCursor(entries: ["a", "b"], line: "", prefix: "")
    #expect(
      [cursor.older(), cursor.older(), cursor.newer(), cursor.newer()] == ["b", "a", "b", ""]
    )
  }
}
