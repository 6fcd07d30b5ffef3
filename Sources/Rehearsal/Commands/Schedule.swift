import Exploring
import Script

extension ShellCommand {
  static let schedule = ShellCommand(
    definition: CommandDefinition(
      "schedule",
      topic: .time,
      summary:
        "Says which of several things that are due at one instant comes first, or decides it.",
      details: [
        "Whenever several things could come next at one instant, the first that became ready does, unless a schedule says otherwise: 'schedule 3:1' takes the second at the third such decision, counted from this command on, and the first at all others; '3-9:1' takes the second from the third to the ninth. The same schedule does the same again, so that an order in which something goes wrong can be kept.",
        "Decisions and choices are no promise beyond the transcript that they stand in: what is changed in it may change what they mean. One that chooses what is not there is an error, and what it says of decisions that have not come yet, 'schedule' tells. 'schedule plain' takes the first again.",
      ],
      arguments: [.optional(.oneOf([.keyword("plain"), .slot(choices)]))],
      meanings: ["plain": "what became ready first comes first"],
      effects: .choosesOrder,
      argumentEffects: .changes,
      examples: [
        """
        > loadable a
        > loadable b
        > load a 1 after 1s
             0.000s  a  absent → loading #1
        > load b 2 after 1s
             0.000s  b  absent → loading #1
        > schedule 1:1
        > wait 1s
             1.000s  b  loading #1 → loaded 2
             1.000s  a  loading #1 → loaded 1
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    if let schedule = arguments[choices] {
      try session.scheduling.follow(schedule, schedule.span)
    } else if arguments.has("plain") {
      try session.scheduling.follow(nil, 0..<session.execution.text.utf8.count)
    } else {
      session.output.print(session.scheduling.scheduleInWords)
    }
  }

  private static let choices = Slot<Located<Schedule>>("choices", "DECISION:CHOICE …") {
    parser throws(Diagnostic) in
    var choices: [Int] = []
    var span = parser.position..<parser.position
    repeat {
      let decision = try parser.integer(
        "a decision",
        in: 1...Schedule.mostDecisions,
        example: "3:1",
        before: UInt8(ascii: "-")
      )
      guard decision.value > choices.count else {
        throw Diagnostic(
          .expected("a decision behind \(choices.count)", found: "\(decision.value)"),
          at: decision.span,
          hint: "each decision stands once, in their order"
        )
      }
      var last = decision
      if parser.accept(byte: UInt8(ascii: "-")) {
        last = try parser.integer("a decision", in: 1...Schedule.mostDecisions, example: "3-9:1")
        guard last.value >= decision.value else {
          throw Diagnostic(
            .expected("a decision from \(decision.value) on", found: "\(last.value)"),
            at: last.span,
            hint: "as in 'schedule 3-9:1'"
          )
        }
      }
      guard parser.accept(byte: UInt8(ascii: ":")) else {
        throw parser.expected("':' and a choice", hint: "as in 'schedule 3:1'")
      }
      let choice = try parser.integer("a choice", in: 1...Schedule.mostChoices, example: "1")
      choices += Array(repeating: 0, count: decision.value - 1 - choices.count)
      choices += Array(repeating: choice.value, count: last.value - decision.value + 1)
      span = span.lowerBound..<choice.span.upperBound
    } while !parser.isAtEnd
    return Located(Schedule(choices), at: span)
  }
}
