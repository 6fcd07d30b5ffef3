import Timelines

/// One play of a transcript: its result, and the second play that checks accepted output or determinism.
struct TranscriptPlay: Codable, Equatable {
  enum Outcome: String, Codable, CaseIterable {
    case passed
    /// It differs, and the output is accepted: `proposal` has the new content of the file.
    case updated
    case failed
    /// Follows a failure of the same transcript: `proposal` has the content of the file if the output is accepted.
    case proposed
  }

  /// The index of the file in the run.
  let file: Int
  /// The index of the transcript in its file.
  let fence: Int
  /// The position in the run at which the file was played.
  let place: Int
  private(set) var outcome = Outcome.passed
  /// All failures, in the order of the file; empty unless it failed.
  var failures: [TranscriptFailure] = []
  private(set) var proposal: Proposal?
  /// If it passed, the commands that failed; if it was updated, the commands whose failure was accepted.
  private(set) var failing: [FailingCommand] = []
  /// The transitions of all machines; empty if they are not counted.
  private(set) var transitions = TransitionCounts()
  /// The recording of a failed transcript; nil if no report draws pictures.
  private(set) var recording: Recording?
  /// Notes about what the recording leaves out.
  private(set) var notes: [String] = []
  /// The files that it read; empty if readings are neither watched nor compared.
  var readings: [FileReading] = []

  /// Maximum size, in bytes, of a recording that is sent.
  private static let recordingLimit = 1 << 19

  var hasFailed: Bool { outcome == .failed }

  private init(file: Int, fence: Int, place: Int) {
    (self.file, self.fence, self.place) = (file, fence, place)
  }

  /// A transcript that failed.
  init(file: Int, fence: Int, place: Int, failures: [TranscriptFailure]) {
    self.init(file: file, fence: fence, place: place)
    fail(failures)
  }

  /// Replaces the result by a failure.
  mutating func fail(_ failures: [TranscriptFailure]) {
    (outcome, self.failures) = (.failed, failures)
  }

  /// Adjusts the line numbers after the transcript has moved down in its file.
  mutating func moveLines(by count: Int) {
    failing = failing.map {
      FailingCommand(block: $0.block, line: $0.line + count, kind: $0.kind, text: $0.text)
    }
  }

  /// Plays a transcript and reports the result. If only output differs and the run writes pending results, it also plays
  /// the transcript with the new output, and reports the proposal if that passes.
  ///
  /// - Parameters:
  ///   - transcript: the transcript.
  ///   - file: the index of its file in the run.
  ///   - fence: its index in the file.
  ///   - place: the position in the run at which the file is played.
  ///   - base: the hash of the whole file.
  ///   - options: the options of the run.
  ///   - makePerformer: called once for each play.
  ///   - slot: shared memory in which a supervising process reads the progress.
  ///   - report: receives the results, the failure before the proposal.
  static func perform(
    _ transcript: Transcript,
    file: Int,
    fence: Int,
    place: Int,
    base: UInt64,
    _ options: TranscriptRunner.Options,
    _ makePerformer: PerformerFactory,
    slot: ProgressSlot? = nil,
    report: (TranscriptPlay) -> Void
  ) {
    slot?.begin(place: place, fence: fence)
    slot?.note(content: base)
    if options.updatesTranscripts { AtomicFile.removeLeftover(of: transcript.path) }
    let replay = Replay(
      transcript,
      makePerformer,
      slot: slot,
      countsTransitions: options.coverage != nil && !options.checksDeterminism,
      keepsOutput: options.checksDeterminism,
      recordsFailures: options.reporters.drawsPictures && !options.checksDeterminism
    )
    var play = TranscriptPlay(file: file, fence: fence, place: place)
    play.transitions = replay.transitions
    play.notes = notes(of: replay, transcript)
    if let recording = replay.recording, recording.json.utf8.count <= Self.recordingLimit {
      play.recording = recording
    }
    var failures = replay.failures
    if options.checksDeterminism {
      let second = Replay(transcript, makePerformer, slot: slot, keepsOutput: true)
      failures += [replay.otherOutput(of: second)].compactMap(\.self)
    }
    let mayBeAccepted = !failures.isEmpty && failures.allSatisfy(\.isAcceptable)
    if mayBeAccepted, options.updatesTranscripts {
      let update = TranscriptUpdate(transcript, replay.differences)
      let second = Replay(update.updated, makePerformer, slot: slot)
      failures = second.failures.map(\.asUnstable)
      play.failing = failures.isEmpty ? second.failing(among: replay.differences) : []
      play.outcome = .updated
      play.notes = notes(of: second, transcript)
      play.proposal = Proposal(update, base: base, failing: play.failing)
    } else if failures.isEmpty {
      play.failing = replay.failing
    }
    if !failures.isEmpty { play.fail(failures) }
    report(play)
    guard mayBeAccepted, !options.updatesTranscripts, options.pendingPlace != nil else { return }
    slot?.begin(place: place, fence: fence)
    slot?.note(content: base)
    let update = TranscriptUpdate(transcript, replay.differences)
    let second = Replay(update.updated, makePerformer, slot: slot)
    guard second.failures.isEmpty else { return }
    var proposed = TranscriptPlay(file: file, fence: fence, place: place)
    proposed.outcome = .proposed
    let failing = second.failing(among: replay.differences)
    proposed.proposal = Proposal(update, base: base, failing: failing)
    report(proposed)
  }

  private static func notes(of replay: Replay, _ transcript: Transcript) -> [String] {
    transcript.notesOfFixtures
      + replay.notes.map { "\(FailureText.quoted(transcript.path)): \($0)" }
  }
}

extension TranscriptFailure {
  /// The same failure, found in the second play with its output accepted.
  fileprivate var asUnstable: TranscriptFailure {
    guard isAcceptable else { return self }
    var result = TranscriptFailure(path: path, line: line, problem: .unstable)
    (result.command, result.diff, result.notes) = (command, diff, notes)
    return result
  }
}

extension Replay {
  /// Returns the failure at the first command whose output differs, byte for byte, in another play.
  fileprivate func otherOutput(of second: Replay) -> TranscriptFailure? {
    let index = zip(outputs, second.outputs).prefix { $0 == $1 }.count
    guard index < max(outputs.count, second.outputs.count) else { return nil }
    let block = transcript.blocks[index]
    let line = transcript.lineNumber(block.command)
    var failure = TranscriptFailure(path: transcript.path, line: line, problem: .otherOutput)
    failure.command = transcript.command(block)
    let old = Expectation(literal: index < outputs.count ? outputs[index] : [])
    let new = index < second.outputs.count ? second.outputs[index] : []
    failure.diff = Alignment(old, new, [:]).diff(old, new)
    return failure
  }
}
