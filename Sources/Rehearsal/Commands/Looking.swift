import Script
import Staging
import Timelines

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
      summary: "Prints again what happened, of all members or of some.",
      details: ["It prints the latest 100 lines, or as many as 'last' says."],
      arguments: [.many(.slot(Slot<Located<String>>.member))],
      clauses: [.sequence([.keyword("last"), .slot(last)])],
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
    for line in shown { session.emit(line) }
    let hidden = lines.count - shown.count
    if lines.isEmpty { session.emit("nothing has happened yet") }
    if hidden > 0 {
      session.emit("\(hidden) earlier line\(hidden == 1 ? "" : "s"); 'log last N' shows more")
    }
  }

  static let timeline = ShellCommand(
    definition: CommandDefinition(
      "timeline",
      topic: .looking,
      summary: "Draws what happened: a lane a member, a bar an attempt.",
      details: [
        "'as ascii' does without Unicode; 'to FILE' writes the picture into a file; 'width N' draws it for so many columns.",
        "'as marble' draws what inputs and pipes sent as marble diagrams, one below the other, that 'marble' reads again. Without 'tick D' a sign is 100ms, or as much as it takes to fit the width.",
      ],
      arguments: [.many(.slot(Slot<Located<String>>.member))],
      clauses: [
        .sequence([
          .keyword("as"),
          .oneOf([
            .keyword("text"), .keyword("ascii"),
            .sequence([
              .keyword("marble"), .optional(.sequence([.keyword("tick"), .slot(tick)])),
            ]),
          ]),
        ]),
        .sequence([.keyword("width"), .slot(columns)]),
        .sequence([.keyword("to"), .slot(Slot<Located<String>>.file)]),
      ],
      fitsWidth: true,
      examples: [
        """
        > loadable profile: String
        > load profile "old" after 3s stubborn
             0.000s  profile  absent → loading #1
        > in 1s load profile "new" after 1s
        > settle
             1.000s  profile  loading #1 → loading #2
             2.000s  profile  loading #2 → loaded "new"
             3.000s  profile  #1 answered "old"; too late, dropped
        > timeline width 60
                   0s       1s        2s        3s
                   ├────────┼─────────┼─────────┤
          profile  ┣#1━━━━━━┫┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈○        loaded "new"
                            ┣#2━━━━━━━✓ "new"
          ┫ replaced  ✓ answer  ○ too late, dropped
          ┈ no longer counts
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    // Output is indented by two columns.
    let width = arguments[columns]?.value ?? max(40, session.width - 2)
    session.recording.advance(to: session.stage.now.elapsed)
    let names = arguments.all(.member)
    let lines: [String]
    if arguments.has("marble") {
      lines = try session.marbleLines(of: names, tick: arguments[tick], width: width)
    } else {
      var lanes: [String] = []
      for name in names { lanes.append(try session.member(name).name) }
      let timeline = TextTimeline(
        width: width,
        style: arguments.has("ascii") ? .ascii : .unicode
      )
      lines = timeline.lines(of: session.recording, lanes: lanes.isEmpty ? nil : lanes)
    }
    guard let file = arguments[.file] else {
      for line in lines { session.emit(line) }
      return
    }
    let text = lines.map { $0 + "\n" }.joined()
    try session.write(Array(text.utf8), to: file)
    session.emit(
      "wrote \(lines.count) line\(lines.count == 1 ? "" : "s") to \(file.value.escapingControls)"
    )
  }

  private static let tick = Slot<Located<Duration>>.duration("tick")

  private static let columns = Slot<Located<Int>>.integer(
    "width",
    "a width in columns",
    in: 40...1000,
    example: "80"
  )
}
