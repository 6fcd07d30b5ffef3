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
      summary: "Advances time and draws the timeline.",
      details: [
        "Time advances 'for D', or until nothing is left to do. The picture shows all members or the named ones. At a terminal, time passes at its real pace and the picture is updated until Ctrl-C. Then the command is recorded as 'watch for D', with the time that passed."
      ],
      arguments: [.many(.slot(Slot<Located<String>>.member))],
      clauses: [.sequence([.keyword("for"), .slot(duration)])],
      meanings: ["for": "the duration"],
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

/// A display that shows time pass at its real pace, such as a terminal.
@MainActor package protocol Audience: AnyObject, Sendable {
  /// Starts real time.
  func begin()
  /// Waits until `duration` has passed since `begin()`, a key is pressed, or the descriptor is
  /// readable.
  ///
  /// - Parameters:
  ///   - duration: the time since `begin()` at which to return.
  ///   - descriptor: a file descriptor that ends the wait when it is readable.
  /// - Returns: the time since `begin()`, in whole milliseconds except at the end; nil if a key was
  ///   pressed.
  func wait(until duration: Duration, wakingFor descriptor: Int32) -> Duration?
  /// The width for pictures in columns, which can change at any time.
  var columns: Int { get }
  /// Replaces the previous picture. Lines that are too wide are cut.
  func show(_ picture: [String])
  /// Removes the picture.
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

  /// Advances time at its real pace.
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
    // Requests over a socket are awaited as without a display.
    if end == nil { try clock.settle(within: nil, span: 0..<5) }
  }

  /// Returns the next instant at which something happens, at most `end`; nil if there is none.
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

  /// Whether the user has stopped the command while no job ran.
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
