import Exploring
import Script

extension ShellCommand {
  static let schedule = ShellCommand(
    definition: CommandDefinition(
      "schedule",
      topic: .time,
      summary:
        "Shows or chooses the order of jobs that are ready at one instant.",
      details: [
        "A job is a piece of a task that runs without suspension. If several jobs are ready at one instant, one must come first: this is a decision. The default schedule takes the job that became ready first. 'schedule 3:1' numbers the decisions after this command, from 1. Decision 3 takes choice 1, the second job; all others take choice 0, the first. '3-9:1' takes choice 1 at the decisions 3 to 9. The same schedule gives the same run, so a transcript can repeat a failure that needs a certain order.",
        "A schedule is valid for its transcript only: a change of the transcript can change the meaning of the numbers. A choice that does not exist is an error. Without arguments, the command shows the schedule, and which of its choices are still to come. 'schedule default' returns to the default schedule.",
      ],
      problems: [
        "flaky, race: repeats the order of jobs that fails"
      ],
      arguments: [.optional(.oneOf([.keyword("default"), .slot(choices)]))],
      meanings: ["default": "the job that became ready first runs first"],
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
    } else if arguments.has("default") {
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
          .expected("a decision after \(choices.count)", found: "\(decision.value)"),
          at: decision.span,
          hint: "list each decision once, in order"
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
