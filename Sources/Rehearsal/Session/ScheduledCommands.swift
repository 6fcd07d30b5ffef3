import Script

/// The commands that a session has accepted and not yet performed, in the order of scheduling.
@MainActor struct ScheduledCommands {
  private(set) var all: [ScheduledCommand] = []
  /// Number of commands ever scheduled.
  private(set) var count = 0
  /// Number of scheduled commands for each text.
  private var repetitions: [String: Int] = [:]

  /// Adds the current command, which is performed later.
  ///
  /// - Returns: its number.
  mutating func add(_ execution: CommandExecution, at due: Duration) -> Int {
    let repetition = repetitions[execution.commandText, default: 0]
    repetitions[execution.commandText] = repetition + 1
    count += 1
    all.append(
      ScheduledCommand(
        number: count,
        repetition: repetition,
        text: execution.commandText,
        due: due,
        given: execution.given,
        place: execution.sourceSuffix
      )
    )
    return count
  }

  /// Adds the command of an interrupt if it leads to an assertion. Other commands may be left out if the
  /// attempt ends before.
  ///
  /// - Returns: the number of the command.
  mutating func addInterrupt(
    _ command: ParsedCommand,
    _ execution: CommandExecution,
    at due: Duration
  ) -> Int {
    count += 1
    if CommandText.leadsToAssertion(command.text) {
      all.append(
        ScheduledCommand(
          number: count,
          text: command.text,
          due: due,
          given: execution.given,
          place: execution.sourceSuffix,
          isOfInterrupt: true
        )
      )
    }
    return count
  }

  /// Removes a command, to perform it.
  mutating func take(_ number: Int) -> ScheduledCommand? {
    all.firstIndex { $0.number == number }.map { all.remove(at: $0) }
  }

  /// The command with the earliest time, without those of interrupts, because each may schedule the
  /// next.
  var next: ScheduledCommand? {
    all.filter { !$0.isOfInterrupt }.min { ($0.due, $0.number) < ($1.due, $1.number) }
  }
}

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
