import LibC
package import Workers

/// How `rehearse` ends, as a number for scripts.
package enum ProgramExit: Int32, Sendable {
  /// All is as expected.
  case success = 0
  /// At least one transcript differs, crashed or hung.
  case differences = 1
  /// What was asked for makes no sense, and nothing was played; or a part of it could not be read.
  case usage = 2
  /// The harness itself failed, or what it was to write found no place.
  case harness = 3
  /// Ctrl-C ended it, as a shell would say it.
  case interrupted = 130
  /// Somebody else asked it to end.
  case terminated = 143
}

extension StopSignals {
  /// The exit code of a program that a signal stopped; nil if none has.
  package static var exit: ProgramExit? { caught.map(exit) }

  static func exit(of number: Int32) -> ProgramExit {
    number == SIGINT ? .interrupted : .terminated
  }
}
