import Script

extension ShellCommand {
  private static let count = Slot<Located<Int>>.integer(
    "count",
    "a number of commands",
    in: 1...1_000_000,
    example: "2"
  )
  private static let duration = Slot<Located<Duration>>.duration("duration")

  static let undo = ShellCommand(
    definition: CommandDefinition(
      "undo",
      topic: .session,
      summary: "Takes back the last command that did something.",
      details: [
        "A session is its commands: those that stand are performed again, on a fresh stage. What only looked, as 'list' does, is not counted, and goes with the command before it. 'undo N' takes back N commands; 'redo' brings them back.",
        "'save' and 'record' write what stands: neither what was undone nor 'undo' itself. What reached beyond the session, by 'serve' or over a socket, is never done twice, so nothing after it can be undone unless it is undone too. Files are not read or written again.",
      ],
      arguments: [.optional(.slot(count))],
      effects: [.readsLog, .undoes, .leftOut],
      examples: [
        """
        > loadable profile
        > load profile 1 after 2s
             0.000s  profile  absent → loading #1
        > cancel profile
             0.000s  profile  loading #1 → absent, #1 cancelled
        > undo
          undone: cancel profile
        > settle
             2.000s  profile  loading #1 → loaded 1
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    try session.requireNoFile("undo")
    let count = arguments[count]
    let span = count?.span ?? 0..<4
    try session.request(session.history.undoing(count?.value ?? 1, span: span), span)
  }

  static let redo = ShellCommand(
    definition: CommandDefinition(
      "redo",
      topic: .session,
      summary: "Performs again what was undone last.",
      details: [
        "'redo N' brings back as much as N times 'undo' or 'rewind' took away. Another command that does something forgets what was undone."
      ],
      arguments: [.optional(.slot(count))],
      effects: [.readsLog, .undoes, .leftOut],
      examples: [
        """
        > loadable profile
        > wait 1s
        > undo 2
          undone: wait 1s
          undone: loadable profile
          it is 0.000s again
        > redo
          redone: loadable profile
        > list
          profile  absent
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    try session.requireNoFile("redo")
    let count = arguments[count]
    let span = count?.span ?? 0..<4
    try session.request(session.history.redoing(count?.value ?? 1, span: span), span)
  }

  static let rewind = ShellCommand(
    definition: CommandDefinition(
      "rewind",
      topic: .session,
      summary: "Goes back in time.",
      details: [
        "All that was commanded later is undone, and what was commanded at that very moment stands. A command that let time pass across it has let pass the time up to it. A script that was sourced is undone as a whole: there is no going back into its midst."
      ],
      arguments: [.slot(duration)],
      effects: [.readsLog, .undoes, .leftOut],
      examples: [
        """
        > loadable profile
        > load profile 1 after 2s
             0.000s  profile  absent → loading #1
        > settle
             2.000s  profile  loading #1 → loaded 1
        > rewind 500ms
          back at 1.500s, 1 command undone; 'redo' brings it back
        > list
          profile  loading #1
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    try session.requireNoFile("rewind")
    let duration = arguments.required(duration)
    try session.request(session.history.rewinding(duration), duration.span)
  }
}

@MainActor extension Session {
  /// The reason why an explored run cannot undo: nobody would decide in the session that replaces it.
  nonisolated static let goesBackInSearch = Problem.cannotTravel(
    "an explored session cannot undo, redo or rewind commands"
  )

  fileprivate func request(_ request: UndoRequest, _ span: Range<Int>) throws(Diagnostic) {
    if scheduling.isInSearch {
      throw Diagnostic(
        Self.goesBackInSearch,
        at: span,
        hint: "leave out this command and those that it takes back"
      )
    }
    try history.request(request, span: span)
  }

  /// Refuses a command that concerns the whole session, in a script that is a part of it.
  fileprivate func requireNoFile(_ verb: String) throws(Diagnostic) {
    guard execution.sources.isEmpty else {
      throw Diagnostic(
        .notForFiles(verb),
        at: 0..<verb.utf8.count,
        hint: "a script that is sourced is undone as a whole"
      )
    }
  }
}
