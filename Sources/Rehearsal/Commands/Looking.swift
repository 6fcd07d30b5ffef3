import RehearsalBase
import Script

extension ShellCommand {
  private static let last = Slot<Located<Int>>.integer(
    "last",
    "a number of lines",
    in: 1...1000,
    example: "20"
  )

  static let log = ShellCommand(
    definition: CommandDefinition(
      "log",
      topic: .looking,
      summary: "Prints the events so far, of all members or of some.",
      details: ["It prints the latest 100 lines. 'last N' prints the latest N."],
      arguments: [.many(.slot(Slot<Located<String>>.member))],
      clauses: [.sequence([.keyword("last"), .slot(last)])],
      meanings: ["last": "only the latest lines"],
      effects: [.looks, .readsLog],
      examples: [
        """
        > loadable a
        > load a 1
             0.000s  a  absent → loading #1
             0.000s  a  loading #1 → loaded 1
        > log a last 1
             0.000s  a  loading #1 → loaded 1
          1 earlier line; 'log last N' shows more
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    var members: [any Member] = []
    for name in arguments.all(.member) { members.append(try session.member(name)) }
    let lines = session.logLines(of: members)
    let shown = lines.suffix(arguments[last]?.value ?? 100)
    for line in shown { session.output.print(line.text, kind: line.kind) }
    let hidden = lines.count - shown.count
    let gone = session.history.eventLines.goneCount
    if lines.isEmpty, gone == 0 { session.output.print("nothing has happened yet") }
    if hidden > 0 {
      session.output.print(
        "\(hidden) earlier line\(hidden == 1 ? "" : "s"); 'log last N' shows more"
      )
    }
    if gone > 0 {
      session.output.print(
        "the session's first \("line".counted(gone)) are no longer kept"
      )
    }
  }
}
