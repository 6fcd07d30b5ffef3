import Timelines

/// The counts of one file over all its plays, and the report of the run made from them. Small, because a run may have
/// very many files.
struct FileCounts {
  /// Number of passed transcripts over all plays.
  var passes = 0
  /// Number of plays; 0 if the run ended before.
  var plays: UInt32 = 0
  /// Number of its transcripts that were played.
  var transcripts: UInt32 = 0
  /// The longest real time of a play.
  var microseconds: UInt32 = 0
  /// Whether it was played to its end at least once.
  var isFinished = false

  /// The counts of one play: passed transcripts, their real time, and whether the file was played to its end.
  typealias AtPlace = (passes: Int, microseconds: Int, isFinished: Bool)

  /// Adds up the plays of a run.
  ///
  /// - Parameters:
  ///   - plan: the files and their order.
  ///   - end: the number of plays that count.
  ///   - plays: the results of these plays.
  ///   - place: returns the counts of a play.
  /// - Returns: the counts of each file.
  static func all(
    _ plan: RunPlan,
    end: Int,
    _ plays: [TranscriptPlay],
    place: (Int) -> AtPlace
  ) -> [FileCounts] {
    var files = Array(repeating: FileCounts(), count: plan.entries.count)
    var others: [Int: Int] = [:]
    for play in plays where play.outcome == .failed || play.outcome == .updated {
      others[play.place, default: 0] += 1
    }
    for number in 0..<end {
      let place = place(number)
      let transcripts = place.passes + others[number, default: 0]
      // A worker that was ended may have claimed a play without starting it.
      guard place.isFinished || transcripts > 0 else { continue }
      let index = plan.order.files[number]
      files[index].plays += 1
      files[index].passes += place.passes
      files[index].transcripts = max(files[index].transcripts, UInt32(transcripts))
      let time = UInt32(clamping: place.microseconds)
      files[index].microseconds = max(files[index].microseconds, time)
      files[index].isFinished = files[index].isFinished || place.isFinished
    }
    return files
  }
}

extension RunReport {
  /// The report of the results of a run.
  ///
  /// - Parameters:
  ///   - entries: all files of the run.
  ///   - plays: the results, in the order of files, transcripts and positions.
  ///   - files: the counts of each file.
  ///   - reason: why not everything was played; nil if it was.
  ///   - isComplete: whether it names passed transcripts, too. The files are read again for names and tags.
  ///   - hasTimes: whether it has the real time of each transcript.
  ///   - mayRead: whether there is time to read another file again.
  init(
    _ entries: [TranscriptSelection.Entry],
    _ plays: [TranscriptPlay],
    _ files: [FileCounts],
    reason: String?,
    isComplete: Bool,
    hasTimes: Bool,
    mayRead: () -> Bool
  ) {
    self.init()
    self.isComplete = isComplete
    for play in plays { transitions.merge(play.transitions) }
    var rest = plays[...]
    for (index, entry) in entries.enumerated() {
      let plays = rest.prefix { $0.file == index }
      rest = rest.dropFirst(plays.count)
      let file = files[index]
      if file.plays == 0 {
        notReplayed += 1
        tests.append(.notReplayed(entry.path, reason: reason))
        continue
      }
      var found = TranscriptResult.results(of: plays, in: entry, plays: Int(file.plays))
      passed += max(0, Int(file.transcripts) - found.count { $0.outcome != .passed })
      if found.contains(where: { $0.failures.contains(where: \.problem.isUnread) }) {
        tests += found
        continue
      }
      if !mayRead() {
        unreadFiles += 1
        notReplayed += file.isFinished ? 0 : 1
        tests += found + (file.isFinished ? [] : [.notReplayed(entry.path, reason: reason)])
        continue
      }
      if !file.isFinished {
        let chosen = Transcripts.chosen(of: entry).dropFirst(Int(file.transcripts))
        notReplayed += chosen.count
        found += chosen.map { .notReplayed(entry.path, fence: $0.fence, reason: reason) }
      }
      var remarks = FileRemarks()
      for note in plays.flatMap(\.notes) where !remarks.notes.contains(note) {
        remarks.notes.append(note)
      }
      if let fences = Transcripts.fences(entry) {
        for program in fences.others { remarks.others[program, default: 0] += 1 }
        remarks.notes += fences.unplayed.map {
          NearMiss.note($0.reason, in: entry.path, line: $0.line)
        }
        if fences.isEmpty {
          remarks.notes += [NearMiss.note(ofPage: entry.path)].compactMap(\.self)
        }
      }
      if remarks != FileRemarks() {
        remarksOfFiles[entry.path] = remarks
        others.merge(remarks.others, uniquingKeysWith: +)
        notes += remarks.notes
      }
      if !isComplete, found.isEmpty { continue }
      // Failures of transcripts that are no longer in the file come last.
      var unnamed = found[...]
      var passesLeft = max(0, Int(file.transcripts) - found.count { $0.outcome != .notReplayed })
      for transcript in Transcripts.chosen(of: entry) {
        var test = TranscriptResult(path: entry.path, fence: transcript.fence, outcome: .passed)
        if unnamed.first?.fence == transcript.fence {
          test = unnamed.removeFirst()
        } else if passesLeft > 0 {
          passesLeft -= 1
        } else {
          continue
        }
        test.name = transcript.name
        test.tags = transcript.tags
        if hasTimes, file.transcripts == 1 { test.time = .microseconds(Int(file.microseconds)) }
        if isComplete || test.outcome != .passed || !test.failing.isEmpty { tests.append(test) }
      }
      tests += unnamed.filter { isComplete || $0.outcome != .passed || !$0.failing.isEmpty }
    }
  }
}

extension TranscriptResult {
  fileprivate static func notReplayed(
    _ path: String,
    fence: Int = 0,
    reason: String?
  ) -> TranscriptResult {
    var test = TranscriptResult(path: path, fence: fence, outcome: .notReplayed)
    test.reason = reason
    return test
  }

  /// Returns the results of a file's transcripts that did not simply pass, in order.
  fileprivate static func results(
    of all: ArraySlice<TranscriptPlay>,
    in entry: TranscriptSelection.Entry,
    plays: Int
  ) -> [TranscriptResult] {
    let isPage = Transcripts.isMarkdown(entry.path)
    let failed = Dictionary(grouping: all.filter(\.hasFailed), by: \.fence).mapValues(\.count)
    var tests: [TranscriptResult] = []
    for play in all where play.outcome != .proposed {
      let (failures, fence) = (failed[play.fence] ?? 0, isPage ? play.fence + 1 : 0)
      // All plays of a transcript have one result: that of the first failed play.
      guard tests.last?.fence != fence, play.hasFailed || failures == 0 else { continue }
      if play.outcome == .passed, play.failing.isEmpty { continue }
      let outcome: Outcome =
        play.outcome == .updated ? .updated : play.hasFailed ? .failed : .passed
      var test = TranscriptResult(path: entry.path, fence: fence, outcome: outcome)
      (test.failures, test.failing) = (play.failures, play.failing)
      if play.hasFailed {
        test.recording = play.recording
        if plays > 1 { test.plays = Plays(passed: plays - failures, failed: failures) }
        if plays > failures { test.outcome = .flaky }
      }
      tests.append(test)
    }
    return tests
  }
}

extension Transcripts {
  /// The selected transcripts of a file.
  static func chosen(of entry: TranscriptSelection.Entry) -> [Transcript] {
    load(entry).enumerated().filter { entry.fences?.contains($0.offset) != false }.map(\.element)
  }
}
