/// How `rehearse` ends, as a number for scripts.
package enum ProgramExit: Int32, Sendable {
  /// All is as expected.
  case success = 0
  /// At least one transcript differs, crashed, hung or could not be read.
  case differences = 1
  /// What was asked for makes no sense; nothing was played.
  case usage = 2
  /// The harness itself failed.
  case harness = 3
}
