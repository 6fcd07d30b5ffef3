import Script
import Staging
import Timelines

extension ShellCommand {
  private static let duration = Slot<Located<Duration>>.duration("duration")

  static let wait = ShellCommand(
    definition: CommandDefinition(
      "wait",
      topic: .time,
      summary: "Lets time pass, and what is due in it happen.",
      arguments: [.slot(duration)],
      canBeScheduled: false,
      examples: [
        """
        > wait 1.5s
        > now
          1.500s
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let duration = arguments.required(duration)
    try session.advance(by: duration.value, span: duration.span)
  }

  static let settle = ShellCommand(
    definition: CommandDefinition(
      "settle",
      topic: .time,
      summary: "Lets time pass until nothing is left to do.",
      details: [
        "Time stops where the last thing happened. What still waits, with nothing that could end its waiting, is named; so is code that waits in real time, for 'DispatchQueue.asyncAfter', a 'Timer' or another thread, which this does not wait for. 'within D' stops after D at the latest; without it, a program that never settles is stopped after ten thousand instants."
      ],
      clauses: [.sequence([.keyword("within"), .slot(duration)])],
      canBeScheduled: false,
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
    try session.settle(
      within: duration?.value,
      span: duration?.span ?? arguments.span(of: "within") ?? 0..<6
    )
  }

  static let step = ShellCommand(
    definition: CommandDefinition(
      "step",
      topic: .time,
      summary: "Goes to the next instant at which something happens.",
      arguments: [.optional(.slot(count))],
      canBeScheduled: false,
      examples: [
        """
        > loadable a = 0
        > load a yielding 1 after 1s, 2 after 1s
             0.000s  a  loaded 0 → loading #1
        > step
             1.000s  a  loading #1 → loaded 1, #1 goes on
        > step
             2.000s  a  loaded 1 → loaded 2, #1 goes on
             2.000s  a  #1 ended after 2 yields; stays loaded 2
        > step
          nothing left to do at 2.000s
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    for _ in 0..<(arguments[count]?.value ?? 1) {
      guard try session.step(span: 0..<4) else {
        session.emit("nothing left to do at \(session.nowInWords)")
        return session.sayWhatIsLeft()
      }
    }
  }

  private static let count = Slot<Located<Int>>.integer(
    "count",
    "a number of steps",
    in: 1...1_000_000
  )

  static let `in` = ShellCommand(
    definition: CommandDefinition(
      "in",
      topic: .time,
      summary: "Performs a command after some time.",
      arguments: [.slot(duration), .slot(Slot<ParsedCommand>.command(of: "in"))],
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
    let delay = arguments.required(duration)
    try session.schedule(
      arguments.required(.command(of: "in")),
      at: session.stage.now.elapsed + delay.value,
      span: delay.span
    )
  }

  static let at = ShellCommand(
    definition: CommandDefinition(
      "at",
      topic: .time,
      summary: "Performs a command at an instant of the session.",
      details: ["The instant counts from the beginning of the session and may not be over."],
      arguments: [.slot(instant), .slot(Slot<ParsedCommand>.command(of: "at"))],
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
      at: instant.value,
      span: instant.span
    )
  }

  private static let instant = Slot<Located<Duration>>("instant", "T") {
    parser throws(Diagnostic) in try parser.duration()
  }

  static let now = ShellCommand(
    definition: CommandDefinition(
      "now",
      topic: .time,
      summary: "Says what time it is in the session.",
      examples: [
        """
        > now
          0.000s
        """
      ]
    )
  ) { session, _ throws(Diagnostic) in
    session.emit(session.nowInWords)
  }
}

@MainActor extension Session {
  func schedule(
    _ command: ParsedCommand,
    at time: Duration,
    span: Range<Int>
  ) throws(Diagnostic) {
    let now = stage.now
    guard time >= now.elapsed else {
      throw Diagnostic(
        .inThePast(time.compact, now: nowInWords),
        at: span,
        hint: "'in D' counts from now"
      )
    }
    try requireTime(for: time - now.elapsed, span: span)
    let passage = cause
    stage.schedule(at: now.advanced(by: time - now.elapsed)) { [weak self] in
      self?.performLater(command, causedBy: passage)
    }
  }
}
