import Rehearsal
import Script

/// The command parser and its users at the prompt: completion, colours, hints.
struct CommandTarget: FuzzTarget {
  let name = "command"

  var words: [String] {
    ShellCommands.table.verbs + ShellCommands.table.definitions.flatMap(\.clauseWords).sorted()
      + [
        "\"", "{", "}", "[", "]", "(", ")", "#", ",", ":", "=", "|", "\n", "1s", "{{", "…", "é",
        "👩‍👩‍👧",
      ]
  }

  func pieces(of golden: [UInt8]) -> [[UInt8]] { commands(of: golden) }

  func compose(_ random: inout Randomness) -> [UInt8]? {
    Array(CommandGrammar(table: ShellCommands.table).command(&random).utf8)
  }

  func check(_ bytes: [UInt8]) throws(Finding) {
    let text = String(decoding: bytes, as: UTF8.self)
    let first = Outcome(text)
    try require(first == Outcome(text), "read twice, two results")
    let count = text.utf8.count
    if let span = first.span {
      try require(
        span.lowerBound >= 0 && span.upperBound <= max(count, 1),
        "the mistake is at \(span), the text has \(count) bytes"
      )
    }
    try require(
      first.isUnfinished == Script.isUnfinished(text, table: ShellCommands.table),
      "the prompt and the parser do not agree whether the command continues"
    )
    try checkPrompt(text)
    for place in [0, count / 2, count] {
      _ = Script.expectations(at: place, in: text, table: ShellCommands.table)
    }
  }

  /// Checks that a command that is entered line by line stays open until its last line.
  private func checkPrompt(_ text: String) throws(Finding) {
    var open = CommandText.open
    var soFar = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      soFar += soFar.isEmpty && open.text.isEmpty ? String(line) : "\n" + line
      let continues = open.add(String(line))
      let expected = Script.isUnfinished(open.text, table: ShellCommands.table)
      try require(
        continues == expected,
        "line by line it is open: \(continues), as a whole: \(expected)"
      )
      if !continues { return }
    }
  }

  /// The result of parsing a text.
  private struct Outcome: Equatable {
    var isUnfinished = false
    var span: Range<Int>?
    var words = ""

    init(_ text: String) {
      do throws(Diagnostic) {
        switch try Script.read(text, table: ShellCommands.table) {
        case .nothing: words = "nothing"
        case .unfinished(let diagnostic):
          isUnfinished = true
          take(diagnostic)
        case .command(let command): words = "\(command.index) \(command.text)"
        }
      } catch {
        take(error)
      }
    }

    private mutating func take(_ diagnostic: Diagnostic) {
      span = diagnostic.span
      words = diagnostic.problem.sentence + (diagnostic.hint ?? "")
    }
  }
}
