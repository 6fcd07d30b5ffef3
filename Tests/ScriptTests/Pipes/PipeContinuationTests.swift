import Testing

@testable import Script

/// Pipes of several lines, and their completion.
@Suite struct PipeContinuationTests {
  private static let pieces = [
    "a", "|", "|", "(", "(", ")", ")", " map ", "name", " load ", "\"x\"", "[1,", "2]", "{\"a\":",
    "1}", " values ", "1", ",", " merge ", " first ", " throttle ", "1s", " after ", "# no", " ",
  ]

  @Test(arguments: [
    ["users |", "throttle 1s"], ["users | flatMap (", "load 1 |", "retry 2", ")"],
    ["users"], ["users | merge (values 1,", "2 |", "", "# why", "first)"],
    ["users | map {", "\"a\": 1", "}"],
  ])
  func `a line continues after an open bracket or a bar`(lines: [String]) {
    var open = OpenCommand(table: PipeScript.table)
    let continues = lines.enumerated().map { open.add(($0 == 0 ? "pipe " : "") + $1) }
    #expect(continues == lines.indices.map { $0 < lines.count - 1 })
    #expect(PipeScript.mistake(in: String(open.text.dropFirst(5))) == nil)
  }

  @Test func `a pipe continues exactly if the parser needs more text`() {
    var generator = Generator(state: 4)
    var linesThatGoOn = 0
    for _ in 0..<4000 {
      var open = OpenCommand(table: PipeScript.table)
      var line =
        "pipe " + (["a |", "(a", "a | map (", "merge"].randomElement(using: &generator) ?? "")
      for _ in 0..<6 {
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
          line += Self.pieces.randomElement(using: &generator) ?? ""
        }
        let continues = open.add(line)
        #expect(
          continues == Script.isUnfinished(open.text, table: PipeScript.table),
          "\(open.text)"
        )
        if !continues { break }
        linesThatGoOn += 1
        line = ""
      }
    }
    #expect(linesThatGoOn > 1000)
  }

  @Test func `a pipe with the maximum number of lines is parsed in time`() {
    var open = OpenCommand(table: PipeScript.table)
    var line = "pipe (a"
    var count = 0
    while open.add(line) {
      line = count.isMultiple(of: 2) ? "#" : ""
      count += 1
    }
    #expect(open.text.utf8.count > Script.longestCommand)
  }

  @Test(arguments: [
    ("pipe ", ["just", "load", "("]), ("pipe a | ", ["map", "collect"]),
    ("pipe a | map ", ["load", "("]), ("pipe a | throttle 1s ", ["first", "latest", "|"]),
    ("pipe a | scan ", ["sum", "max"]), ("pipe a | filter name ", ["==", ">="]),
    ("pipe load 1 ", ["after", "as", "|"]), ("pipe a | flatMap max 2 ", ["load"]),
    ("pipe a | timeout 1s ", ["fail"]), ("pipe a | prefix ", ["while", "until"]),
    ("pipe a | drop ", ["while", "until"]), ("pipe a | first ", ["where", "|"]),
    ("pipe a | scan sum ", ["from", "|"]), ("pipe a | collect 1s ", ["max", "|"]),
    ("pipe a | buffer 1 ", ["keepFull", "dropNewest", "fail", "|"]),
    ("pipe a | receive ", ["on"]), ("pipe a | receive on ", ["main", "background"]),
    ("pipe a | handleEvents ", ["output", "cancel", "|"]), ("pipe a | append ", ["load", "("]),
    ("pipe a | tryMap ", ["fail"]), ("pipe a | tryMap x fail \"e\" ", ["if", "|"]),
  ])
  func `possible next words are offered`(text: String, words: [String]) {
    let expected = Script.expectations(at: text.utf8.count, in: text, table: PipeScript.table)
    let offered = expected.compactMap { expectation -> String? in
      switch expectation {
      case .keyword(let word), .described(let word, _): word
      default: nil
      }
    }
    #expect(words.allSatisfy(offered.contains), "\(offered)")
  }

  @Test func `the description of an operator is offered with it`() {
    let text = "pipe a | "
    let expected = Script.expectations(at: text.utf8.count, in: text, table: PipeScript.table)
    for stage in PipeWords.stages {
      #expect(expected.contains(.described(stage.word, stage.summary)))
    }
  }
}
