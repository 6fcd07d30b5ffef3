import LibC
import Script
import Staging

/// Waits for signals forever, without using processor time.
private func hang() -> Never {
  while true { pause() }
}

extension ShellCommand {
  static let quit = ShellCommand(
    definition: CommandDefinition(
      "quit",
      topic: .session,
      summary: "Ends the session.",
      effects: [.changes, .endsSession],
      examples: [
        """
        > quit
        """
      ]
    )
  ) { session, _ throws(Diagnostic) in
    session.execution.isOver = true
  }

  static let simulate = ShellCommand(
    definition: CommandDefinition(
      "simulate",
      topic: .session,
      summary: "Simulates a crash or a hang of the program.",
      details: [
        "'crash' ends the process at once. 'hang' never returns. Use them to test a test runner, which must survive both, and a recording, which must be complete up to this command."
      ],
      arguments: [.oneOf([.keyword("crash"), .keyword("hang")])],
      meanings: ["crash": "ends the process at once", "hang": "never returns"],
      effects: [.changes, .typedOnly],
      examples: []
    )
  ) { _, arguments throws(Diagnostic) in
    if arguments.has("crash") { fatalError("simulated crash") }
    hang()
  }
}
