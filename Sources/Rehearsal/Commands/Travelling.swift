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
      summary: "Undoes the last command that changed something.",
      details: [
        "The remaining commands run again in a new session. 'undo N' undoes N commands; commands that only show, such as 'list', are not counted and are undone with the command before them. 'redo' restores them.",
        "'save' and 'record' leave out undone commands and 'undo' itself. 'serve' and requests over a socket cannot be repeated: an undo of a later command must include them ('undo N'). Files are not read or written again.",
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
      summary: "Restores the commands that were undone last.",
      details: [
        "'redo N' restores the last N: each is a command that 'undo' removed, or all commands that one 'rewind' removed. A new command that changes something clears the undone commands."
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
      summary: "Goes back in time by a duration.",
      details: [
        "Commands after that instant are undone; commands at that instant remain. A command that advanced time past it is undone, too, but time advances up to it. A sourced script is undone as a whole: you cannot go back into the middle of it."
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
  /// The reason why an explored run cannot undo: the session that replaces it would have no
  /// scheduling strategy.
  nonisolated static let goesBackInSearch = Problem.cannotTravel(
    "an explored session cannot undo, redo or rewind commands"
  )

  fileprivate func request(_ request: UndoRequest, _ span: Range<Int>) throws(Diagnostic) {
    if scheduling.isInSearch {
      throw Diagnostic(
        Self.goesBackInSearch,
        at: span,
        hint: "remove this command and those that it undoes"
      )
    }
    try history.request(request, span: span)
  }

  /// Throws an error in a sourced script: undo concerns the whole session.
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
