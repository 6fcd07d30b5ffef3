import ArgumentParser
import Rehearsal

/// The options that select transcripts for `test`: filters, failed ones, shards, and the history.
struct SelectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Replay only transcripts with TEXT in their path; 'name:TEXT': in their first comment; 'tag:TAG': with this tag. '!' before it excludes. If repeated, all filters must match.",
      valueName: "[!]TEXT"
    ),
    completion: .list(["tag:", "name:", "!tag:", "!name:"])
  )
  var filter: [String] = []

  @Flag(help: "Replay only transcripts that failed when last replayed.")
  var failed = false

  @Option(
    name: .customLong("shard"),
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Replay part I of N. The path of a transcript decides its part; with --history FILE also the durations in FILE, so that all parts take about equally long. Give each machine the same file.",
      valueName: "I/N"
    ),
    transform: Shard.init(typed:)
  )
  var shards: [Shard] = []

  @Flag(help: "List the selected transcripts with names and tags, and replay nothing.")
  var list = false

  @Option(
    help: ArgumentHelp(
      "File that keeps failures and durations of earlier runs. (default: in $XDG_STATE_HOME or ~/.local/state)",
      valueName: "FILE"
    ),
    completion: .file()
  )
  var history: String?

  @Flag(help: "Do not use a history file.")
  var noHistory = false

  func validate() throws {
    if let filter = filter.first(where: { TranscriptFilter($0).text.isEmpty }) {
      throw ValidationError("--filter '\(filter)' has no text to look for")
    }
    try Shard.checkCount(of: shards)
    if history != nil, noHistory {
      throw ValidationError("--history and --no-history exclude each other")
    }
    if failed, noHistory {
      throw ValidationError(
        "--failed needs the history file; remove --no-history"
      )
    }
  }

  /// Sets the options of the runner, together with the environment of Bazel.
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

  /// A part of a run, such as `2/3`.
  struct Shard {
    let value: TranscriptShard

    /// - Throws: a validation error if there are several parts, because only one would be played.
    static func checkCount(of shards: [Shard]) throws {
      guard shards.count > 1 else { return }
      throw ValidationError("--shard takes one part; run each part separately")
    }

    /// - Throws: a validation error.
    init(typed text: String) throws {
      guard let value = TranscriptShard(text) else {
        throw ValidationError("parts are 1/N to N/N, such as 1/3, 2/3 and 3/3; N is at most 10000")
      }
      self.value = value
    }
  }
}
