import LibC
import Rehearsal
import RehearsalBase
import Script

/// What Bazel, or another runner of tests with its conventions, asks for in the environment.
struct BazelVariables {
  /// The part that is to be played, by `TEST_TOTAL_SHARDS` and `TEST_SHARD_INDEX`.
  let shard: TranscriptShard?
  /// What `--test_filter` says.
  let filters: [String]

  /// Whether nothing is to be written but into a folder that is emptied after the test, `TEST_TMPDIR`.
  let hasOwnFolder: Bool

  /// Reads the environment.
  ///
  /// - Throws: a complaint where the numbers of a shard make no sense, or it cannot be said that they are heard.
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
          "TEST_TOTAL_SHARDS is '\(total)' and TEST_SHARD_INDEX '\(index ?? "")': not a part of a run"
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
        hint: "leave '--shard' out"
      )
    }
  }

  /// Reads the environment of a program that ends where it makes no sense.
  ///
  /// - Parameter shard: the value of `--shard`. Together with shards of the environment it is an error: each of them
  ///   would play the same part.
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

  /// Says that shards are understood here; otherwise Bazel would think that each played everything.
  private static func touch(_ path: String) throws(Complaint) {
    do throws(FileProblem) {
      try Folder.makeAll(above: path)
      let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
      guard file >= 0 else { throw FileProblem(errno: errno) }
      close(file)
    } catch {
      throw Complaint(
        sentence: "cannot write TEST_SHARD_STATUS_FILE, '\(path)': \(error.sentence)",
        hint: "name a file that can be written: without it each part is taken for the whole",
        exit: .harness
      )
    }
  }
}
