import Workers

/// The result of a transcript that is not yet in a file, played in another process.
package struct TriedTranscript {
  /// Its failures.
  package private(set) var failures: [TranscriptFailure] = []
  /// The number of commands with different output.
  package var differing: Int { Set(failures.filter { $0.command != nil }.map(\.line)).count }
  /// The whole text with the printed output accepted; nil if not all of it can be accepted, or if a second play gives
  /// another result.
  package private(set) var accepted: [UInt8]?
  /// Why it was not played, if the harness itself failed.
  package private(set) var problem: String?

  /// Plays a transcript in a worker; in this process, without a time limit, if that has several threads.
  ///
  /// - Parameters:
  ///   - path: its future path, to which the paths in it are relative.
  ///   - bytes: the text.
  ///   - performer: called once for each play.
  package init(path: String, bytes: [UInt8], performer: @escaping PerformerFactory) {
    var options = TranscriptRunner.Options()
    options.pending = .beside  // Requests a proposal; it is not written here.
    let entry = TranscriptSelection.Entry(path: path, isNamed: true, bytes: bytes)
    if ProcessControl.isSingleThreaded {
      take(entry, RunPlan(contents: [entry]).order, options, performer)
    } else {
      let runner = TranscriptRunner(options: options, performer: performer)
      _ = runner.play(entry, file: 0, place: 0) { take([$0]) }
    }
    if failures.isEmpty, problem == nil { accepted = bytes }
    accepted = accepted ?? edits.map { TextEdit.apply($0, to: bytes) }
  }

  private var edits: [TextEdit]?

  private mutating func take(
    _ entry: TranscriptSelection.Entry,
    _ order: PlayOrder,
    _ options: TranscriptRunner.Options,
    _ performer: @escaping PerformerFactory
  ) {
    guard let sharedState = SharedRunState(placeCount: 1) else {
      problem = "no memory to share with a worker"
      return
    }
    defer { sharedState.unmap() }
    let pool = TranscriptPool([entry], order, options, performer, sharedState, workers: 1)
    guard var pool else {
      problem = "no memory to share with a worker"
      return
    }
    pool.run()
    problem = pool.problem
    take(pool.plays)
  }

  private mutating func take(_ plays: [TranscriptPlay]) {
    for play in plays {
      failures += play.failures
      edits = play.proposal?.edits ?? edits
    }
  }

  /// The crash or time limit that ended the replay before its last command; nil if only output differs.
  package var end: TranscriptFailure? {
    failures.first { failure in
      switch failure.problem {
      case .crashed, .overflowed, .exited, .slow, .tooMuchMemory: true
      default: false
      }
    }
  }
}
