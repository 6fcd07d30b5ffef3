import Rehearsal

/// Commands that nobody types: a script, a pipe, the option `-c`.
enum Batch {
  /// Performs a script; `-` is standard input.
  static func run(file: String, network: SessionNetwork) -> ProgramExit {
    do throws(FileProblem) {
      let bytes = try file == "-" ? FileBytes.readInput() : FileBytes.read(file)
      return run(ScriptFile(bytes), network: network)
    } catch {
      StandardStreams.write("error: cannot read '\(file)': \(error.sentence)\n", to: .error)
      return .usage
    }
  }

  static func run(_ text: String, network: SessionNetwork) -> ProgramExit {
    run(ScriptFile(Array(text.utf8)), network: network)
  }

  /// Prints the transcript of the commands, up to the first that fails.
  private static func run(_ script: ScriptFile, network: SessionNetwork) -> ProgramExit {
    let host = SessionHost(
      files: DiskFiles(program: ThisProgram.path),
      network: network,
      scenes: ThisProgram.current.scenes
    ) {
      StandardStreams.write("  " + $0 + "\n")
    }
    defer { host.end() }
    let guarded = GuardedHost(host, isInteractive: false)
    for command in script.commands {
      StandardStreams.echo(command.text)
      let goesOn = guarded.perform(command.text)
      if host.hasFailed { return .differences }
      if !goesOn { break }
    }
    return .success
  }
}
