import Timelines

/// How the playing of one transcript ended.
enum TranscriptOutcome: Equatable {
  case passed
  /// What it printed instead is accepted, and is to be written into its file.
  case updated(Proposal)
  case failed([TranscriptFailure])
  /// Beside a failure of the same transcript: what it would be if the output were accepted.
  case proposed(Proposal)

  /// Plays a transcript and, when asked to, accepts what it printed. `failing` takes the commands that failed in a
  /// transcript that passed, or whose failure was accepted. Somebody who counts is told which
  /// ways between states it took, somebody who draws is given what happened where it failed, and who keeps
  /// pending results what differs, where all may be accepted. `base` is the hash of the whole file.
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

  /// Accepts what was printed, after a second playing has shown that it holds.
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

  /// Whether its file is to be rewritten.
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
