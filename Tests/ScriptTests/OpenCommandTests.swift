import Testing

@testable import Script

/// Commands that are entered line by line.
@Suite struct OpenCommandTests {
  private static let pieces = [
    "[", "[", "]", "{", "{", "}", "\"", "\"a\"", "\"b\"", "\"a", "\\", "\\\"", "\\u0041", "\\u00",
    "\\ud83d", ":", ":", ",", ",", "1", "-", "01", "true", "tru", "é", " ", "\t", "#", "# ",
    "after 1s",
    "\u{1}", "\"a\": 1", "[1, 2]", "{}",
  ]

  @Test func `a command continues exactly if the parser needs more text`() {
    var generator = Generator(state: 1)
    var linesThatGoOn = 0
    for _ in 0..<20_000 {
      var open = OpenCommand(table: Self.table)
      var line =
        ["greet [", "greet {", "greet \"", "greet [1], {\"a\":", "greet "]
        .randomElement(using: &generator) ?? ""
      for _ in 0..<6 {
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          line += Self.pieces.randomElement(using: &generator) ?? ""
        }
        let continues = open.add(line)
        #expect(continues == Script.isUnfinished(open.text, table: Self.table), "\(open.text)")
        if !continues { break }
        linesThatGoOn += 1
        line = ""
      }
    }
    #expect(linesThatGoOn > 10_000)
  }

  @Test func `a printed value continues to its last bracket, wherever its lines are broken`() {
    let text =
      "greet [{\"a\": [1, -2.5e3, \"x ] \\\" }\"], \"b\\u0041\": {}}, [[], null]], {\"é\": 1}"
    let places = text.indices.dropFirst(7).filter { ",:[]{} ".contains(text[$0]) }
    for place in places where text[..<place] != "greet" {
      for other in places where other >= place {
        let lines = [text[..<place], text[place..<other], text[other...]].map(String.init)
        var open = OpenCommand(table: Self.table)
        for line in lines {
          let continues = open.add(line)
          #expect(continues == Script.isUnfinished(open.text, table: Self.table), "\(open.text)")
          if !continues { break }
        }
      }
    }
  }

  @Test func `a command with the maximum number of lines is parsed once`() {
    var open = OpenCommand(table: Self.table)
    var count = 0
    var line = "greet ["
    while open.add(line) {
      line = "1,"
      count += 1
    }
    // The maximum length ends the loop. Parsing from the beginning for each line would take
    // minutes.
    #expect(open.text.utf8.count > Script.longestCommand)
    #expect(count > 80_000)
  }

  private static let table = CommandTable([
    CommandDefinition(
      "greet",
      topic: .session,
      summary: "Greets.",
      arguments: [
        .list(.slot(Slot("value", "VALUE") { parser throws(Diagnostic) in try parser.value() }))
      ],
      clauses: [
        .sequence([
          .keyword("after"),
          .slot(Slot("delay", "D") { parser throws(Diagnostic) in try parser.duration() }),
        ])
      ],
      examples: []
    )
  ])
}
