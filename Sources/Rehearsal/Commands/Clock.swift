import Script

extension ShellCommand {
  static let clock = ShellCommand(
    definition: CommandDefinition(
      "clock",
      topic: .time,
      summary: "Shows or sets whether time passes at the prompt by itself.",
      details: [
        "After 'clock live', virtual time passes at the prompt as fast as real time. Events appear above the prompt; a status line shows the time and the attempts in flight. Time stands still while a command runs, and while a request over a socket is in flight. 'clock virtual', the default, stops time: only commands advance it.",
        "A recording has the commands, and a 'wait' for the time that passed between them, so a replay needs no real time. In scripts, pipes and transcripts time never passes by itself.",
      ],
      arguments: [.optional(.oneOf([.keyword("live"), .keyword("virtual")]))],
      meanings: [
        "live": "time passes at the prompt", "virtual": "only commands advance time",
      ],
      effects: [.changes, .leftOut],
      examples: [
        """
        > clock
          virtual: only commands advance time
        > clock live
          time passes by itself only at a prompt; here only commands advance it
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    if arguments.has("live") {
      guard session.clock.canFlow else {
        return session.output.print(
          "time passes by itself only at a prompt; here only commands advance it"
        )
      }
      guard !session.scheduling.isByHand else {
        throw Diagnostic(
          .misfit("jobs are chosen by hand"),
          at: arguments.span(of: "live") ?? 0..<5,
          hint: "'schedule default' ends that"
        )
      }
      session.clock.pace = .live
    } else if arguments.has("virtual") {
      session.clock.pace = .virtual
    }
    switch session.clock.pace {
    case .live: session.output.print("live: time passes at the prompt")
    case .virtual: session.output.print("virtual: only commands advance time")
    }
  }
}
