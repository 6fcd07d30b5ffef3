import Workers

/// What a transcript comes to that is in no file yet, played apart from this process.
package struct TriedTranscript {
  /// What is wrong with it.
  package private(set) var failures: [TranscriptFailure] = []
  /// How many commands print something else.
  package var differing: Int { Set(failures.filter { $0.command != nil }.map(\.line)).count }
  /// The whole text with what was printed accepted; nil where not all of it can be, or where a second
  /// playing goes otherwise.
  package private(set) var accepted: [UInt8]?
  /// Why it was not played, where that is the harness's own fault.
  package private(set) var problem: String?

  /// Plays a transcript in a worker; in this process, without a limit, where that has several threads.
  ///
  /// - Parameters:
  ///   - path: where it is going to be; what it reads is seen from there.
  ///   - bytes: the text.
  ///   - performer: called once for each playing.
  package init(path: String, bytes: [UInt8], performer: @escaping PerformerFactory) {
    var options = TranscriptRunner.Options()
    options.pending = .beside  // For a proposal; nobody writes it into a file here.
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
    guard let board = WorkerBoard(placeCount: 1) else {
      problem = "no memory to share with a worker"
      return
    }
    defer { board.unmap() }
    let pool = TranscriptPool([entry], order, options, performer, board, workers: 1)
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

  /// What ended the replay before its last command, where it was no output: a crash, a time limit.
  package var end: TranscriptFailure? {
    failures.first { failure in
      switch failure.problem {
      case .crashed, .overflowed, .exited, .slow, .tooMuchMemory: true
      default: false
      }
    }
  }
}
