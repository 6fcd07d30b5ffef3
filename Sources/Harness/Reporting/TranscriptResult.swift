import RehearsalBase
package import Timelines

/// The result of one transcript in a run, over all its playings.
package struct TranscriptResult: Sendable, Equatable {
  /// What became of it.
  package enum Outcome: String, Codable, Sendable, CaseIterable {
    case passed
    /// It differed, and what it printed was accepted.
    case updated
    case failed
    /// It was played more than once, and did not always end the same way. The run fails.
    case flaky
    /// It failed or was flaky, and is known to. The run does not fail for that.
    case knownFlaky
    /// It was chosen, and never begun; `reason` says why.
    case notPlayed
  }

  /// How often it was played, where that is not just once.
  package struct Plays: Sendable, Equatable {
    package var passed: Int
    package var failed: Int

    package init(passed: Int, failed: Int) {
      self.passed = passed
      self.failed = failed
    }
  }

  /// The file, as its path was given.
  package var path: String
  /// Which fence of a Markdown file it is, from 1; 0 for a file of its own.
  package var fence: Int
  /// What it proves, in its own words; nil where it does not say or nobody asked.
  package var name: String?
  /// Words by which it can be chosen.
  package var tags: [String] = []
  package var outcome: Outcome
  /// If it passed, the commands that failed as it expects; if it was updated, the commands whose failure was accepted.
  package var failing: [FailingCommand] = []
  /// All that is wrong, in the order of the file.
  package var failures: [TranscriptFailure] = []
  /// Why it was not played, or is known to fail.
  package var reason: String?
  package var plays: Plays?
  /// The real time it took; nil where nobody measured or wants to know.
  package var time: Duration?
  /// What happened in it, where it failed and a reporter draws pictures.
  package var recording: Recording?

  package init(path: String, fence: Int = 0, outcome: Outcome) {
    self.path = path
    self.fence = fence
    self.outcome = outcome
  }

  /// The path, and which fence of the file it is where it lies in Markdown.
  package var place: String { fence > 0 ? "\(path), fence \(fence)" : path }

  /// Whether the run fails for it.
  package var isFailure: Bool { outcome == .failed || outcome == .flaky }

  /// Whether it passed because something failed as it expects: a known bug, or an example of a failure.
  package var expectsFailure: Bool {
    outcome == .passed && failing.contains { $0.kind != .shown }
  }

  /// Whether it passed, and its expected output shows each failure of a command, for example of a mistyped one.
  package var onlyShowsFailures: Bool {
    outcome == .passed && !failing.isEmpty && !expectsFailure
  }

  /// Whether failures are listed behind it in lines of JSON.
  var mayHaveFailures: Bool { isFailure || outcome == .knownFlaky }

  /// That it is flaky, and how often it passed and failed; nil where it is not.
  package var flakiness: String? {
    let words: String
    switch outcome {
    case .flaky: words = "flaky"
    case .knownFlaky: words = "known to be flaky"
    case .passed, .updated, .failed, .notPlayed: return nil
    }
    guard let plays else { return words }
    return words + ": passed \(Self.times(plays.passed)), failed \(Self.times(plays.failed))"
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  /// The program that can accept what differs; nil where that would only be accepted until the next time.
  func accepting(_ program: String) -> String? { outcome == .flaky ? nil : program }

  /// Before another one in every report: by the bytes of the path, then by fence.
  package static func precedes(_ first: TranscriptResult, _ second: TranscriptResult) -> Bool {
    if first.path == second.path { return first.fence < second.fence }
    return first.path.utf8.lexicographicallyPrecedes(second.path.utf8)
  }
}

/// The fields of a line of a report. The lines of its failures follow.
extension TranscriptResult: Codable {
  private enum CodingKeys: String, CodingKey {
    case path, fence, name, tags, outcome, expectsFailure, failing, reason, passes, fails, time
    case recording
  }

  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(path, forKey: .path)
    try fields.encode(fence, unless: 0, forKey: .fence)
    try fields.encodeIfPresent(name, forKey: .name)
    try fields.encode(tags, unless: [], forKey: .tags)
    try fields.encode(outcome, forKey: .outcome)
    try fields.encode(expectsFailure, unless: false, forKey: .expectsFailure)
    try fields.encode(failing, unless: [], forKey: .failing)
    try fields.encodeIfPresent(reason, forKey: .reason)
    try fields.encodeIfPresent(plays?.passed, forKey: .passes)
    try fields.encodeIfPresent(plays?.failed, forKey: .fails)
    try fields.encodeIfPresent(time, forKey: .time)
    try fields.encodeIfPresent(recording, forKey: .recording)
  }

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let outcome = try fields.decode(Outcome.self, forKey: .outcome)
    let path = try fields.decode(String.self, forKey: .path)
    self.init(path: path, fence: try fields.count(.fence), outcome: outcome)
    failing = try fields.decodeIfPresent([FailingCommand].self, forKey: .failing) ?? []
    guard try fields.decodeIfPresent(Bool.self, forKey: .expectsFailure) ?? false == expectsFailure
    else {
      let path = fields.codingPath + [CodingKeys.expectsFailure]
      throw JSONMismatch(path, .refused("does not agree with 'failing'"))
    }
    name = try fields.decodeIfPresent(String.self, forKey: .name)
    tags = try fields.decodeIfPresent([String].self, forKey: .tags) ?? []
    reason = try fields.decodeIfPresent(String.self, forKey: .reason)
    if fields.contains(.passes), fields.contains(.fails) {
      plays = Plays(passed: try fields.count(.passes), failed: try fields.count(.fails))
    }
    if fields.contains(.time) {
      time = try? fields.decode(Duration.self, forKey: .time)
      guard let time, time <= .seconds(10_000_000_000) else {
        throw JSONMismatch(
          fields.codingPath + [CodingKeys.time],
          .refused("is longer than any run")
        )
      }
    }
    // A recording of a later program is no reason to refuse the report.
    recording = try? fields.decodeIfPresent(Recording.self, forKey: .recording)
  }
}
