import Timelines

extension RunReport {
  /// What workers have said, put in order.
  ///
  /// - Parameters:
  ///   - entries: all files of the run.
  ///   - frames: what did not simply pass or is counted, in any order.
  ///   - passes: how many transcripts of a file passed, by its index.
  ///   - failFast: whether only the first file that failed counts.
  ///   - isComplete: whether each transcript is named, with its name and tags, even if it passed. The
  ///     files are read once more for that.
  init(
    _ entries: [TranscriptSelection.Entry],
    _ frames: [OutcomeFrame],
    passes: (Int) -> Int,
    failFast: Bool,
    isComplete: Bool = false
  ) {
    self.init()
    let sorted = frames.sorted { ($0.file, $0.fence) < ($1.file, $1.fence) }
    let first = sorted.first { if case .failed = $0.outcome { true } else { false } }?.file
    let last = failFast ? first ?? entries.count - 1 : entries.count - 1
    let counted = sorted.filter { $0.file <= last }
    arrows = counted.reduce(into: ArrowCounts()) { $0.merge($1.arrows) }
    passed = (0..<max(0, last + 1)).reduce(0) { $0 + passes($1) }
    notPlayed = entries.count - 1 - last
    others = entries.prefix(last + 1).flatMap { Transcripts.othersFences($0) }
      .reduce(into: [:]) { $0[$1, default: 0] += 1 }
    self.isComplete = isComplete
    if isComplete {
      addAll(entries.prefix(last + 1), counted, passes)
    } else {
      tests = counted.compactMap { frame in
        TestReport(frame, of: entries[frame.file], fence: frame.fence + 1)
      }
    }
  }

  private mutating func addAll(
    _ entries: ArraySlice<TranscriptSelection.Entry>,
    _ frames: [OutcomeFrame],
    _ passes: (Int) -> Int
  ) {
    var rest = frames[...]
    for (file, entry) in entries.enumerated() {
      var passesLeft = passes(file)
      for (index, transcript) in Transcripts.load(entry).enumerated() {
        var frame: OutcomeFrame?
        if let next = rest.first, next.file == file, next.fence == index {
          frame = rest.removeFirst()
        }
        var test = frame.flatMap { TestReport($0, of: entry, fence: transcript.fence) }
        if test == nil, passesLeft > 0 {
          passesLeft -= 1
          test = TestReport(path: entry.path, fence: transcript.fence, outcome: .passed)
        }
        guard var test else { continue }
        test.name = transcript.name
        test.tags = transcript.tags
        tests.append(test)
      }
      // What a file no longer holds has still been played.
      while let next = rest.first, next.file == file {
        rest.removeFirst()
        if let test = TestReport(next, of: entry, fence: next.fence + 1) { tests.append(test) }
      }
    }
  }
}

extension TestReport {
  /// Nil for one that passed.
  fileprivate init?(
    _ frame: OutcomeFrame,
    of entry: TranscriptSelection.Entry,
    fence: Int
  ) {
    let isMarkdown = Transcripts.isMarkdown(entry.path)
    switch frame.outcome {
    case .passed, .proposed: return nil
    case .updated: self.init(path: entry.path, fence: isMarkdown ? fence : 0, outcome: .updated)
    case .failed(let failures):
      self.init(path: entry.path, fence: isMarkdown ? fence : 0, outcome: .failed)
      self.failures = failures
      recording = frame.recording
    }
  }
}
