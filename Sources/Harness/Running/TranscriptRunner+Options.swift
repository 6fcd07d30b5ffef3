import LibC
import RehearsalBase
import Workers

/// Holds the options of a run with their defaults, and decides which apply under CI or with several plays.
extension TranscriptRunner {
  /// Whether expected output is rewritten.
  package enum Update: Sendable {
    case no
    /// Yes, unless the environment is a CI system, where the rewritten files would not be reviewed.
    case yes
    case evenInCI
  }

  /// Which transcripts are played, and how.
  package struct Options: Sendable {
    // MARK: Selection

    /// The filters that every played transcript matches.
    package var filters: [TranscriptFilter] = []
    /// Whether only transcripts that failed last time are played.
    package var onlyFailed = false
    /// The shard to play; nil for all.
    package var shard: TranscriptShard?
    /// The file that stores the results of earlier runs; nil for none.
    package var history: TestHistoryFile?

    /// The selected files that are played; nil for all.
    var only: Set<String>?

    // MARK: Running

    /// Number of parallel workers; nil for one per processor.
    package var jobs: Int?
    /// Whether only the first failure, in the order of playing, is reported.
    package var failFast = false
    /// The time limit for one transcript, measured by `PlayClock`.
    package var timeout: Duration = .seconds(10)
    /// The real-time limit for the whole run.
    package var totalTimeout: Duration?
    /// The memory limit of a worker, in bytes.
    package var memoryLimit = 1 << 30
    /// The number of plays of each transcript.
    package var repeats = 1
    /// The seed that shuffles the order; nil for the order by history.
    package var orderSeed: UInt64?
    /// Whether each transcript is played twice on a busy machine, and compared.
    package var checksDeterminism = false
    /// The list of files that are known to be flaky.
    package var knownFlaky: String?
    /// Whether differing output is accepted.
    package var update: Update = .no
    /// The options for coverage; nil if transitions are not counted.
    package var coverage: CoverageOptions?
    /// Whether each transcript reports which files it read.
    var followsFiles = false
    /// The location of pending results; nil for none.
    package var pending: PendingPlace?

    // MARK: Reporting

    /// The reports of the run.
    package var reporters = Reporters()
    /// Called several times a second during a long run, with the numbers of started files and of all files.
    package var onWaiting: (@Sendable (_ begun: Int, _ count: Int) -> Void)?
    /// Whether mistakes are printed as JSON lines.
    package var json: Bool { reporters.areJSON }
    /// Whether the environment is a CI system.
    package var isCI = Self.environmentIsCI

    /// The defaults.
    package init() {}

    /// Whether the environment sets `CI` to a value other than an empty one, `0` or `false`.
    package static var environmentIsCI: Bool {
      guard let value = getenv("CI").map({ String(cString: $0) }) else { return false }
      return !value.isEmpty && value != "false" && value != "0"
    }

    /// The time limit, at least one millisecond.
    package var timeoutInMilliseconds: Int { Self.milliseconds(timeout) }

    var totalTimeoutInMilliseconds: Int? { totalTimeout.map(Self.milliseconds) }

    /// Whether transcripts are rewritten. Runs with several plays update the list of known flaky transcripts instead.
    var updatesTranscripts: Bool { update != .no && repeats == 1 && !checksDeterminism }

    /// Whether the run updates the history. A shard must not change a history that all shards use to divide the files.
    var writesHistory: Bool { shard == nil || history?.isNamed != true }

    /// The location of pending results in this run.
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
