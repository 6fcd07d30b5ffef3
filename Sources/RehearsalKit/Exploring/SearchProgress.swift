import Exploring
import Harness
import RehearsalBase

/// The progress line of a search.
struct SearchProgress {
  private let stop: SearchStop
  private let budget: Int?
  private var lastTime = 0

  /// - Parameters:
  ///   - stop: when the search ends.
  ///   - budget: the maximum number of runs; nil if there is no limit.
  init(until stop: SearchStop, budget: Int?) {
    self.stop = stop
    self.budget = budget
  }

  /// The time before the first progress line. A short search shows none.
  private static let delayInMilliseconds = 500

  /// Returns the progress, at most ten times a second; nil if there is nothing to show.
  mutating func news(_ found: Findings) -> String? {
    let time = stop.milliseconds
    guard time >= Self.delayInMilliseconds, time - lastTime >= 100 else { return nil }
    lastTime = time
    return text(found, time: time)
  }

  /// The note while schedules and failures are shrunk; nil after a short search.
  var shrinkingNews: String? {
    stop.milliseconds < Self.delayInMilliseconds ? nil : Self.shrinkingNote
  }

  static let shrinkingNote = "shrinking failures"

  /// Returns the progress `time` milliseconds after the start.
  private func text(_ found: Findings, time: Int) -> String {
    var parts = [
      "run".counted(found.runs), found.countedBehaviours,
    ]
    if !found.violatedChecks.isEmpty { parts.append("\(found.violatedChecks.count) failing") }
    parts.append("\(found.runs * 1_000 / max(1, time))/s")
    if let share = Self.share(of: found) { parts.append(share) }
    if let left = timeLeft(runs: found.runs, time: time) {
      parts.append(Self.rounded(left) + " left")
    }
    return parts.joined(separator: " · ")
  }

  /// Returns a time in seconds, minutes or hours.
  private static func rounded(_ seconds: Int) -> String {
    if seconds < 120 { return "\(seconds) s" }
    return seconds < 7_200 ? "\(seconds / 60) min" : "\(seconds / 3_600) h"
  }

  /// The minimum number of runs for an estimate of the remaining time.
  private static let fewRuns = 50

  /// Returns the share of all schedules that was seen. It is an estimate if schedules are random, and nil if unknown.
  private static func share(of findings: Findings) -> String? {
    if findings.isInOrder {
      return findings.share.map { $0 < 0.01 ? "< 1 % of all" : "at most \(Int($0 * 100)) % of all" }
    }
    guard let guess = findings.guessedSchedules else {
      return findings.countedSchedules
    }
    let share = Double(findings.schedules) / guess
    return share < 0.01 ? "< 1 % of all" : "\(Int(share * 100)) % of all"
  }

  /// Returns the remaining seconds by the limits of runs and of time; nil without a limit.
  private func timeLeft(runs: Int, time: Int) -> Int? {
    let byRuns = runs < Self.fewRuns ? nil : budget.map { max(0, $0 - runs) * time / runs }
    let byTime = stop.limitInMilliseconds.map { max(0, $0 - time) }
    return [byRuns, byTime].compactMap { $0 }.min().map { ($0 + 999) / 1_000 }
  }
}
