import Rehearsal

/// A run of commands from a script, a pipe or the option `-c`.
enum Batch {
  /// Performs a script; `-` is standard input.
  static func run(
    file: String,
    network: SessionNetwork,
    options: OptionSources,
    json: Bool
  ) -> ProgramExit {
    do throws(FileProblem) {
      let bytes = try file == "-" ? FileBytes.readInput() : FileBytes.read(file)
      let files = DiskFiles(program: ThisProgram.path, besides: file)
      let script = ScriptFile(bytes, path: file)
      guard script.stray != nil || script.holdsCommands else {
        ShellOutput(json: json).complain(
          "there is no command in \(ConversionFailure.name(of: file))",
          hint: ScriptFile.hintWithoutCommands
        )
        return .usage
      }
      return run(script, files, network: network, options: options, json: json)
    } catch {
      let hint = error == .folder ? "\nhint: 'test' replays the transcripts of a folder" : ""
      StandardStreams.complain("error: cannot read '\(file)': \(error.sentence)\(hint)")
      return .usage
    }
  }

  /// Performs the commands of each option `-c`.
  static func run(
    _ texts: [String],
    network: SessionNetwork,
    options: OptionSources,
    json: Bool
  ) -> ProgramExit {
    let files = DiskFiles(program: ThisProgram.path)
    guard texts.allSatisfy({ ScriptFile(Array($0.utf8)).holdsCommands }) else {
      // An empty value is probably the output of a generator that failed.
      ShellOutput(json: json).complain(
        "there is no command in '-c'",
        hint: "remove '-c', or add a command after it"
      )
      return .usage
    }
    let script = ScriptFile(Array(texts.joined(separator: "\n").utf8))
    return run(script, files, network: network, options: options, json: json)
  }

  /// Prints the transcript of the commands, up to the first failing one. A check or command that is not performed is an
  /// error.
  private static func run(
    _ script: ScriptFile,
    _ files: DiskFiles,
    network: SessionNetwork,
    options: OptionSources,
    json: Bool
  ) -> ProgramExit {
    let output = ShellOutput(json: json)
    if let stray = script.stray {
      output.complain("line \(stray.line): \(stray.sentence)", hint: stray.hint)
      return .usage
    }
    if let note = script.note { output.note(note) }
    let host = SessionHost(files: files, network: network, output: output)
    defer { host.end() }
    output.complain(options.complaints)
    host.take(options)
    let guarded = GuardedHost(host, on: output.screen, isInteractive: false)
    output.follow(host.settings)
    for (index, command) in script.commands.enumerated() {
      output.echo(command.text, of: host)
      let continues = guarded.perform(command.text)
      output.end(host)
      if host.hasFailed { return .differences }
      guard !continues else { continue }
      if let words = script.unperformed(after: index) {
        output.complain(
          "the session ended, and \(words)",
          hint: "remove the lines after the command that ends the session"
        )
        return .differences
      }
      break
    }
    return output.complain(ofUnperformedIn: host) ? .differences : .success
  }
}

extension SessionHost {
  /// Creates a session that prints.
  convenience init(files: DiskFiles, network: SessionNetwork, output: ShellOutput) {
    self.init(
      files: files,
      network: network,
      scenes: ThisProgram.current.scenes,
      isolatedSearch: SearchProcess(),
      output: output
    )
    if output.isJSON { tellObjects() }
  }
}
