/// How the program ends.
package enum ExitStatus: Int32, Sendable {
  /// All went well; all transcripts match.
  case success = 0
  /// A transcript differs, or a command failed.
  case differences = 1
  /// The program was called wrongly: an unknown option, nothing to test.
  case usage = 2
  /// The program itself failed.
  case harnessFailed = 3
}
