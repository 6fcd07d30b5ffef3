import LibC
import Rehearsal
import RehearsalBase
import Script

/// The environment variables of Bazel, or of another test runner with its conventions.
struct BazelVariables {
  /// The part of `TEST_TOTAL_SHARDS` and `TEST_SHARD_INDEX`.
  let shard: TranscriptShard?
  /// The filter of `--test_filter`.
  let filters: [String]

  /// Whether only `TEST_TMPDIR` may be written, a folder that is emptied after the test.
  let hasOwnFolder: Bool

  /// Reads the environment.
  ///
  /// - Throws: an error if the numbers are not a shard, or if the status file cannot be written.
  init(variable: (String) -> String? = Self.variable) throws(Complaint) {
    filters = variable("TESTBRIDGE_TEST_ONLY").map { [$0] } ?? []
    hasOwnFolder = variable("TEST_TMPDIR") != nil
    guard let total = variable("TEST_TOTAL_SHARDS") else {
      shard = nil
      return
    }
    let index = variable("TEST_SHARD_INDEX")
    guard let count = Int(total), let number = index.flatMap({ Int($0) }),
      let shard = TranscriptShard(index: number, of: count)
    else {
      throw Complaint(
        sentence:
          "TEST_TOTAL_SHARDS '\(total)' and TEST_SHARD_INDEX '\(index ?? "")' are not a part of a run"
      )
    }
    self.shard = shard
    if let path = variable("TEST_SHARD_STATUS_FILE") { try Self.touch(path) }
  }

  /// Reads the environment for a call with or without `--shard`.
  ///
  /// - Throws: an error, also if both name a part.
  init(beside shard: TranscriptShard?) throws(Complaint) {
    try self.init()
    if let shard, let other = self.shard {
      throw Complaint(
        sentence:
          "--shard says \(shard.text), and TEST_TOTAL_SHARDS and TEST_SHARD_INDEX say \(other.text)",
        hint: "remove '--shard'"
      )
    }
  }

  /// Reads the environment, and prints an error if it is invalid.
  ///
  /// - Parameter shard: the value of `--shard`. It excludes shards of the environment, because each process would play
  ///   the same part.
  /// - Returns: the settings of the environment.
  /// - Throws: the exit code, after printing an error.
  static func ofThisRun(beside shard: TranscriptShard?) throws -> BazelVariables {
    do throws(Complaint) {
      return try BazelVariables(beside: shard)
    } catch {
      StandardStreams.complain("error: \(error.sentence.printable(atMost: 4000))")
      if let hint = error.hint { StandardStreams.complain("hint: \(hint)") }
      throw error.exit.asError
    }
  }

  struct Complaint: Error {
    let sentence: String
    var hint: String?
    var exit = ProgramExit.usage
  }

  /// The value of a variable; nil if it is empty.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Creates the status file, which tells Bazel that the program supports shards.
  private static func touch(_ path: String) throws(Complaint) {
    do throws(FileProblem) {
      try Folder.makeAll(above: path)
      let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
      guard file >= 0 else { throw FileProblem(errno: errno) }
      close(file)
    } catch {
      throw Complaint(
        sentence: "cannot write TEST_SHARD_STATUS_FILE, '\(path)': \(error.sentence)",
        hint: "name a file that can be written; without it, Bazel takes each part for the whole",
        exit: .harness
      )
    }
  }
}
