import Harness
import RehearsalBase

/// Decides which scripts a search refuses after the default schedule, and says why.
extension ExploredScript {
  /// The reason why a script cannot be explored: a command that does the work of the search, or an
  /// error of the script.
  package struct Refusal: Error, Codable {
    package let command: String
    package let lines: [String]

    package init(command: String, lines: [String]) {
      self.command = command
      self.lines = lines
    }
  }
}

extension ExploredScript.Refusal {
  /// Returns the refusal for a script that chooses an order.
  static func choosesOrder(_ command: String) -> Self {
    .init(
      command: command,
      lines: ["error: the search chooses the order of jobs", "hint: remove this command"]
    )
  }

  /// Returns the refusal if commands cannot be generated, because an earlier command fails.
  static func failsBeforeGeneration(_ commands: [String]) -> Self {
    .init(
      command: commands.last ?? "",
      lines: [
        "error: no command can be generated, because the session ends before",
        "hint: remove the command that ends it",
      ]
    )
  }

  /// Returns the reason why a file cannot be explored after its run in the default schedule; nil if
  /// it can.
  static func reason(_ run: ScriptRun, _ file: Playable) -> Self? {
    for record in run.records {
      guard let failure = record.failures.first(where: { $0.obstacle != nil }) else { continue }
      return .init(command: record.command, lines: failure.lines)
    }
    if let (command, count) = run.unreached {
      let commandsAfter = "command".counted(count)
      let lines = [
        "error: the session ends here, so \(commandsAfter) after it cannot be reached",
        "hint: remove the lines after the command that ends the session",
      ]
      return .init(command: command, lines: lines)
    }
    // Generated commands follow, which the assertion checks.
    if run.grammar == nil, let idle = run.idleAssertion {
      return .init(
        command: idle.command,
        lines: ["error: \(idle.sentence)", "hint: \(idle.hint)"]
      )
    }
    return file.swallowed(unread: run.unreadFixtures).map { part in
      .init(
        command: "-- \(part.name) --",
        lines: ["error: line \(part.line): \(part.sentence)", "hint: \(part.hint)"]
      )
    }
  }
}
