import LibC
package import Workers

/// The exit codes of `rehearse`.
package enum ProgramExit: Int32, Sendable {
  /// Everything is as expected.
  case success = 0
  /// At least one transcript differs, crashed or hung.
  case differences = 1
  /// The command line is wrong and nothing was played; or a part of the input could not be read.
  case usage = 2
  /// The harness itself failed, or an output file could not be written.
  case harness = 3
  /// Ctrl-C ended the run. The number is the one that shells use.
  case interrupted = 130
  /// Ctrl-\ ended the run.
  case quit = 131
  /// A termination signal ended the run.
  case terminated = 143
}

extension StopSignals {
  /// The exit code after a termination signal; nil if there was none.
  package static var exit: ProgramExit? { caught.map(exit) }

  static func exit(of number: Int32) -> ProgramExit {
    switch number {
    case SIGINT: .interrupted
    case SIGQUIT: .quit
    default: .terminated
    }
  }
}
