import Timelines

/// How the playing of one transcript ended.
enum TranscriptOutcome: Equatable {
  case passed
  /// The output is accepted and will be written into the file.
  case updated(Proposal)
  case failed([TranscriptFailure])
  /// Beside a failure of the same transcript: what it would be if the output were accepted.
  case proposed(Proposal)

  /// Plays a transcript and, with `updates`, accepts its output. `base` is the hash of the whole file.
  ///
  /// The closures take results, if they are given: `failing` takes the commands that failed in a transcript that
  /// passed, or whose failure was accepted; `arrows` takes the transitions; `recording` takes the recording of a
  /// failure; `differences` takes the differences for a pending result, if all of them may be accepted.
  init(
    _ transcript: Transcript,
    base: UInt64,
    _ makePerformer: PerformerFactory,
    updates: Bool,
    slot: ProgressSlot? = nil,
    failing: (([FailingCommand]) -> Void)? = nil,
    arrows: ((ArrowCounts) -> Void)? = nil,
    recording: ((Recording?) -> Void)? = nil,
    differences: (([Replay.Difference]) -> Void)? = nil
  ) {
    if updates { AtomicFile.removeLeftover(of: transcript.path) }
    let replay = Replay(
      transcript,
      makePerformer,
      slot: slot,
      countsArrows: arrows != nil,
      recordsFailures: recording != nil
    )
    arrows?(replay.arrows)
    recording?(replay.recording)
    let failures = replay.failures
    if failures.isEmpty {
      self = .passed
      failing?(replay.failing)
    } else if updates, failures.allSatisfy(\.isAcceptable) {
      self = Self.update(transcript, base, replay, makePerformer, slot, failing)
    } else {
      if failures.allSatisfy(\.isAcceptable) { differences?(replay.differences) }
      self = .failed(failures)
    }
  }

  /// Accepts the output if a second run prints the same.
  private static func update(
    _ transcript: Transcript,
    _ base: UInt64,
    _ replay: Replay,
    _ makePerformer: PerformerFactory,
    _ slot: ProgressSlot?,
    _ failing: (([FailingCommand]) -> Void)?
  ) -> TranscriptOutcome {
    let update = TranscriptUpdate(transcript, replay.differences)
    let second = Replay(update.updated, makePerformer, slot: slot)
    let left = second.failures
    guard left.isEmpty else { return .failed(left.map(unstable)) }
    let accepted = second.failing(among: replay.differences)
    failing?(accepted)
    return .updated(Proposal(update, base: base, failing: accepted))
  }

  /// Whether its file must be rewritten.
  var isUpdated: Bool { if case .updated = self { true } else { false } }

  private static func unstable(_ failure: TranscriptFailure) -> TranscriptFailure {
    guard failure.isAcceptable else { return failure }
    let line = failure.line
    var result = TranscriptFailure(path: failure.path, line: line, problem: .unstable)
    result.command = failure.command
    result.diff = failure.diff
    result.notes = failure.notes
    return result
  }
}
