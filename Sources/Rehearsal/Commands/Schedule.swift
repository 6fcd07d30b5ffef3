import Exploring
import RehearsalBase
import Script

extension ShellCommand {
  static let schedule = ShellCommand(
    definition: CommandDefinition(
      "schedule",
      topic: .time,
      summary:
        "Shows or chooses the order of jobs that are ready at one instant.",
      details: [
        "A job is a piece of a task that runs without suspension. A scheduling point is a moment at which more than one job could run next, or at which a value is open: a range ('1s to 2s') or alternatives ('1 or never'). The default schedule runs the job that became ready first. A schedule lists other choices, one entry each. '3:1' means: at scheduling point 3, take choice 1. Scheduling points are numbered from 1, beginning at this command. Choices count from 0, so choice 1 is the second job. '3-9:1' takes choice 1 at each scheduling point from 3 to 9. The same schedule gives the same run, so a transcript can repeat a failure that needs a certain order.",
        "'t1@4:t2' names tasks and their jobs: before job 4 of task t1, task t2 runs until it waits. Jobs of a task count from 1. With 't1@4:t2@7', t2 runs up to the end of its job 7. With 't1@4:others', job 4 of t1 runs when nothing else can run at this instant. Tasks and timers are numbered from this command on: t1 is the first that is created outside of any task, and t1.2 the second task that t1 creates. 'v2:500' takes choice 500 for the second open value: in a range of delays, its shortest delay plus 500 ms. Entries with t or v keep their meaning if other tasks change, so 'explore' often prints them.",
        "A schedule is valid for its transcript only: a change of the transcript can change the meaning of the numbers. A choice, a task or a job that does not exist is an error. Without arguments, the command shows the schedule, and the entries that the session has not reached. 'schedule default' returns to the default schedule.",
      ],
      problems: [
        "flaky, race, replay a failure, reproduce a bug: repeats the order of jobs that fails"
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

  private static let choices = Slot<Located<Schedule>>("choices", "POINT:CHOICE …") {
    parser throws(Diagnostic) in
    var choices: [Int] = []
    var named: [Schedule.Word] = []
    var span = parser.position..<parser.position
    repeat {
      let end: Int
      if let word = try word(of: &parser, after: named) {
        named.append(word.value)
        end = word.span.upperBound
      } else {
        end = try readDecisions(of: &parser, into: &choices)
      }
      span = span.lowerBound..<end
    } while !parser.isAtEnd
    return Located(Schedule(words: Schedule(choices).words + named), at: span)
  }

  /// Reads an entry that names tasks or a value; nil if another entry comes next.
  private static func word(
    of parser: inout Parser,
    after others: [Schedule.Word]
  ) throws(Diagnostic) -> Located<Schedule.Word>? {
    parser.expect(.sample("a job and a task", example: "t1@4:t2"))
    guard let first = parser.bytes[parser.position...].first,
      first == UInt8(ascii: "t") || first == UInt8(ascii: "v")
    else { return nil }
    let rest = parser.bytes[parser.position...]
    let range = parser.position..<(rest.firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex)
    let text = parser.text(range)
    guard let word = Schedule.Word(text) else {
      let isValue = first == UInt8(ascii: "v")
      throw Diagnostic(
        .expected(
          isValue ? "a value and a choice" : "a job and a task",
          found: text.printable(atMost: 80)
        ),
        at: range,
        hint: isValue
          ? "as in 'schedule v2:500': the second value is choice 500"
          : "as in 'schedule t1@4:t2': before job 4 of task t1, task t2 runs until it waits"
      )
    }
    if let other = others.first(where: word.excludes) {
      throw Diagnostic(
        .expected("another entry", found: text),
        at: range,
        hint: other == word ? "list each entry once" : "'\(other)' already says what comes first"
      )
    }
    parser.take(to: range.upperBound)
    return Located(word, at: range)
  }

  /// Reads a scheduling point, or several in a row, and their choice.
  ///
  /// - Parameters:
  ///   - parser: reads the command.
  ///   - choices: the choices so far; these are added.
  /// - Returns: the end of the text.
  /// - Throws: a diagnostic if the text is not a scheduling point that follows the others.
  private static func readDecisions(
    of parser: inout Parser,
    into choices: inout [Int]
  ) throws(Diagnostic) -> Int {
    let decision = try parser.integer(
      "a scheduling point",
      in: 1...Schedule.mostDecisions,
      example: "3:1",
      before: UInt8(ascii: "-")
    )
    guard decision.value > choices.count else {
      throw Diagnostic(
        .expected("a scheduling point after \(choices.count)", found: "\(decision.value)"),
        at: decision.span,
        hint: "list each scheduling point once, in order"
      )
    }
    var last = decision
    if parser.accept(byte: UInt8(ascii: "-")) {
      last = try parser.integer(
        "a scheduling point",
        in: 1...Schedule.mostDecisions,
        example: "3-9:1"
      )
      guard last.value >= decision.value else {
        throw Diagnostic(
          .expected("a scheduling point from \(decision.value) on", found: "\(last.value)"),
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
    return choice.span.upperBound
  }
}
