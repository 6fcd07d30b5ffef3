import Timelines

/// One playing of a transcript, with what several people want to know of it.
struct PlayedTranscript {
  private(set) var outcome = TranscriptOutcome.passed
  /// If it passed, the commands that failed; if it was updated, the commands whose failure was accepted.
  private(set) var failing: [FailingCommand] = []
  /// The ways that it took between states; none where nobody counts them.
  private(set) var arrows = ArrowCounts()
  /// What happened where it failed; nil where nobody draws it.
  private(set) var recording: Recording?
  /// What may be accepted; nothing where nobody reviews it.
  private(set) var differences: [Replay.Difference] = []

  init(
    _ transcript: Transcript,
    base: UInt64,
    _ options: TranscriptRunner.Options,
    _ makePerformer: PerformerFactory,
    slot: ProgressSlot?
  ) {
    if options.checksItself {
      let check = SelfCheck(transcript, makePerformer, slot)
      (outcome, failing) = (check.outcome, check.failing)
      return
    }
    var arrows = ArrowCounts()
    var recording: Recording?
    var differences: [Replay.Difference] = []
    var failing: [FailingCommand] = []
    outcome = TranscriptOutcome(
      transcript,
      base: base,
      makePerformer,
      updates: options.updatesTranscripts,
      slot: slot,
      failing: { failing = $0 },
      arrows: options.coverage == nil ? nil : { arrows = $0 },
      recording: options.reporters.wantPictures ? { recording = $0 } : nil,
      differences: options.pendingPlace == nil ? nil : { differences = $0 }
    )
    (self.arrows, self.recording, self.differences) = (arrows, recording, differences)
    self.failing = failing
  }

  /// The frame that tells of it.
  func frame(file: Int, fence: Int, place: Int) -> OutcomeFrame {
    OutcomeFrame(
      file: file,
      fence: fence,
      place: place,
      outcome: outcome,
      failing: failing,
      arrows: arrows,
      recording: recording
    )
  }
}
