import RehearsalBase

/// One file of transcripts, played in this process and on this thread.
struct LocalPlay {
  /// How many transcripts passed.
  private(set) var passes = 0
  /// The real time that they took.
  private(set) var microseconds = 0
  private(set) var frames: [OutcomeFrame] = []
  /// Whether all its transcripts were played.
  private(set) var isFinished = false

  init(
    _ entry: TranscriptSelection.Entry,
    file: Int,
    place: Int,
    _ options: TranscriptRunner.Options,
    _ makePerformer: PerformerFactory
  ) {
    let start = ProcessControl.microseconds
    defer { microseconds = ProcessControl.microseconds - start }
    let transcripts = Transcripts.load(entry)
    let base = transcripts.first.map { FNV1a.hash($0.bytes) } ?? 0
    var fence = 0
    defer { isFinished = fence >= transcripts.count }
    while fence < transcripts.count {
      defer { fence += 1 }
      if entry.fences?.contains(fence) == false { continue }
      let transcript = transcripts[fence]
      let played = PlayedTranscript(transcript, base: base, options, makePerformer, slot: nil)
      if played.outcome == .passed { passes += 1 }
      frames.append(played.frame(file: file, fence: fence, place: place))
      if !played.differences.isEmpty,
        let proposal = Proposal(transcript, base: base, played.differences, makePerformer)
      {
        let outcome = TranscriptOutcome.proposed(proposal)
        frames.append(OutcomeFrame(file: file, fence: fence, place: place, outcome: outcome))
      }
      if options.failFast, case .failed = played.outcome { return }
    }
  }
}
