/// What playing has brought, before anybody makes a report of it.
struct PlayedRun {
  let order: PlayOrder
  /// Places in front of which the run counts: what was played behind them is as if it had not been.
  let end: Int
  /// What did not simply pass or is counted, in the order of paths.
  var frames: [OutcomeFrame]
  /// How many transcripts passed, by place.
  private let passes: [Int]
  /// The real time that was taken, by place.
  private let microseconds: [Int]
  /// Whether the file was played to its end, by place.
  private let isFinished: [Bool]
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
    passes: (Int) -> Int,
    microseconds: (Int) -> Int,
    isFinished: (Int) -> Bool,
    failFast: Bool,
    reason: String? = nil
  ) {
    self.order = order
    var end = end
    var reason = reason
    if failFast, let first = frames.filter(\.hasFailed).map(\.place).min(),
      first < order.files.count - 1
    {
      end = min(end, first + 1)
      reason = "the run ended at the first failure"
    }
    self.end = end
    self.reason = end < order.files.count ? reason : nil
    self.frames = frames.filter { $0.place < end }
      .sorted { ($0.file, $0.fence, $0.place) < ($1.file, $1.fence, $1.place) }
    self.passes = (0..<end).map(passes)
    self.microseconds = (0..<end).map(microseconds)
    self.isFinished = (0..<end).map(isFinished)
  }

  /// What became of one file, over all its playings.
  struct File {
    /// How many times it was played; none where the run ended before.
    var plays = 0
    /// How many transcripts it holds that were played.
    var transcripts = 0
    /// How many of its transcripts passed, summed over all playings.
    var passes = 0
    /// The longest that a playing took.
    var microseconds = 0
    /// Whether it was played to its end at least once.
    var isFinished = false
  }

  /// How many places were played to their end.
  var finished: Int { isFinished.count(where: \.self) }

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
    var others = Array(repeating: 0, count: end)
    for frame in frames where frame.hasFailed || frame.outcome == .updated {
      others[frame.place] += 1
    }
    // A worker that was ended may have taken a place and not have begun with its file.
    for place in 0..<end where isFinished[place] || passes[place] + others[place] > 0 {
      let index = order.files[place]
      files[index].plays += 1
      files[index].passes += passes[place]
      files[index].transcripts = max(files[index].transcripts, passes[place] + others[place])
      files[index].microseconds = max(files[index].microseconds, microseconds[place])
      files[index].isFinished = files[index].isFinished || isFinished[place]
    }
    return files
  }
}

extension OutcomeFrame {
  var hasFailed: Bool { if case .failed = outcome { true } else { false } }
}
