import LibC

/// A run of a program in a separate process group, with its output as a stream.
///
/// A process with threads cannot fork workers, so it starts its own program again, which can.
package struct ProgramRun {
  private let process: SpawnedProcess
  private let output: Int32

  /// Starts the program; nil if that fails.
  ///
  /// - Parameters:
  ///   - program: its path.
  ///   - arguments: all of them, with the name of the program first.
  ///   - folder: its working folder.
  ///   - input: its standard input. The program must read all of it before it writes anything.
  ///   - readsErrors: whether `read` also returns its standard error, which is dropped otherwise.
  package init?(
    program: String,
    arguments: [String],
    folder: String,
    input: [UInt8] = [],
    readsErrors: Bool
  ) {
    guard let (output, told) = try? Descriptor.makePipe() else { return nil }
    defer { close(told) }
    guard let (asked, question) = try? Descriptor.makePipe() else {
      close(output)
      return nil
    }
    defer { close(question) }
    let process = try? SpawnedProcess(
      program: program,
      arguments: arguments,
      folder: folder,
      streams: [
        .descriptor(asked), .descriptor(told), readsErrors ? .descriptor(told) : .nothing,
      ]
    )
    close(asked)
    guard let process else {
      close(output)
      return nil
    }
    self.process = process
    self.output = output
    // If it has ended, its output ends, too.
    try? Descriptor.send(input, to: question)
  }

  /// Waits for output, with a time limit; empty if there was none, nil at its end.
  package func read(withinMilliseconds limit: Int) -> [UInt8]? {
    Descriptor.isReadable(output, withinMilliseconds: limit) ? Descriptor.readChunk(output) : []
  }

  /// Asks the program to end, like Ctrl-C.
  package func interrupt() { process.send(signal: SIGINT) }

  /// Waits for the end of the program.
  package func end() -> ProcessEnd {
    close(output)
    return process.wait()
  }

  /// Kills the program and its workers.
  package func kill() {
    process.killGroup()
    _ = end()
  }
}
