import Exploring
import Harness

/// What is shown of a search on a terminal while it runs.
struct SearchProgress {
  private let screen: ShellScreen
  private let stop: SearchStop
  private let budget: Int?
  private var lastTime = 0

  /// - Parameters:
  ///   - screen: where it is shown.
  ///   - stop: when the search ends.
  ///   - budget: how many runs it takes at most; nil where nobody has said.
  init(_ screen: ShellScreen, until stop: SearchStop, budget: Int?) {
    self.screen = screen
    self.stop = stop
    self.budget = budget
  }

  /// Shows it, ten times a second at most, and nothing of a search that is done at once.
  mutating func show(_ findings: Findings, runs: Int) {
    let time = ProcessControl.milliseconds - stop.start
    guard time >= 500, time - lastTime >= 100 else { return }
    lastTime = time
    screen.show(note: Self.text(findings, runs: runs, time: time, stop, budget))
  }

  func end() { screen.show(note: nil) }

  /// The note, `time` milliseconds after the beginning.
  static func text(
    _ findings: Findings,
    runs: Int,
    time: Int,
    _ stop: SearchStop,
    _ budget: Int?
  ) -> String {
    var parts = ["\(runs) runs", "\(findings.behaviours) behaviours"]
    if !findings.breaches.isEmpty { parts.append("\(findings.breaches.count) failing") }
    parts.append("\(runs * 1_000 / max(1, time))/s")
    if let share = share(of: findings) { parts.append(share) }
    if let left = timeLeft(runs: runs, time: time, stop, budget) { parts.append("\(left) s left") }
    return (parts + ["Ctrl-C stops"]).joined(separator: " · ")
  }

  /// How much of all there is was seen.
  private static func share(of findings: Findings) -> String? {
    let guessed = findings.guessedSchedules.map { Double(findings.schedules) / $0 }
    guard !findings.isInOrder, let share = guessed else { return nil }
    return share < 0.01 ? "< 1 % of all" : "\(Int(share * 100)) % of all"
  }

  /// In seconds, by the budget of runs and of time; nil where there is none.
  private static func timeLeft(
    runs: Int,
    time: Int,
    _ stop: SearchStop,
    _ budget: Int?
  ) -> Int? {
    let byRuns = budget.map { max(0, $0 - runs) * time / max(1, runs) }
    let byTime = stop.limitInMilliseconds.map { max(0, $0 - time) }
    return [byRuns, byTime].compactMap { $0 }.min().map { ($0 + 999) / 1_000 }
  }
}
