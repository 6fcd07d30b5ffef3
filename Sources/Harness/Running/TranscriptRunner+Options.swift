import LibC
import RehearsalBase
import Workers

extension TranscriptRunner {
  /// Whether expected output is rewritten.
  package enum Update: Sendable {
    case no
    /// Yes, except where the environment says that nobody looks at the result.
    case yes
    case evenInCI
  }

  /// Which transcripts are played, and how.
  package struct Options: Sendable {
    // MARK: Which

    /// What all transcripts must have that are played.
    package var filters: [TranscriptFilter] = []
    /// Whether only those are played that failed last.
    package var onlyFailed = false
    /// The part of them that is played here; nil for all.
    package var shard: TranscriptShard?
    /// Where it is remembered how the files fared; nil for nowhere.
    package var history: TestHistoryFile?

    /// Of these, the files to play; nil for all.
    var only: Set<String>?

    // MARK: How

    /// Workers at a time; nil for one to a processor.
    package var jobs: Int?
    /// Whether the first failure, in the order of playing, is the only one reported.
    package var failFast = false
    /// The time that one transcript may take, as `PlayClock` counts it.
    package var timeout: Duration = .seconds(10)
    /// The real time that all of them may take together.
    package var totalTimeout: Duration?
    /// The memory that a worker may use, in bytes.
    package var memoryLimit = 1 << 30
    /// How many times each is played.
    package var repeats = 1
    /// By what the order is shuffled; nil where it follows from the history.
    package var orderSeed: UInt64?
    /// Whether each is played twice while the machine is busy, to compare.
    package var checksDeterminism = false
    /// The list of files whose failures are forgiven.
    package var knownFlaky: String?
    /// Whether output that differs is accepted.
    package var update: Update = .no
    /// What becomes of the ways between states that were taken; nil where nobody counts them.
    package var coverage: CoverageOptions?
    /// Whether each transcript says which files it read.
    var followsFiles = false
    /// Where what differs is left to be reviewed; nil for nowhere.
    package var pending: PendingPlace?

    // MARK: What is told

    /// Who tells what the run came to.
    package var reporters = Reporters()
    /// Told several times a second how many files were begun, of how many, where that takes long.
    package var onWaiting: (@Sendable (_ begun: Int, _ count: Int) -> Void)?
    /// Whether mistakes are told as lines of JSON.
    package var json: Bool { reporters.areJSON }
    /// Whether the environment is one where nobody looks at what is rewritten.
    package var isCI = Self.environmentIsCI

    /// The defaults.
    package init() {}

    /// Whether the environment sets `CI` to something other than nothing, `0` or `false`.
    package static var environmentIsCI: Bool {
      guard let value = getenv("CI").map({ String(cString: $0) }) else { return false }
      return !value.isEmpty && value != "false" && value != "0"
    }

    /// The time limit, at least one millisecond.
    package var timeoutInMilliseconds: Int { Self.milliseconds(timeout) }

    var totalTimeoutInMilliseconds: Int? { totalTimeout.map(Self.milliseconds) }

    /// Whether transcripts are rewritten. Those that are played more than once are not: there the list of
    /// known flaky ones is what gets updated.
    var updatesTranscripts: Bool { update != .no && repeats == 1 && !checksDeterminism }

    /// Whether the history is told how the files fared. All shards must cut by the same one, so none of them
    /// may change what they share.
    var writesHistory: Bool { shard == nil || history?.isNamed != true }

    /// Where what differs is left to be reviewed, in this run.
    var pendingPlace: PendingPlace? { repeats == 1 && !checksDeterminism ? pending : nil }

    /// The settings that influence whether transcripts pass, one text each. They must be the same in all shards.
    var settingsOfResults: [String] {
      let list = knownFlaky.map { (try? FileBytes.read($0)).map { FNV1a.digits(FNV1a.hash($0)) } }
      return [
        "known flaky \(list.map { $0 ?? "unreadable" } ?? "none")", "repeat \(repeats)",
        "determinism check \(checksDeterminism)",
      ]
    }

    private static func milliseconds(_ time: Duration) -> Int {
      max(1, min(time.wholeMilliseconds, Int(Int32.max) * 1_000))
    }
  }
}
