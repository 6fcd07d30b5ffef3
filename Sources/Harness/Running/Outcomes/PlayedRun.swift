/// What playing has brought, before anybody makes a report of it: as long as those are there whom it asks.
struct PlayedRun {
  let order: PlayOrder
  /// Places in front of which the run counts: what was played behind them is as if it had not been.
  let end: Int
  /// What did not simply pass or is counted, in the order of paths.
  var frames: [OutcomeFrame]
  /// How many transcripts passed, by place.
  private let passes: (Int) -> Int
  /// The real time that was taken, by place.
  private let microseconds: (Int) -> Int
  /// Whether the file was played to its end, by place.
  private let isFinished: (Int) -> Bool
  /// Why not everything was played.
  let reason: String?

  /// - Parameters:
  ///   - order: in which the files were played.
  ///   - end: the number of places that were played.
  ///   - frames: what was reported, in any order.
  ///   - passes: how many transcripts passed, by place.
  ///   - microseconds: the real time that was taken, by place.
  ///   - isFinished: whether the file was played to its end, by place.
  ///   - failFast: whether only the first failure counts.
  ///   - reason: why not everything was played, unless it is for a failure.
  init(
    _ order: PlayOrder,
    end: Int,
    frames: [OutcomeFrame],
    passes: @escaping (Int) -> Int,
    microseconds: @escaping (Int) -> Int,
    isFinished: @escaping (Int) -> Bool,
    failFast: Bool,
    reason: String? = nil
  ) {
    self.order = order
    var end = end
    var reason = reason
    if failFast, let first = frames.filter(\.hasFailed).map(\.place).min() {
      end = min(end, first + 1)
      reason = "the run ended at the first failure"
    }
    self.end = end
    self.reason = reason
    self.frames = frames.filter { $0.place < end }
      .sorted { ($0.file, $0.fence, $0.place) < ($1.file, $1.fence, $1.place) }
    self.passes = passes
    self.microseconds = microseconds
    self.isFinished = isFinished
  }

  /// What became of one file, over all its playings. Small, since there may be very many.
  struct File {
    /// How many of its transcripts passed, summed over all playings.
    var passes = 0
    /// How many times it was played; none where the run ended before.
    var plays: UInt32 = 0
    /// How many transcripts it holds that were played.
    var transcripts: UInt32 = 0
    /// The longest that a playing took.
    var microseconds: UInt32 = 0
    /// Whether it was played to its end at least once.
    var isFinished = false
  }

  /// How many places were played to their end.
  var finished: Int { (0..<end).count(where: isFinished) }

  /// What the transcripts of each file read.
  func readings(of entries: [TranscriptSelection.Entry]) -> [String: [FileReading]] {
    var readings: [String: [FileReading]] = [:]
    for frame in frames where !frame.readings.isEmpty {
      readings[entries[frame.file].path, default: []] += frame.readings
    }
    return readings
  }

  /// What became of each file.
  func files(count: Int) -> [File] {
    var files = Array(repeating: File(), count: count)
    var others: [Int: Int] = [:]
    for frame in frames where frame.hasFailed || frame.outcome.isUpdated {
      others[frame.place, default: 0] += 1
    }
    for place in 0..<end {
      let passes = passes(place)
      let transcripts = passes + others[place, default: 0]
      let isFinished = isFinished(place)
      // A worker that was ended may have taken a place and not have begun with its file.
      guard isFinished || transcripts > 0 else { continue }
      let index = order.files[place]
      files[index].plays += 1
      files[index].passes += passes
      files[index].transcripts = max(files[index].transcripts, UInt32(transcripts))
      let time = UInt32(clamping: microseconds(place))
      files[index].microseconds = max(files[index].microseconds, time)
      files[index].isFinished = files[index].isFinished || isFinished
    }
    return files
  }
}

extension OutcomeFrame {
  var hasFailed: Bool { if case .failed = outcome { true } else { false } }
}
