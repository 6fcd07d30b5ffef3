import LineEditing
import Rehearsal
import RehearsalBase
import Staging

/// The shell: reads commands until the input or the session ends.
struct Shell {
  private let files = DiskFiles(program: ThisProgram.path)
  private let host: SessionHost
  private let guarded: GuardedHost
  private let recordingPath: String?
  private let notes = RequestNotes()
  private let output: ShellOutput
  private let live: LivePrompt

  /// Creates a shell that records its session if a path is given.
  init(
    recordingTo path: String?,
    _ networkOptions: NetworkOptions,
    _ options: OptionSources,
    json: Bool
  ) {
    recordingPath = path
    output = ShellOutput(json: json)
    let network = networkOptions.network(
      isTyped: StandardStreams.isTerminal(0),
      notes: notes
    )
    host = SessionHost(files: files, network: network, output: output)
    host.take(options)
    output.complain(options.complaints)
    output.follow(host.settings)
    guarded = GuardedHost(host, on: output.screen, isInteractive: Self.isConversation)
    live = LivePrompt(guarded)
  }

  func run() -> ProgramExit {
    defer { host.end() }
    if let recordingPath {
      let command = "record " + CommandText.quoted(recordingPath)
      if output.isJSON { output.echo(command, of: host) }
      host.perform(command)
      if !host.hasFailed, host.stage.enter({ [files] in files.seePaths(from: recordingPath) }) {
        output.print(.note("paths are relative to its folder, as in a replay"))
      }
      output.end(host)
      if host.hasFailed { return .usage }
    }
    guard StandardStreams.isTerminal(0), !output.isJSON else { return performPipe() }
    let program = ThisProgram.current
    StandardStreams.write(
      "\(program.name) \(program.version). 'help' lists the commands, Ctrl-D leaves.\n"
    )
    if Self.isConversation, let editor = makeEditor() { return converse(with: editor) }
    return performLines(from: LineReader(descriptor: 0), echo: false)
  }

  // MARK: Interactive sessions

  private static var isConversation: Bool { LineEditor.isAvailable }

  private static func prompt(for lines: TypedLines) -> String {
    lines.unfinished.isEmpty ? "> " : ". "
  }

  private func makeEditor() -> LineEditor? {
    LineEditor(programName: ThisProgram.current.name, historyFile: HistoryPlace.path)
  }

  private func converse(with editor: LineEditor) -> ProgramExit {
    defer { editor.close() }
    notes.show(above: editor.messages)
    live.stand(at: editor, output.screen)
    var lines = TypedLines(isTyped: true)
    editor.passesOver = { lines.isBesideCommands($0) }
    defer { editor.passesOver = { _ in false } }
    while true {
      editor.isColoured = OutputPainter(host.settings.colour).isOn
      host.dress(editor, after: lines.unfinished)
      live.isHeld = !lines.unfinished.isEmpty
      switch editor.readLine(prompt: Self.prompt(for: lines)) {
      case .line(let line):
        guard let command = lines.command(endingIn: line) else { continue }
        if !perform(command, at: editor) { return leave() }
      case .interrupted:
        lines.drop()
      case .end:
        guard let command = lines.commandAtEnd() else { return leave() }
        if !perform(command, at: editor) { return leave() }
      case .failed(let code):
        StandardStreams.write(
          "error: cannot read the terminal: \(FileProblem(errno: code).sentence)\n",
          to: .error
        )
        return .harness
      }
    }
  }

  private func perform(_ command: String, at editor: LineEditor) -> Bool {
    if !CommandText.isBlank(command) { editor.addHistory(command) }
    host.adopt(width: StandardStreams.columns)
    let isPaged = mayBePaged(command)
    if isPaged { output.hold() }
    let place = host.place
    let continues = editor.whileRunning(onInterrupt: place.interrupt) {
      live.end()
      return guarded.perform(command)
    }
    // Ctrl-C goes to the pager.
    if isPaged { editor.whileRunning(onInterrupt: {}, output.release) }
    live.begin()
    output.end(host)
    return continues
  }

  /// Ends an interactive session, and prints the notes and a note about each check or command that was not
  /// performed.
  private func leave() -> ProgramExit {
    let notes = host.notes + host.unperformed.map(\.sentence)
    for note in notes { StandardStreams.write("note: \(note)\n") }
    return .success
  }

  /// Returns whether a pager shows the output of a command if it is long.
  private func mayBePaged(_ command: String) -> Bool {
    host.settings.pager == .auto && host.onlyLooks(command) && Pager.isPossible
  }

  // MARK: Pipes, and terminals without line editing

  private func performPipe() -> ProgramExit {
    performLines(from: LineReader(descriptor: 0), echo: true)
  }

  /// Performs each line. It continues after a mistake.
  private func performLines(from reader: LineReader, echo: Bool) -> ProgramExit {
    var reader = reader
    var lines = TypedLines(isTyped: !echo)
    var hasFailed = false
    // At a terminal, no commands are fine. A recording without commands writes no file.
    var hasCommands = !echo || recordingPath != nil
    while true {
      if !echo { StandardStreams.write(Self.prompt(for: lines)) }
      switch reader.next() {
      case .line(let line):
        if lines.isIndentedPrompt(line) {
          hasFailed = true
          output.complain(
            "line \(reader.lineNumber): " + IndentedPrompt.sentence,
            hint: IndentedPrompt.hint,
            line: reader.lineNumber
          )
        }
        guard let text = lines.command(endingIn: line) else { continue }
        hasCommands = hasCommands || !CommandText.isBlank(text)
        let continues = perform(text, echo: echo, hasFailed: &hasFailed)
        if !continues {
          if echo, complain(ofLinesLeftIn: &reader) { hasFailed = true }
          return end(hasFailed)
        }
      case .tooLong(let byteCount):
        hasFailed = true
        output.complain(
          "line \(reader.lineNumber) has \(byteCount) bytes; it is skipped",
          hint: "the maximum is \(reader.byteLimit) bytes",
          line: reader.lineNumber
        )
      case .notUTF8(let offset):
        hasFailed = true
        output.complain(
          "line \(reader.lineNumber) is not UTF-8 at byte \(offset + 1); it is skipped",
          hint: "save the text as UTF-8",
          line: reader.lineNumber
        )
      case .end:
        if let command = lines.commandAtEnd() {
          hasCommands = hasCommands || !CommandText.isBlank(command)
          _ = perform(command, echo: echo, hasFailed: &hasFailed)
        }
        guard hasCommands || hasFailed else {
          output.complain(
            "there is no command in standard input",
            hint: ScriptFile.hintWithoutCommands
          )
          return .usage
        }
        return end(hasFailed)
      case .failed(let code):
        let problem = FileProblem(errno: code).sentence
        output.complain("cannot read the input: \(problem)", hint: nil, line: reader.lineNumber)
        return .harness
      }
    }
  }

  /// Returns the exit code after the session. Checks and commands that were not performed are an error, unless an error
  /// stopped the session.
  private func end(_ hasFailed: Bool) -> ProgramExit {
    output.complain(ofUnperformedIn: host) || hasFailed ? .differences : .success
  }

  /// Prints an error if lines are available that the ended session did not perform.
  ///
  /// - Returns: whether there are such lines.
  private func complain(ofLinesLeftIn reader: inout LineReader) -> Bool {
    let first = reader.lineNumber + 1
    let count = reader.linesAtHand().count { !CommandText.isBlank($0) }
    guard count > 0 else { return false }
    let words = count == 1 ? "1 later line was" : "\(count) later lines were"
    output.complain(
      "the session ended, and \(words) not performed",
      hint: "remove the lines after the command that ends the session",
      line: first
    )
    return true
  }

  private func perform(_ text: String, echo: Bool, hasFailed: inout Bool) -> Bool {
    // A comment is not a command, but the session keeps it.
    if CommandText.isBlank(text) { return guarded.perform(text) }
    if echo { output.echo(text, of: host) }
    let continues = guarded.perform(text)
    output.end(host)
    if host.hasFailed { hasFailed = true }
    return continues
  }
}
