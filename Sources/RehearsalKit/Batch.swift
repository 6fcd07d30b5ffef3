import Rehearsal

/// Commands that nobody types: a script, a pipe, the option `-c`.
enum Batch {
  /// Performs a script; `-` is standard input.
  static func run(
    file: String,
    network: SessionNetwork,
    options: OptionSources
  ) -> ProgramExit {
    do throws(FileProblem) {
      let bytes = try file == "-" ? FileBytes.readInput() : FileBytes.read(file)
      return run(ScriptFile(bytes), network: network, options: options)
    } catch {
      StandardStreams.write("error: cannot read '\(file)': \(error.sentence)\n", to: .error)
      return .usage
    }
  }

  static func run(
    _ text: String,
    network: SessionNetwork,
    options: OptionSources
  ) -> ProgramExit {
    run(ScriptFile(Array(text.utf8)), network: network, options: options)
  }

  /// Prints the transcript of the commands, up to the first that fails.
  private static func run(
    _ script: ScriptFile,
    network: SessionNetwork,
    options: OptionSources
  ) -> ProgramExit {
    let output = ShellOutput()
    let host = SessionHost(network: network, output: output)
    defer { host.end() }
    output.complain(options.complaints)
    host.take(options)
    let guarded = GuardedHost(host, isInteractive: false)
    for command in script.commands {
      output.follow(host.settings)
      for setting in host.writeDownSettings(before: command.text) { StandardStreams.echo(setting) }
      StandardStreams.echo(command.text)
      let goesOn = guarded.perform(command.text)
      if host.hasFailed { return .differences }
      if !goesOn { break }
    }
    return .success
  }
}

extension SessionHost {
  /// A session of this program's, which prints.
  convenience init(network: SessionNetwork, output: ShellOutput) {
    nonisolated(unsafe) let sink = output  // Guarded by the one thread that performs commands.
    self.init(
      files: DiskFiles(program: ThisProgram.path),
      network: network,
      scenes: ThisProgram.current.scenes
    ) { sink.print($0) }
  }
}
