import LibC
import Script
import Staging

/// Never returns, and uses no processor time.
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
      summary: "Misbehaves, to see what becomes of it.",
      details: [
        "'crash' ends the process the hard way, 'hang' never returns. A test runner must survive both, and a recording must be whole up to here."
      ],
      arguments: [.oneOf([.keyword("crash"), .keyword("hang")])],
      meanings: ["crash": "as if the program broke", "hang": "as if it never answered"],
      effects: [.changes, .typedOnly],
      examples: []
    )
  ) { _, arguments throws(Diagnostic) in
    if arguments.has("crash") { fatalError("simulated crash") }
    hang()
  }
}
