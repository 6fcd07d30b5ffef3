import Exploring
import Harness
import RehearsalBase
import Script

/// Checks and commands that a session has accepted and not yet performed.
extension Session {
  /// A scheduled command that has not been performed.
  struct ScheduledCommand {
    let number: Int
    /// Number of earlier scheduled commands with the same text.
    var repetition = 0
    /// The scheduling command, beginning with its time.
    let text: String
    let due: Duration
    /// The command of the script or transcript.
    let given: String
    /// The sourced file and line of that command; empty if it is in no sourced file.
    let place: String
    /// Whether it belongs to an interrupt that came too late for its attempt.
    var isOfInterrupt = false
  }

  /// The state of a session when it was explored. While nothing else happens, the search has performed and checked
  /// everything that is still pending.
  struct Explored {
    /// Number of scheduled commands and of run assertions.
    let scheduled: Int
    let judges: Int
    let footprint: SessionFootprint
    /// Whether something was still pending.
    let hadPending: Bool
  }

  /// Remembers a command that the current command schedules.
  ///
  /// - Returns: the number of the scheduled command.
  func noteScheduled(at due: Duration) -> Int {
    scheduledCount += 1
    let repetition = scheduledRepetitions[execution.commandText, default: 0]
    scheduledRepetitions[execution.commandText] = repetition + 1
    scheduled.append(
      ScheduledCommand(
        number: scheduledCount,
        repetition: repetition,
        text: execution.commandText,
        due: due,
        given: execution.given,
        place: execution.sourceSuffix
      )
    )
    return scheduledCount
  }

  /// Remembers the command of an interrupt if it is an assertion. Other commands may be left out if the attempt ends
  /// before.
  ///
  /// - Returns: the number of the remembered command.
  func noteInterrupt(_ command: ParsedCommand, at due: Duration) -> Int {
    scheduledCount += 1
    if CommandText.isAssertion(command.text) {
      scheduled.append(
        ScheduledCommand(
          number: scheduledCount,
          text: command.text,
          due: due,
          given: execution.given,
          place: execution.sourceSuffix,
          isOfInterrupt: true
        )
      )
    }
    return scheduledCount
  }

  /// Performs a scheduled command.
  func performScheduled(_ number: Int, _ command: ParsedCommand, causedBy record: Int?) {
    let outer = (execution.given, execution.repetition)
    defer { (execution.given, execution.repetition) = outer }
    if let index = scheduled.firstIndex(where: { $0.number == number }) {
      let command = scheduled.remove(at: index)
      (execution.given, execution.repetition) = (command.given, command.repetition)
    }
    performLater(command, causedBy: record)
  }

  /// Checks and commands that would not be performed if the session ended now: commands in the order of their times,
  /// then run assertions and decisions of a schedule. If the session was explored at its end, the search has done the
  /// rest.
  var unperformed: [Unperformed] {
    let explored = explored.flatMap { $0.footprint == footprint ? $0 : nil }
    let coming = members.flatMap(\.commandsOfInterrupts)
    let comingNumbers = Set(coming.map(\.number))
    let waiting = scheduled.filter { !comingNumbers.contains($0.number) } + coming
    let left = waiting.filter {
      $0.number > explored?.scheduled ?? 0 || $0.isOfInterrupt && explored?.hadPending == false
    }
    let commands = left.sorted { ($0.due, $0.number) < ($1.due, $1.number) }.map(unperformed)
    return commands + judges.all.compactMap { unperformed($0, explored) }
      + [unfollowed].compactMap(\.self)
  }

  /// The scheduled command with the earliest time, without those of interrupts, because each may schedule the next.
  var nextScheduled: Unperformed? {
    scheduled.filter { !$0.isOfInterrupt }.min { ($0.due, $0.number) < ($1.due, $1.number) }
      .map(unperformed)
  }

  private func unperformed(_ command: ScheduledCommand) -> Unperformed {
    Unperformed(
      command: command.given,
      text: command.text.printable(atMost: 200),
      reason: command.isOfInterrupt ? .notInterrupted : .notDue,
      details: options.text(command.due) + command.place
    )
  }

  private func unperformed(_ judge: Judge, _ explored: Explored?) -> Unperformed? {
    guard judge.verdict == .open else { return nil }
    let wasExplored = explored.map { judge.number <= $0.judges } ?? false
    let reason: Unperformed.Reason
    switch judge.rule {
    case .eventually:
      if wasExplored { return nil }
      reason = .neverSo
    case .always, .never:
      // A search waits for everything that is still pending.
      if wasExplored, explored?.hadPending == true { return nil }
      guard judge.footprint == footprint else { return nil }
      reason = .nothingHappened
    }
    return Unperformed(
      command: judge.given,
      text: judge.text.printable(atMost: 200),
      reason: reason,
      details: judge.place
    )
  }

  /// The decisions of the schedule that never came.
  private var unfollowed: Unperformed? {
    guard let following, !following.rest.isPlain else { return nil }
    return Unperformed(
      command: following.given,
      text: "schedule \(following.schedule)",
      reason: .undecided,
      details: "\(following.rest)\(following.place)"
    )
  }
}
