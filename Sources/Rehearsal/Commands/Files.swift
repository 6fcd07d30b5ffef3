import RehearsalBase
import Script
import Timelines

extension ShellCommand {
  static let source = ShellCommand(
    definition: CommandDefinition(
      "source",
      topic: .session,
      summary: "Runs the commands in a file.",
      details: [
        "The file is a script with one command a line, or a transcript; expected output in it is skipped. The command stops at the first error. Commands after 'quit' are errors, and so are malformed lines of a transcript. A path is relative to the file that names it."
      ],
      arguments: [.slot(Slot<Located<String>>.file)],
      effects: [.changes, .readsFile, .performsFile, .fitsWidth],
      examples: [
        """
        > source setup.rehearse
        > list
          profile: String  absent
        -- setup.rehearse --
        # What every scenario here needs.
        loadable profile: String
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    try session.source(arguments.required(.file))
  }

  static let save = ShellCommand(
    definition: CommandDefinition(
      "save",
      topic: .session,
      summary: "Saves the session so far as a transcript: commands and their output.",
      details: [
        "'\(ProgramName.current) test FILE' replays it. Commands with mistakes, and commands that only show ('help', 'list', 'show', 'timeline' and others), are left out; 'all' saves them too. 'save' and 'record' are always left out. It replaces no file but a transcript, and only if there is something to save. Missing folders are created."
      ],
      arguments: [.slot(Slot<Located<String>>.file)],
      clauses: [.keyword("all")],
      meanings: ["all": "saves mistakes and commands that only look, too"],
      effects: [.readsLog, .readsFile, .writesFile, .leftOut],
      examples: [
        """
        > loadable profile
        > save today.transcript
          saved 1 command to today.transcript
        > forget profile
        > source today.transcript
        > list
          profile  absent
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let file = arguments.required(.file)
    try session.requireWhole(toWrite: file)
    let saved = session.history.textForSaving(isWhole: arguments.has("all"))
    if let (reason, hint) = session.refusalToSave(saved.commands, of: saved.all, to: file) {
      let problem = Problem.cannotWrite(file.value.printable(atMost: 80), reason: reason)
      throw Diagnostic(problem, at: file.span, hint: hint)
    }
    try session.write(Array(saved.text.utf8), to: file)
    let path = file.value.escapingControls
    let argument = CommandText.file(file.value)
    let commands = "command\(saved.all == 1 ? "" : "s")"
    session.output.print(
      saved.commands == saved.all
        ? "saved \(saved.all) \(commands) to \(path)"
        : "saved \(saved.commands) of \(saved.all) \(commands) to \(path); 'save \(argument) all' saves all"
    )
    if !saved.options.isEmpty {
      let options = saved.options.map { "'\($0)'" }.joined(separator: ", ")
      session.output.print(.note("it has options of this session, too: \(options)"))
    }
    if TimelineFormat.isPicture(file.value) {
      session.output.print("\(path) is a transcript; 'timeline to \(argument)' draws a picture")
    }
    session.notePending()
    session.noteReadings(in: file)
  }

  static let record = ShellCommand(
    definition: CommandDefinition(
      "record",
      topic: .session,
      summary: "Writes the session to a file, line by line as it continues.",
      details: [
        "The file begins with the session so far. Each line is written before the next prompt, so a crash loses nothing. FILE must be new or empty; missing folders are created. 'record stop' ends the recording. A recording without any line leaves no file."
      ],
      arguments: [.oneOf([.keyword("stop"), .slot(Slot<Located<String>>.file)])],
      meanings: ["stop": "ends the recording"],
      effects: [.readsLog, .writesFile, .leftOut],
      examples: [
        """
        > record today.transcript
          recording to today.transcript
        > now
          0.000s
        > record stop
          recorded to today.transcript
        > record stop
          nothing is being recorded
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    guard let file = arguments[.file] else {
      guard let (path, isThere) = session.history.stopRecording() else {
        return session.output.print("nothing is being recorded")
      }
      let words = isThere ? "recorded to" : "nothing was recorded; there is no"
      return session.output.print("\(words) \(path.escapingControls)")
    }
    try session.startRecording(file)
    session.output.print("recording to \(file.value.escapingControls)")
    session.noteReadings(in: file)
  }
}

@MainActor extension Session {
  /// Writes a file, and creates the missing folders of its path.
  func write(_ bytes: [UInt8], to file: Located<String>) throws(Diagnostic) {
    try refuseMissingHome(of: file)
    do throws(FileProblem) {
      try files.write(path(of: file), bytes)
    } catch {
      throw Self.cannotWrite(file, error)
    }
  }

  /// Prints a note if a saved command is not due yet. A replay of the file fails then.
  fileprivate func notePending() {
    let pending = unperformed.filter { $0.reason == .notDue }
    guard let first = pending.first else { return }
    let others = pending.count == 1 ? "" : " and \("other command".counted(pending.count - 1))"
    let were = pending.count == 1 ? "was" : "were"
    output.print(
      .note(
        "'\(first.text)'\(others) \(were) not performed yet, so a replay of the file fails; let time pass with 'settle' or 'wait D', then save again"
      )
    )
  }

  fileprivate func noteReadings(in file: Located<String>) {
    let readings = history.log.entries.flatMap(\.readings)
    history.noteReadings(readings, in: file.value, at: folder(of: path(of: file)))
  }

  /// Throws an error if the beginning of the session is no longer kept: the transcript would not
  /// replay.
  /// Returns why the commands must not be saved to a file, and what to do; nil if they may.
  fileprivate func refusalToSave(
    _ count: Int,
    of all: Int,
    to file: Located<String>
  ) -> (reason: String, hint: String)? {
    if file.value.hasSuffix(".swift") {
      return (
        "a session is saved as a transcript",
        "choose a name such as 'session.transcript'; '\(ProgramName.current) test' replays it"
      )
    }
    switch files.presentContent(path(of: file)) {
    case .other:
      return (
        "it is not a transcript",
        "'save' replaces only transcripts; choose another name, or delete the file"
      )
    case .transcript where count == 0:
      return (
        "no command would be saved, and the file exists",
        all == 0
          ? "choose another name"
          : "'save \(CommandText.file(file.value)) all' also saves commands with mistakes"
      )
    case .transcript, nil: return nil
    }
  }

  fileprivate func requireWhole(toWrite file: Located<String>) throws(Diagnostic) {
    guard let reason = history.log.missing else { return }
    throw Diagnostic(
      .cannotWrite(file.value.printable(atMost: 80), reason: reason),
      at: file.span,
      hint: SessionHistory.hintForLongSessions
    )
  }

  func startRecording(_ file: Located<String>) throws(Diagnostic) {
    try requireWhole(toWrite: file)
    try refuseMissingHome(of: file)
    do throws(FileProblem) {
      let appender = try files.append(to: path(of: file))
      let folder = folder(of: path(of: file))
      try history.startRecording(.init(path: file.value, folder: folder, file: appender))
    } catch {
      throw Self.cannotWrite(file, error)
    }
  }

  /// Throws an error instead of creating a folder '~'.
  private func refuseMissingHome(of file: Located<String>) throws(Diagnostic) {
    guard file.value.hasPrefix("~/"), files.entries(in: "~/").isEmpty else { return }
    throw Self.cannotWrite(file, .missing)
  }

  /// Returns the reason why a new file cannot be written.
  private static func cannotWrite(_ file: Located<String>, _ problem: FileProblem) -> Diagnostic {
    let reason = problem == .missing ? "there is no such folder" : problem.sentence
    return Diagnostic(
      .cannotWrite(file.value.printable(atMost: 80), reason: reason),
      at: file.span,
      hint: hintForHome(file.value)
    )
  }

  /// Returns a hint for a path with `~`, which is not expanded here as other shells do.
  private static func hintForHome(_ path: String) -> String? {
    path.hasPrefix("~") ? "'~' is not expanded here; write the whole path" : nil
  }

  /// Maximum depth of scripts that source each other.
  static let deepestSource = 16

  func source(_ file: Located<String>) throws(Diagnostic) {
    let path = path(of: file)
    let identity = files.identity(of: path)
    let shown = path.printable(atMost: 80)
    guard !execution.sources.contains(where: { $0.identity == identity }) else {
      throw Diagnostic(.sourcesItself(shown), at: file.span)
    }
    guard execution.sources.count < Self.deepestSource else {
      throw Diagnostic(.nestedTooDeep(limit: Self.deepestSource), at: file.span)
    }
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try files.read(path)
    } catch {
      throw Diagnostic(
        .cannotRead(shown, reason: error.sentence),
        at: file.span,
        hint: hintForFile(path) ?? Self.hintForHome(path)
      )
    }
    execution.sources.append(.init(path: path, identity: identity, line: 0))
    defer { execution.sources.removeLast() }
    let script = ScriptFile(bytes, path: path)
    if let stray = script.stray {
      throw Diagnostic(
        .cannotRead("\(shown):\(stray.line)", reason: stray.sentence),
        at: file.span,
        hint: stray.hint
      )
    }
    guard script.holdsCommands else {
      throw Diagnostic(
        .cannotRead(shown, reason: "there is no command in it"),
        at: file.span,
        hint: ScriptFile.hintWithoutCommands
      )
    }
    if let note = script.note { output.print(.note(note)) }
    try run(script, file.span)
  }

  /// Suggests an existing file with a similar name.
  private func hintForFile(_ path: String) -> String? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let name = String(path.dropFirst(folder.count))
    let entries = files.entries(in: folder)
    guard !entries.contains(name), let meant = Suggestion.nearest(to: name, in: entries) else {
      return nil
    }
    return "did you mean '\((folder + meant).printable(atMost: 80))'?"
  }

  /// Performs the commands of a script, up to the first error.
  private func run(_ script: ScriptFile, _ span: Range<Int>) throws(Diagnostic) {
    let end = environment.progress.whileCounting(to: script.commands.count) { () -> Int? in
      for (index, command) in script.commands.enumerated() {
        environment.progress.count()
        execution.sources[execution.sources.count - 1].line = command.line
        execution.hasFailed = false
        runSourced(command.text)
        if execution.hasFailed || execution.isOver { return index }
      }
      return nil
    }
    guard let end, let words = script.unperformed(after: end) else { return }
    if execution.hasFailed {
      let path = execution.sources.last?.path ?? ""
      execution.leftOut.append("\(path.printable(atMost: 200)) ended at an error: \(words)")
      return
    }
    throw Diagnostic(
      .endedBefore(words),
      at: span,
      hint: "remove the lines after the command that ends the session"
    )
  }

  /// Performs a command of a script. Notes it in the history, except for `source`.
  private func runSourced(_ text: String) {
    let place = execution.sourcedEntries.count
    var entry = SessionLog.Entry(
      text,
      .command,
      effects: effects(of: text),
      at: stage.now.elapsed,
      options.snapshot
    )
    run(text)
    guard execution.sourcedEntries.count == place, isPartOfTheSession(text) else { return }
    entry.ended = stage.now.elapsed
    entry.effect = .changed
    entry.isUnseen = true
    execution.sourcedEntries.append(entry)
  }
}
