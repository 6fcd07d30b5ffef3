import Harness
import Script

/// What a session was told to check or to do, and has not come to.
extension Session {
  /// A command that was scheduled, until it is performed.
  struct ScheduledCommand {
    let number: Int
    /// The command that scheduled it, with its time in front.
    let text: String
    let due: Duration
    /// The command that was given.
    let given: String
    /// The sourced file and line that have it.
    let place: String
  }

  /// The sourced file and line that are being performed, in brackets; empty for none.
  var sourcedPlace: String {
    sourcing.last.map { " (\($0.path.printable(atMost: 80)):\($0.line))" } ?? ""
  }

  /// Remembers that the command which is carried out has scheduled one.
  ///
  /// - Returns: the number by which that one is known.
  func noteScheduled(at due: Duration) -> Int {
    scheduledCount += 1
    scheduled.append(
      ScheduledCommand(
        number: scheduledCount,
        text: commandText,
        due: due,
        given: given,
        place: sourcedPlace
      )
    )
    return scheduledCount
  }

  /// Performs a command that was scheduled.
  func performScheduled(_ number: Int, _ command: ParsedCommand, causedBy passage: Int?) {
    let outer = given
    defer { given = outer }
    if let index = scheduled.firstIndex(where: { $0.number == number }) {
      given = scheduled.remove(at: index).given
    }
    performLater(command, causedBy: passage)
  }

  /// What was to be checked or done and was not, if the session ends now: commands in the order in which they are due, then
  /// run assertions. What was given before the session was explored is left out.
  var unperformed: [Unperformed] {
    let waiting = scheduled + members.flatMap(\.commandsOfInterrupts)
    let left = waiting.filter { $0.number > explored.scheduled }
    let commands = left.sorted { ($0.due, $0.number) < ($1.due, $1.number) }.map { command in
      Unperformed(
        command: command.given,
        text: command.text.printable(atMost: 200),
        reason: .notDue,
        details: inWords(command.due) + command.place
      )
    }
    return commands + judges.all.compactMap(unperformed)
  }

  private func unperformed(_ judge: Judge) -> Unperformed? {
    guard judge.verdict == .open, judge.number > explored.judges else { return nil }
    let reason: Unperformed.Reason
    switch judge.rule {
    case .eventually: reason = .neverSo
    case .always, .never:
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
}
