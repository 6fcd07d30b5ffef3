import Script

extension ShellCommand {
  static let clock = ShellCommand(
    definition: CommandDefinition(
      "clock",
      topic: .time,
      summary: "Says whether time flows by itself, or lets it.",
      details: [
        "After 'clock live' time flows while the prompt stands, a second a second: what happens appears above the prompt, and the line below it shows the time and what is in flight. 'clock virtual' lets it stand still again, as it does from the beginning. While something is on its way over a socket, and while a command runs, it stands still too.",
        "What is written down are the commands, and the time that passed between them as 'wait': so a recording of a live session replays, and at once. In a script, a pipe or a transcript time never flows by itself.",
      ],
      arguments: [.optional(.oneOf([.keyword("live"), .keyword("virtual")]))],
      meanings: [
        "live": "time flows while the prompt stands", "virtual": "time moves when it is told to",
      ],
      effects: [.changes, .leftOut],
      examples: [
        """
        > clock
          virtual: time stands still until a command lets it pass
        > clock live
          time flows only at a prompt: here it stands still
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    if arguments.has("live") {
      guard session.clock.canFlow else {
        return session.output.print("time flows only at a prompt: here it stands still")
      }
      session.clock.pace = .live
    } else if arguments.has("virtual") {
      session.clock.pace = .virtual
    }
    switch session.clock.pace {
    case .live: session.output.print("live: time flows while the prompt stands")
    case .virtual: session.output.print("virtual: time stands still until a command lets it pass")
    }
  }
}
