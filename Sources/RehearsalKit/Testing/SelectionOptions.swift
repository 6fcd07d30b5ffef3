import ArgumentParser
import Rehearsal

/// Which transcripts `test` plays.
struct SelectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Play only what has TEXT in its path, or with 'name:TEXT' in its first comment, or has 'tag:TAG'.",
      discussion: "With '!' in front, what has it not. Given several times, all must hold.",
      valueName: "[!]TEXT"
    ),
    completion: .list(["tag:", "name:", "!tag:", "!name:"])
  )
  var filter: [String] = []

  @Flag(help: "Play only what failed when it was last played.")
  var failed = false

  @Option(
    name: .customLong("shard"),
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Play the Ith of N parts, cut by path; with --history, into parts that take equally long.",
      valueName: "I/N"
    ),
    transform: Shard.init(typed:)
  )
  var shards: [Shard] = []

  @Flag(help: "Say what would be played, with names and tags, and play nothing.")
  var list = false

  @Option(
    help: ArgumentHelp(
      "Remember in FILE what failed and how long it took; by default beside the shell's history.",
      valueName: "FILE"
    ),
    completion: .file()
  )
  var history: String?

  @Flag(help: "Neither read nor write what earlier runs have shown.")
  var noHistory = false

  func validate() throws {
    if let filter = filter.first(where: { TranscriptFilter($0).text.isEmpty }) {
      throw ValidationError("--filter '\(filter)' names nothing to look for.")
    }
    try Shard.checkCount(of: shards)
    if history != nil, noHistory {
      throw ValidationError("--history and --no-history contradict each other.")
    }
    if failed, noHistory {
      throw ValidationError(
        "--failed asks for what earlier runs have shown; leave --no-history out."
      )
    }
  }

  /// Puts them among the runner's options, behind what Bazel asks for.
  func apply(to options: inout TranscriptRunner.Options, _ bazel: BazelVariables) {
    options.filters = (filter + bazel.filters).map { TranscriptFilter($0) }
    options.onlyFailed = failed
    options.shard = shard?.value ?? bazel.shard
    options.history = noHistory || bazel.hasOwnFolder && history == nil ? nil : historyFile
  }

  private var historyFile: TestHistoryFile? {
    if let history { return TestHistoryFile(path: history, isNamed: true) }
    return XDGFolder.path("XDG_STATE_HOME", elseInHome: ".local/state")
      .map { TestHistoryFile(in: $0 + "/tests") }
  }

  /// The requested part; nil for the whole.
  var shard: Shard? { shards.first }

  /// A part of a run, as `2/3`.
  struct Shard {
    let value: TranscriptShard

    /// - Throws: a validation error if there are several parts, because only one would be played.
    static func checkCount(of shards: [Shard]) throws {
      guard shards.count > 1 else { return }
      throw ValidationError("--shard names one part; give each part a run of its own.")
    }

    /// - Throws: what is valid.
    init(typed text: String) throws {
      guard let value = TranscriptShard(text) else {
        throw ValidationError("parts are counted from 1, as 1/3, 2/3 and 3/3, up to 10000.")
      }
      self.value = value
    }
  }
}
