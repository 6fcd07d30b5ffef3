import RehearsalBase
import Timelines
import Workers

/// A request to play files until none are left.
struct PlayRequest: Codable {
  /// Where a worker starts that replaces another one.
  struct Resume: Codable {
    /// The position of the file in the run.
    let place: Int
    /// The first transcript to play in the file.
    let fence: Int
    /// How the earlier worker ended, if the transcript expects that.
    var end: ExpectedEnd?
    /// Whether the transcript is played a second time until that end.
    var isRepeated = false

    func begins(with place: Int, _ fence: Int) -> Bool {
      self.place == place && self.fence == fence
    }
  }

  /// Nil to start with the next position.
  let resume: Resume?
}

/// A message of a worker that plays files.
enum PlayMessage: Codable {
  case play(TranscriptPlay)
  /// No file is left.
  case finished
  /// Another process should play the rest.
  case paused
}

/// Plays one file after another in a worker, and reports failures.
struct TranscriptWorker {
  let entries: [TranscriptSelection.Entry]
  let order: PlayOrder
  let sharedState: SharedRunState
  let context: WorkerContext
  let options: TranscriptRunner.Options
  let makePerformer: PerformerFactory
  let send: (PlayMessage) -> Void

  private var slot: ProgressSlot { ProgressSlot(context) }

  /// Works until nothing is left, or until another process should continue.
  func answer(to request: PlayRequest) -> PlayMessage {
    let threads = ThreadWatch()
    var next = request.resume
    while let start = next ?? sharedState.takeNext().map({ .init(place: $0, fence: 0) }) {
      next = nil
      play(start)
      // The next transcript would be blamed for memory that others have used, or could not fork because of the threads of
      // sockets.
      let isWorn = ProcessMemory.peakBytes > options.memoryLimit / 2 || !threads.isSingleThreaded
      if isWorn {
        context.retire()
        return .paused
      }
    }
    return .finished
  }

  private func play(_ start: PlayRequest.Resume) {
    let place = start.place
    let entry = entries[order.files[place]]
    var fence = start.fence
    // Reading counts towards the time limit, too.
    slot.begin(place: place, fence: fence)
    let transcripts = Transcripts.load(entry)
    let content = transcripts.first.map { FNV1a.hash($0.bytes) } ?? 0
    while fence < transcripts.count {
      if entry.fences?.contains(fence) == false {
        fence += 1
        continue
      }
      let end = start.isRepeated ? nil : start.end
      let sparing = end?.sparing(makePerformer, fence: fence)
      play(transcripts[fence], content, place, fence, sparing ?? makePerformer)
      fence += 1
      if place >= sharedState.firstFailure { break }
    }
    if fence >= transcripts.count { sharedState.finish(place) }
    slot.reset()
  }

  private func play(
    _ transcript: Transcript,
    _ content: UInt64,
    _ place: Int,
    _ fence: Int,
    _ makePerformer: @escaping PerformerFactory
  ) {
    let log = ReadingLog()
    let followed =
      options.followsFiles || options.shard != nil ? log.following(makePerformer) : makePerformer
    let asked: PerformerFactory = { fixtures, folder in
      let performer = followed(fixtures, folder)
      LateWork.activity = { performer.activity }
      return performer
    }
    defer { LateWork.activity = nil }
    let start = ProcessControl.microseconds
    TranscriptPlay.perform(
      transcript,
      file: order.files[place],
      fence: fence,
      place: place,
      base: content,
      options,
      asked,
      slot: slot
    ) { play in
      var play = play
      let written = context.takeOutput()
      if play.outcome != .proposed {
        sharedState.add(microseconds: ProcessControl.microseconds - start, place)
        play.readings = log.take()
      }
      switch play.outcome {
      case .passed:
        sharedState.countPass(place)
        if play.transitions.machines.isEmpty, play.readings.isEmpty, play.failing.isEmpty,
          play.notes.isEmpty
        {
          return
        }
      case .updated, .proposed: break
      case .failed:
        if options.failFast { sharedState.stop(after: place) }
        play.failures[play.failures.count - 1].notes += written.map { "the process wrote: \($0)" }
      }
      send(.play(play))
    }
  }
}
