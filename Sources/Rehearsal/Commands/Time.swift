import RehearsalBase
import Script
import Staging
import Timelines

extension ShellCommand {
  private static let duration = Slot<Located<Duration>>.duration("duration")

  private static let waitedDuration = Slot<Located<Duration>>("duration", "D") {
    parser throws(Diagnostic) in
    let duration = try parser.duration()
    if parser.isNext("to") || parser.isNext("or") {
      throw Diagnostic(
        .unexpected(parser.text(parser.nextSpan)),
        at: parser.nextSpan,
        hint: "a wait has one duration; 'in 1s to 2s COMMAND' has a range"
      )
    }
    return duration
  }

  static let wait = ShellCommand(
    definition: CommandDefinition(
      "wait",
      topic: .time,
      summary: "Advances time by a duration, and runs everything due by then.",
      problems: [
        "sleep, advance, timer: advances virtual time"
      ],
      arguments: [.slot(waitedDuration)],
      effects: [.changes, .advancesTime],
      examples: [
        """
        > wait 1.5s
        > now
          1.500s
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let duration = arguments.required(waitedDuration)
    try session.clock.advance(by: duration.value, span: duration.span)
  }

  static let settle = ShellCommand(
    definition: CommandDefinition(
      "settle",
      topic: .time,
      summary: "Advances time until nothing is left to do.",
      details: [
        "Time stops at the last event. If a load or a task waits for something that never comes, the command names it. A note after the output says what each task of a scene waits for, and where; it is not part of the transcript. 'waiting' prints it again. Work on a 'DispatchQueue' or an 'OperationQueue', a 'Timer' and a run loop run in virtual time, too. A thread that code starts, and waiting for a file or a socket, are outside virtual time: the command does not wait for such work, and names the function that started it. 'within D' stops after at most D. Without it, a program that never settles is stopped after ten thousand advances of time."
      ],
      problems: [
        "main queue, DispatchQueue, OperationQueue, Timer: runs their work in virtual time",
        "deadlock, semaphore, blocked thread: names blocking calls that never end",
        "stuck spinner, endless loading: names everything that still waits",
      ],
      clauses: [.sequence([.keyword("within"), .slot(duration)])],
      meanings: ["within": "the maximum duration"],
      effects: [.changes, .advancesTime],
      examples: [
        """
        > loadable profile
        > load profile never
             0.000s  profile  absent → loading #1
        > settle
             0.000s  profile  #1 still waiting, with nothing left to run
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let duration = arguments[duration]
    try session.clock.settle(
      within: duration?.value,
      span: duration?.span ?? arguments.span(of: "within") ?? 0..<6
    )
  }

  static let step = ShellCommand(
    definition: CommandDefinition(
      "step",
      topic: .time,
      summary: "Advances time to the next instant at which something happens, or runs one job.",
      details: [
        "'step list' lists the jobs that could run next, with the function in which each continues. 'step 2' runs only the second one, and lists the next jobs. If nothing is ready now, these are the jobs of the next instant.",
        "After the first 'step list' or 'step 2', you choose the jobs by hand: jobs that a command starts no longer run by themselves, and each hop between executors is a job, as in 'explore'. 'undo' goes one job back. 'step', 'wait' and 'settle' still run all jobs that are due, in the default order. 'schedule default' returns to the default schedule.",
      ],
      problems: [
        "who next, which job, scheduler by hand, debugger, single step: lists the jobs that could run, and runs one"
      ],
      arguments: [.optional(.oneOf([.keyword("list"), .slot(job)]))],
      meanings: ["list": "lists the jobs that could run next"],
      effects: [.changes, .advancesTime],
      argumentEffects: .choosesJobs,
      examples: [
        """
        > loadable a = 0
        > load a yielding 1 after 1s, 2 after 1s
             0.000s  a  loaded 0 → loading #1
        > step
             1.000s  a  loading #1 → loaded 1, #1 continues
        > step
             2.000s  a  loaded 1 → loaded 2, #1 continues
             2.000s  a  #1 ended after 2 yields; stays loaded 2
        > step
          nothing left to do at 2.000s
        """,
        """
        > loadable a
        > loadable b
        > step list
          nothing left to do at 0.000s
        > load a 1
             0.000s  a  absent → loading #1
        > load b 2
             0.000s  b  absent → loading #1
        > step list
          2 jobs could run next, at 0.000s:
          1. a #1 runs on the main actor
          2. b #1 runs on the main actor
        > step 2
             0.000s  b  loading #1 → loaded 2
          1 job could run next, at 0.000s:
          1. a #1 runs on the main actor
        """,
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    if let job = arguments[job] {
      try session.clock.runJob(job)
      try session.inspectScenes()
      session.show(try session.clock.nextJobs(span: job.span))
    } else if let span = arguments.span(of: "list") {
      session.execution.onlyLooks = session.scheduling.isByHand
      session.show(try session.clock.chooseByHand(span: span))
    } else if try !session.clock.step(span: 0..<4) {
      session.output.print("nothing left to do at \(session.nowText)")
      session.clock.printStuckAttempts()
    }
  }

  private static let job = Slot<Located<Int>>.integer(
    "job",
    "a job of 'step list'",
    in: 1...1_000_000
  )

  static let `in` = ShellCommand(
    definition: CommandDefinition(
      "in",
      topic: .time,
      summary: "Runs a command after a duration.",
      details: [
        "The duration may be a range, 'in 1s to 2s': it is the shorter one, and 'explore' tries others.",
        "A command that is not due when the session ends is an error: end with 'settle' or 'wait D'.",
      ],
      arguments: [.slot(delay), .slot(Slot<ParsedCommand>.command(of: "in"))],
      meanings: ["to": "or at most this duration"],
      effects: [.changes, .schedules],
      examples: [
        """
        > loadable profile
        > load profile 1 after 2s
             0.000s  profile  absent → loading #1
        > in 500ms cancel profile
        > settle
             0.500s  profile  loading #1 → absent, #1 cancelled
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let delay = arguments.required(delay)
    try session.clock.requireTime(for: delay.value.upperBound, span: delay.span)
    session.schedule(
      arguments.required(.command(of: "in")),
      in: session.scheduling.choose(delay.value)
    )
  }

  private static let delay = Slot<Located<DurationRange>>.durationRange("delay")

  static let at = ShellCommand(
    definition: CommandDefinition(
      "at",
      topic: .time,
      summary: "Runs a command at an instant of the session.",
      details: [
        "The instant is counted from the beginning of the session and may not be in the past."
      ],
      arguments: [.slot(instant), .slot(Slot<ParsedCommand>.command(of: "at"))],
      effects: [.changes, .schedules],
      examples: [
        """
        > loadable profile
        > at 1s load profile 1
        > at 2s reset profile
        > settle
             1.000s  profile  absent → loading #1
             1.000s  profile  loading #1 → loaded 1
             2.000s  profile  loaded 1 → absent
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let instant = arguments.required(instant)
    try session.schedule(
      arguments.required(.command(of: "at")),
      within: Located(DurationRange(instant.value), at: instant.span)
    )
  }

  private static let instant = Slot<Located<Duration>>("instant", "T") {
    parser throws(Diagnostic) in try parser.duration()
  }

  static let between = ShellCommand(
    definition: CommandDefinition(
      "between",
      topic: .time,
      summary: "Runs a command between two instants of the session.",
      details: [
        "It runs at the first instant; 'explore' tries others. Both are counted from the beginning of the session and may not be in the past."
      ],
      arguments: [.slot(instants), .slot(Slot<ParsedCommand>.command(of: "between"))],
      meanings: ["and": "the latest instant"],
      effects: [.changes, .schedules],
      examples: [
        """
        > loadable profile
        > load profile 1 after 2s
             0.000s  profile  absent → loading #1
        > between 1s and 3s cancel profile
        > settle
             1.000s  profile  loading #1 → absent, #1 cancelled
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    try session.schedule(
      arguments.required(.command(of: "between")),
      within: arguments.required(instants)
    )
  }

  private static let instants = Slot<Located<DurationRange>>("instants", "T and T") {
    parser throws(Diagnostic) in
    let first = try parser.duration()
    guard parser.accept("and") != nil else {
      throw parser.expected("'and'", hint: "as in 'between 1s and 2s cancel NAME'")
    }
    return try parser.range(from: first, to: try parser.duration())
  }

  static let now = ShellCommand(
    definition: CommandDefinition(
      "now",
      topic: .time,
      summary: "Prints the virtual time of the session.",
      effects: .looks,
      examples: [
        """
        > now
          0.000s
        """
      ]
    )
  ) { session, _ throws(Diagnostic) in
    session.output.print(session.nowText)
  }
}

@MainActor extension Session {
  /// Schedules a command at one of these instants of the session.
  func schedule(
    _ command: ParsedCommand,
    within instants: Located<DurationRange>
  ) throws(Diagnostic) {
    let now = stage.now.elapsed
    let range = instants.value
    guard range.lowerBound >= now else {
      throw Diagnostic(
        .inThePast(range.lowerBound.compact, now: nowText),
        at: instants.span,
        hint: "'in D' counts from now"
      )
    }
    try clock.requireTime(for: range.upperBound - now, span: instants.span)
    schedule(command, in: scheduling.choose(range, from: .zero - now) - now)
  }

  /// Schedules a command after a duration.
  func schedule(_ command: ParsedCommand, in delay: Duration) {
    let record = history.cause
    let open = scheduling.leaveOpen(command)
    let number = clock.scheduled.add(execution, at: stage.now.elapsed + delay)
    let name = "'\(command.text.printable(atMost: 120))'"
    stage.schedule(at: stage.now.advanced(by: delay), name: name) { [weak self] in
      self?.scheduling.ask(open)
      self?.performScheduled(number, command, causedBy: record)
    }
  }
}
