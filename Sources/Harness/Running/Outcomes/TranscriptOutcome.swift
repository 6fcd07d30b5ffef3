import Timelines

/// How the playing of one transcript ended.
enum TranscriptOutcome: Equatable {
  case passed
  case updated
  case failed([TranscriptFailure])
  /// Beside a failure of the same transcript: what it would be if the output were accepted.
  case proposed(Proposal)

  /// Plays a transcript and, when asked to, accepts what it printed. `expectsFailure` is called if it passed and expects
  /// a failure. Somebody who counts is told which
  /// ways between states it took, somebody who draws is given what happened where it failed, and who keeps
  /// pending results what differs, where all may be accepted.
  init(
    _ transcript: Transcript,
    _ makePerformer: PerformerFactory,
    updates: Bool,
    slot: ProgressSlot? = nil,
    expectsFailure: (() -> Void)? = nil,
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
      if replay.expectsFailure { expectsFailure?() }
    } else if updates, failures.allSatisfy(\.isAcceptable) {
      self = Self.update(transcript, replay, makePerformer, slot)
    } else {
      if failures.allSatisfy(\.isAcceptable) { differences?(replay.differences) }
      self = .failed(failures)
    }
  }

  /// Writes the new file, after a second playing has shown that it holds.
  private static func update(
    _ transcript: Transcript,
    _ replay: Replay,
    _ makePerformer: PerformerFactory,
    _ slot: ProgressSlot?
  ) -> TranscriptOutcome {
    let path = transcript.path
    let update = TranscriptUpdate(transcript, replay.differences)
    let left =
      update.updated.map { Replay($0, makePerformer, slot: slot).failures } ?? replay.failures
    guard left.isEmpty else { return .failed(left.map(unstable)) }
    do throws(FileProblem) {
      try AtomicFile.write(update.bytes, to: path, replacing: transcript.bytes)
      return .updated
    } catch {
      // Another update may have been quicker, and gone on to the next transcript of the file.
      if error == .changed, let present = transcript.presentVersion,
        Replay(present, makePerformer, slot: slot).failures.isEmpty
      {
        return .updated
      }
      return .failed([TranscriptFailure(path: path, line: 0, problem: .file(error))])
    }
  }

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

extension Transcript {
  /// The same transcript of the file as it is now.
  fileprivate var presentVersion: Transcript? {
    (try? FileBytes.read(path)).flatMap { version(in: $0) }
  }
}
