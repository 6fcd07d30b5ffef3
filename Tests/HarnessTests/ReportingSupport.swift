import Timelines

@testable import Harness

/// A generator of pseudorandom numbers from a seed.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

/// Texts that are difficult for report formats.
private let awkward = [
  "plain", "a # hash \\ and back", "<b> & \"quotes\" ]]>", "50% of a:b, c", "😀 é \u{FFFE}",
  "::error::x",
  "``` fence ````", "| pipe * star _ @everyone", "tab\there", "\u{1B}[31mred\u{7}", "...", "---",
  "ok 1 - no",
]

extension TranscriptResult {
  static func random(_ index: Int, _ numbers: inout SeededNumbers) -> TranscriptResult {
    var test = TranscriptResult(path: "t/\(index % 7)/\(index).transcript", outcome: .passed)
    if index % 5 == 4 {
      test.path = "docs/\(index / 10).md"
      test.fence = index + 1
    }
    test.outcome = Outcome.allCases.randomElement(using: &numbers) ?? .passed
    test.name = Bool.random(using: &numbers) ? awkward.randomElement(using: &numbers) : nil
    test.tags = Bool.random(using: &numbers) ? ["slow", "http"] : []
    test.time = .microseconds(Int.random(in: 0..<5_000_000, using: &numbers))
    switch test.outcome {
    case .passed:
      let kinds: [FailingCommand.Kind?] = [nil, .assertion, .hidden, .shown]
      if let kind = kinds.randomElement(using: &numbers) ?? nil {
        let text = awkward.randomElement(using: &numbers) ?? ""
        test.failing = [FailingCommand(block: 1, line: 3, kind: kind, text: text)]
      }
    case .updated: break
    case .notReplayed: test.reason = awkward.randomElement(using: &numbers)
    case .failed: test.failures = failures(of: test.path, &numbers)
    case .flaky, .knownFlaky:
      test.plays = Plays(passed: 3, failed: 2)
      test.failures = failures(of: test.path, &numbers)
    }
    if !test.failures.isEmpty { test.recording = .sample }
    return test
  }

  private static func failures(
    of path: String,
    _ numbers: inout SeededNumbers
  ) -> [TranscriptFailure] {
    let problems: [TranscriptProblem] = [
      .differs(after: nil), .differs(after: 3), .tooLong, .stray(.conflictMarker), .endedEarly,
      .crashed(signal: 11), .needsOwnProcess, .exited(status: 3),
      .slow(limitInMilliseconds: 10_000),
      .noCommand,
      .file(.notUTF8(line: 7)), .file(.missing), .stray(.outsideFixture("<x>")),
      .stray(.unindented), .stray(.conflict(lastLine: 12)),
    ]
    return (0...Int.random(in: 0...2, using: &numbers)).map { _ in
      let problem = problems.randomElement(using: &numbers) ?? .tooLong
      let line = Int.random(in: 0...40, using: &numbers)
      var failure = TranscriptFailure(path: path, line: line, problem: problem)
      failure.command = Bool.random(using: &numbers) ? "load a\n  1" : nil
      failure.diff = awkward.shuffled(using: &numbers).prefix(4).enumerated().map {
        .init([.same, .expected, .actual][$0.offset % 3], $0.element)
      }
      failure.notes = Array(awkward.shuffled(using: &numbers).prefix(1))
      return failure
    }
  }
}

extension RunReport {
  /// A run with a number of transcripts, every outcome and every difficult text.
  static func random(count: Int, seed: UInt64) -> RunReport {
    var numbers = SeededNumbers(seed)
    var report = RunReport()
    report.version = "1.0"
    report.isComplete = true
    report.tests = (0..<count).map { .random($0, &numbers) }.sorted(by: TranscriptResult.precedes)
    report.settle()
    report.others = ["SearchShell": 3]
    report.transitions = TransitionCounts(.sample)
    return report
  }

  /// Recomputes the counts from the transcripts.
  mutating func settle() {
    passed = tests.count { $0.outcome == .passed }
    notReplayed = tests.count { $0.outcome == .notReplayed }
  }

  /// Two transcripts, of which one differs.
  static var small: RunReport {
    var report = RunReport()
    report.version = "1.0"
    report.isComplete = true
    var good = TranscriptResult(path: "a/good.transcript", outcome: .passed)
    good.name = "A load settles."
    var bad = TranscriptResult(path: "b/bad.transcript", outcome: .failed)
    bad.tags = ["slow"]
    var failure = TranscriptFailure(
      path: bad.path,
      line: 5,
      problem: .differs(after: nil)
    )
    failure.command = "settle"
    failure.diff = [
      .init(.same, "   0.000s  a  absent → loading #1"),
      .init(.expected, "   1.000s  a  loading #1 → loaded 1"),
      .init(.actual, "   2.000s  a  loading #1 → loaded 2"),
    ]
    failure.acceptance = "test --update b/bad.transcript"
    bad.failures = [failure]
    bad.recording = .sample
    report.tests = [good, bad]
    report.passed = 1
    return report
  }
}

extension Recording {
  /// One load that takes two seconds.
  static var sample: Recording {
    var recording = Recording()
    let lane = recording.addLane(
      .init(
        name: "a",
        word: "loadable",
        initial: "absent",
        phase: .resting,
        machine: "loadable latest"
      )
    )
    let command = recording.begin("load a 2 after 2s", at: .zero)
    recording.append(
      .init(
        time: .zero,
        lane: lane,
        attempt: 1,
        kind: .started(replacing: nil, silently: false),
        state: "loading",
        phase: .inFlight,
        cause: command
      )
    )
    recording.print("   0.000s  a  absent → loading #1")
    _ = recording.begin("settle", at: .zero)
    recording.append(
      .init(
        time: .seconds(2),
        lane: lane,
        attempt: 1,
        kind: .ended(.succeeded, dropped: false),
        state: "loaded 2",
        phase: .succeeded,
        answer: "2",
        cause: command
      )
    )
    return recording
  }
}
