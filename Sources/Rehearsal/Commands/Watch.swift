import RehearsalBase
import Script
import Staging
import Timelines

extension ShellCommand {
  private static let duration = Slot<Located<Duration>>.duration("duration")

  static let watch = ShellCommand(
    definition: CommandDefinition(
      "watch",
      topic: .looking,
      summary: "Lets time pass, and draws what happens.",
      details: [
        "It lets pass 'for D', or else until nothing is left to do, and draws the timeline of all members or of some. At a terminal time goes at its real pace meanwhile, a second a second, and one picture is redrawn as it goes, until Ctrl-C stops it: then it stands as 'watch for' as long as it took."
      ],
      arguments: [.many(.slot(Slot<Located<String>>.member))],
      clauses: [.sequence([.keyword("for"), .slot(duration)])],
      meanings: ["for": "how much time it lets pass"],
      effects: [.looks, .advancesTime, .fitsWidth],
      examples: [
        """
        > loadable profile
        > load profile 1 after 2s
             0.000s  profile  absent → loading #1
        > watch profile for 1s
                   0s         200ms      400ms      600ms      800ms       1s
                   ├──────────┼──────────┼──────────┼──────────┼───────────┤
          profile  ┣#1━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━▶  loading
          ▶ still going on
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    var names: [String] = []
    for name in arguments.all(.member) { names.append(try session.member(name).name) }
    try session.watch(names, for: arguments[duration])
  }
}

/// Somebody who sees time pass, at its real pace.
@MainActor package protocol Audience: AnyObject, Sendable {
  /// Says that time begins to flow.
  func begin()
  /// Waits a while, but not until more than `duration` has passed since it began to flow.
  ///
  /// - Parameters:
  ///   - duration: how much may have passed.
  ///   - descriptor: what ends the waiting early, when it is readable.
  /// - Returns: how much has passed, in whole milliseconds but for the end; nil when a key was pressed.
  func wait(until duration: Duration, wakingFor descriptor: Int32) -> Duration?
  /// How many columns a picture may take now, as wide as it is at that moment.
  var columns: Int { get }
  /// Shows a picture in the place of the one before, cut where it is wider.
  func show(_ picture: [String])
  /// Takes the picture away.
  func end()
}

@MainActor extension Session {
  func watch(_ names: [String], for duration: Located<Duration>?) throws(Diagnostic) {
    if let duration { try clock.requireTime(for: duration.value, span: duration.span) }
    if let audience = clock.audience, !history.isReplaying, execution.sources.isEmpty {
      try watch(names, for: duration, with: audience)
    } else if let duration {
      try clock.advance(by: duration.value, span: duration.span)
    } else {
      try clock.settle(within: nil, span: 0..<5)
    }
    for line in picture(of: names) { output.print(line) }
  }

  private func picture(of names: [String], fitting columns: Int = .max) -> [String] {
    TextTimeline(width: min(options.width, columns) - 2)
      .lines(of: history.recordingUpToNow(), Excerpt(names: names.isEmpty ? nil : names))
  }

  /// Lets time pass as fast as it does outside.
  private func watch(
    _ names: [String],
    for duration: Located<Duration>?,
    with audience: any Audience
  ) throws(Diagnostic) {
    let start = stage.now.elapsed
    let end = duration.map { start + $0.value }
    audience.begin()
    defer { audience.end() }
    while let target = nextTarget(before: end) {
      while stage.now.elapsed < target, !wasStopped() {
        let passed = audience.wait(until: target - start, wakingFor: stage.wakeDescriptor)
        guard let passed else { break }
        try pass(start + passed - stage.now.elapsed)
        audience.show(picture(of: names, fitting: max(40, audience.columns)))
      }
      if stage.now.elapsed < target || execution.interruption != .none {
        return stopWatching(names, after: stage.now.elapsed - start)
      }
      if target == end { break }
    }
    // What is on its way over a socket is waited for as ever.
    if end == nil { try clock.settle(within: nil, span: 0..<5) }
  }

  /// The next instant at which something happens, or the end; nil where both are over.
  private func nextTarget(before end: Duration?) -> Duration? {
    let next = stage.nextInstant?.elapsed
    guard let end else { return next }
    return min(next ?? end, end)
  }

  private func pass(_ duration: Duration) throws(Diagnostic) {
    let text = Array(execution.text.utf8)
    do throws(Diagnostic) {
      try clock.advance(by: duration, span: 0..<min(5, text.count))
    } catch {
      if execution.interruption == .none { throw error }
    }
  }

  /// Whether somebody has stopped the command while nothing ran.
  private func wasStopped() -> Bool {
    if stage.isInterrupted, stage.runReady(limit: SessionClock.mostSteps) == .interrupted {
      execution.interruption = .afterInstant
    }
    return execution.interruption != .none
  }

  private func stopWatching(_ names: [String], after duration: Duration) {
    execution.interruption = .none
    history.amend((["watch"] + names + ["for", duration.compact]).joined(separator: " "))
  }
}
