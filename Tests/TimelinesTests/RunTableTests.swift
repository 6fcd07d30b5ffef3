import RehearsalBase
import Testing

@testable import Timelines

/// The steps of a run as a table: a column for each task, time downwards.
@Suite struct RunTableTests {
  private static let failing = RunTable(
    title: "This run",
    [
      (.zero, "'new'", "search() at Search.swift:9"),
      (.zero, "'new'", "→ shows new"),
      (.zero, "'old'", "search() at Search.swift:9"),
      (.seconds(1), "'old'", "→ shows <old>"),
    ]
  )
  private static let passing = RunTable(
    title: "A run that passes",
    [
      (.zero, "'old'", "search() at Search.swift:9"),
      (.zero, "'new'", "search() at Search.swift:9"),
      (.zero, "'new'", "→ shows new"),
    ]
  )
  private static let tables = RunTables(failing: failing, passing: passing)

  @Test func `a row is in the column of its task, and differences are marked`() {
    #expect(
      Self.tables.lines(width: 80) == [
        "This run",
        "            'new'                         'old'",
        "  0.000s    search() at Search.swift:9",
        "  0.000s    → shows new",
        "  0.000s                                * search() at Search.swift:9",
        "  1.000s                                * → shows <old>",
        "",
        "A run that passes",
        "            'old'                         'new'",
        "  0.000s  * search() at Search.swift:9",
        "  0.000s                                  search() at Search.swift:9",
        "  0.000s                                  → shows new",
        "",
        "* only in this run, or at another position in the other run",
      ]
    )
  }

  @Test func `the name of a task in the schedule is no difference`() {
    let events: [RunTable.Event] = [(.zero, "task 1", "runs"), (.zero, "task 2", "runs")]
    let tables = RunTables(
      failing: RunTable(title: "This run", events, labels: ["task 1": "task 1 (t1)"]),
      passing: RunTable(title: "A run that passes", events)
    )
    let lines = tables.lines(width: 80)
    #expect(lines[1] == "            task 1 (t1)    task 2")
    #expect(!lines.contains { $0.contains("*") })
  }

  @Test func `the place at the end of a long text is kept`() {
    let text = "StaleResponse.Hasty.searchByAuthor() at StaleResponse.swift:24"
    let tables = RunTables(
      failing: RunTable(title: "Long", (1...9).map { (.zero, "task \($0)", text) }),
      passing: nil
    )
    #expect(
      tables.lines(width: 60)[1]
        == "  0.000s    task 1  StaleResponse… at StaleResponse.swift:24"
    )
    #expect(tables.svg.contains("… at StaleResponse.swift:24<"))
  }

  @Test func `a long text is wrapped in its column`() {
    let table = RunTable(
      title: "Long",
      [(.zero, "'a'", "→ feed loading #1 → absent, #1\ncancelled"), (.zero, "'b'", "runs")]
    )
    let lines = RunTables(failing: table, passing: nil).lines(width: 44)
    #expect(
      lines == [
        "Long",
        "            'a'                       'b'",
        "  0.000s    → feed loading #1 →",
        "            absent, #1\\ncancelled",
        "  0.000s                              runs",
      ]
    )
  }

  @Test func `wide tables are beside each other`() {
    let lines = Self.tables.lines(width: 160)
    #expect(lines[0].hasPrefix("This run ") && lines[0].hasSuffix("A run that passes"))
    #expect(lines.allSatisfy { $0.widthInColumns <= 160 })
  }

  @Test func `each row names its task if the columns do not fit`() {
    let table = RunTable(title: "Many", (1...9).map { (.zero, "task \($0)", "runs") })
    let lines = RunTables(failing: table, passing: nil).lines(width: 60)
    #expect(lines.count == 10)
    #expect(lines[3] == "  0.000s    task 3  runs")
  }

  @Test func `a long run says how many steps are left out`() {
    let events = (1...(RunTable.mostRows + 2)).map { _ in
      (time: Duration.zero, task: "task 1", text: "runs")
    }
    let tables = RunTables(failing: RunTable(title: "Long", events), passing: nil)
    for text in [tables.lines(width: 80).joined(), tables.svg, tables.html] {
      #expect(text.contains("2 more jobs are left out"))
    }
  }

  @Test func `the picture of a table is kept`() throws {
    try expectPicture("table.svg", Self.tables.svg)
  }

  @Test func `SVG and HTML have both tables, and escape their texts`() {
    for text in [Self.tables.svg, Self.tables.html] {
      for part in ["This run", "A run that passes", "shows &lt;old&gt;", "at another position"] {
        #expect(text.contains(part))
      }
      #expect(!text.contains("<old>"))
    }
    #expect(!Self.tables.svg.contains("<script"))
    #expect(Self.tables.html.split(separator: "<script").count == 2)
    #expect(Self.tables.html.split(separator: "<tr class=\"differs\">").count == 4)
  }
}
