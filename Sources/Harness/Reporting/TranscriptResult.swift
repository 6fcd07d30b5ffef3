import RehearsalBase
package import Timelines

/// The result of one transcript in a run, over all its plays.
package struct TranscriptResult: Sendable, Equatable {
  /// The kind of result.
  package enum Outcome: String, Codable, Sendable, CaseIterable {
    case passed
    /// The output differed and was accepted.
    case updated
    case failed
    /// It was played more than once with different results. The run fails.
    case flaky
    /// It failed or was flaky, and is listed as known to be flaky. The run does not fail for it.
    case knownFlaky
    /// It was selected but never started; `reason` says why.
    case notReplayed
  }

  /// The number of plays, unless it is 1.
  package struct Plays: Sendable, Equatable {
    package var passed: Int
    package var failed: Int

    package init(passed: Int, failed: Int) {
      self.passed = passed
      self.failed = failed
    }
  }

  /// The file's path as it was given.
  package var path: String
  /// The number of the fence in a Markdown file, from 1; 0 for a file that is one transcript.
  package var fence: Int
  /// Its first comment; nil if it has none or names were not requested.
  package var name: String?
  /// The tags that select it.
  package var tags: [String] = []
  package var outcome: Outcome
  /// If it passed, the commands that failed as it expects; if it was updated, the commands whose failure was accepted.
  package var failing: [FailingCommand] = []
  /// All failures, in the order of the file.
  package var failures: [TranscriptFailure] = []
  /// Why it was not played, or why it is known to fail.
  package var reason: String?
  package var plays: Plays?
  /// The real time it took; nil if it was not measured or not requested.
  package var time: Duration?
  /// The recorded run, if it failed and a reporter draws pictures.
  package var recording: Recording?

  package init(path: String, fence: Int = 0, outcome: Outcome) {
    self.path = path
    self.fence = fence
    self.outcome = outcome
  }

  /// The path, and the number of the fence if it is in Markdown.
  package var place: String { fence > 0 ? "\(path), code block \(fence)" : path }

  /// Whether it fails the run.
  package var isFailure: Bool { outcome == .failed || outcome == .flaky }

  /// Whether it passed although something failed as expected: a known bug, or an example of a failure.
  package var expectsFailure: Bool {
    outcome == .passed && failing.contains { $0.kind != .shown }
  }

  /// Whether it passed, and its expected output shows each failure of a command, for example of a mistyped one.
  package var onlyShowsFailures: Bool {
    outcome == .passed && !failing.isEmpty && !expectsFailure
  }

  /// Whether failure lines follow it in JSON.
  var mayHaveFailures: Bool { isFailure || outcome == .knownFlaky }

  /// That it is flaky, and the numbers of passed and failed plays; nil if it is not flaky.
  package var flakiness: String? {
    let words: String
    switch outcome {
    case .flaky: words = "flaky"
    case .knownFlaky: words = "known to be flaky"
    case .passed, .updated, .failed, .notReplayed: return nil
    }
    guard let plays else { return words }
    return words + ": passed \(Self.times(plays.passed)), failed \(Self.times(plays.failed))"
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  /// The program that can accept the difference; nil for a flaky transcript, which would differ again.
  func accepting(_ program: String) -> String? { outcome == .flaky ? nil : program }

  /// Whether a result comes before another one in reports: by the bytes of the path, then by fence.
  package static func precedes(_ first: TranscriptResult, _ second: TranscriptResult) -> Bool {
    if first.path == second.path { return first.fence < second.fence }
    return first.path.utf8.lexicographicallyPrecedes(second.path.utf8)
  }
}

/// The fields of a report line. The lines of its failures follow.
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
    // A recording in a newer format must not make the report unreadable.
    recording = try? fields.decodeIfPresent(Recording.self, forKey: .recording)
  }
}
