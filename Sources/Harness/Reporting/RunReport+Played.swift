import Timelines

extension RunReport {
  /// What playing has brought, put in order.
  ///
  /// - Parameters:
  ///   - entries: all files of the run.
  ///   - run: what playing has brought.
  ///   - files: what became of each of them.
  ///   - isComplete: whether each transcript is named, even if it passed. The files are read once more for
  ///     the names and tags.
  ///   - hasTimes: whether it says how long each took.
  init(
    _ entries: [TranscriptSelection.Entry],
    _ run: PlayedRun,
    _ files: [PlayedRun.File],
    isComplete: Bool = false,
    hasTimes: Bool = false
  ) {
    self.init()
    self.isComplete = isComplete
    arrows = run.frames.reduce(into: ArrowCounts()) { $0.merge($1.arrows) }
    var rest = run.frames[...]
    for (index, entry) in entries.enumerated() {
      let frames = rest.prefix { $0.file == index }
      rest = rest.dropFirst(frames.count)
      let file = files[index]
      if file.plays == 0 {
        notPlayed += 1
        var test = TestReport(path: entry.path, outcome: .notPlayed)
        test.reason = run.reason
        tests.append(test)
        continue
      }
      var found = TestReport.tests(frames, of: entry, plays: Int(file.plays))
      passed += max(0, Int(file.transcripts) - found.count { $0.outcome != .passed })
      if found.contains(where: { $0.failures.contains(where: \.problem.isUnread) }) {
        tests += found
        continue
      }
      if !file.isFinished {
        let unplayed = TestReport.unplayed(of: entry, behind: Int(file.transcripts), run.reason)
        notPlayed += unplayed.count
        found += unplayed
      }
      if let fences = Transcripts.fences(entry) {
        for program in fences.others { others[program, default: 0] += 1 }
        notes += fences.unplayed.map { NearMiss.note($0.reason, in: entry.path, line: $0.line) }
        if fences.isEmpty { notes += [NearMiss.note(ofPage: entry.path)].compactMap(\.self) }
      }
      if isComplete || !found.isEmpty {
        let named = Self.named(found, file, entry, hasTimes)
        tests += isComplete ? named : named.filter { $0.outcome != .passed || !$0.failing.isEmpty }
      }
    }
  }

  /// All transcripts of a file, those that passed among them.
  private static func named(
    _ found: [TestReport],
    _ file: PlayedRun.File,
    _ entry: TranscriptSelection.Entry,
    _ hasTimes: Bool
  ) -> [TestReport] {
    var tests: [TestReport] = []
    var rest = found[...]
    var passesLeft = max(0, Int(file.transcripts) - found.count { $0.outcome != .notPlayed })
    for (index, transcript) in Transcripts.load(entry).enumerated() {
      if entry.fences?.contains(index) == false { continue }
      var test: TestReport
      if let next = rest.first, next.fence == transcript.fence {
        test = rest.removeFirst()
      } else if passesLeft > 0 {
        passesLeft -= 1
        test = TestReport(path: entry.path, fence: transcript.fence, outcome: .passed)
      } else {
        continue
      }
      test.name = transcript.name
      test.tags = transcript.tags
      if hasTimes, file.transcripts == 1 { test.time = .microseconds(Int(file.microseconds)) }
      tests.append(test)
    }
    // What a file no longer holds has still been played.
    return tests + rest
  }
}

extension TestReport {
  /// The transcripts of a file that nobody came to, so many having been played before; of a file that has changed
  /// meanwhile those that it has now.
  fileprivate static func unplayed(
    of entry: TranscriptSelection.Entry,
    behind count: Int,
    _ reason: String?
  ) -> [TestReport] {
    let chosen = Transcripts.load(entry).enumerated()
      .filter { entry.fences?.contains($0.offset) != false }
    return chosen.dropFirst(count).map { transcript in
      var test = TestReport(
        path: entry.path,
        fence: transcript.element.fence,
        outcome: .notPlayed
      )
      test.reason = reason
      return test
    }
  }

  /// What did not simply pass in one file, a report for each transcript, in order.
  fileprivate static func tests(
    _ frames: ArraySlice<OutcomeFrame>,
    of entry: TranscriptSelection.Entry,
    plays: Int
  ) -> [TestReport] {
    var tests: [TestReport] = []
    for frame in frames {
      let fence = Transcripts.isMarkdown(entry.path) ? frame.fence + 1 : 0
      switch frame.outcome {
      case .passed, .proposed: continue
      case .updated:
        var test = TestReport(path: entry.path, fence: fence, outcome: .updated)
        test.failing = frame.failing
        tests.append(test)
      case .failed(let failures):
        if let last = tests.indices.last, tests[last].fence == fence {
          tests[last].plays?.failed += 1
          tests[last].plays?.passed -= 1
        } else {
          var test = TestReport(path: entry.path, fence: fence, outcome: .failed)
          test.failures = failures
          test.recording = frame.recording
          if plays > 1 { test.plays = Plays(passed: plays - 1, failed: 1) }
          tests.append(test)
        }
      }
    }
    for index in tests.indices where (tests[index].plays?.passed ?? 0) > 0 {
      tests[index].outcome = .flaky
    }
    for frame in frames where frame.outcome == .passed && !frame.failing.isEmpty {
      let fence = Transcripts.isMarkdown(entry.path) ? frame.fence + 1 : 0
      guard !tests.contains(where: { $0.fence == fence }) else { continue }
      var test = TestReport(path: entry.path, fence: fence, outcome: .passed)
      test.failing = frame.failing
      tests.append(test)
    }
    return tests.sorted(by: TestReport.precedes)
  }
}
