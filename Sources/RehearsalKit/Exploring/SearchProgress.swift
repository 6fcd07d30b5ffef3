import Exploring
import Harness

/// What is said of a search while it runs.
struct SearchProgress {
  private let stop: SearchStop
  private let budget: Int?
  private var lastTime = 0

  /// - Parameters:
  ///   - stop: when the search ends.
  ///   - budget: how many runs it takes at most; nil where nobody has said.
  init(until stop: SearchStop, budget: Int?) {
    self.stop = stop
    self.budget = budget
  }

  /// Of a search that is done in so many milliseconds nothing is said.
  private static let patience = 500

  /// How far it has come; ten times a second at most, and nil of a search that is done at once.
  mutating func news(_ found: Findings) -> String? {
    let time = stop.milliseconds
    guard time >= Self.patience, time - lastTime >= 100 else { return nil }
    lastTime = time
    return text(found, time: time)
  }

  /// What is said behind a search, while its schedules and what fails are made short; nil where it was done at once.
  var newsOfShortening: String? { stop.milliseconds < Self.patience ? nil : Self.shortening }

  static let shortening = "making schedules and what fails shorter"

  /// The same, `time` milliseconds after the beginning.
  private func text(_ found: Findings, time: Int) -> String {
    var parts = [
      Self.count(found.runs, "run"), Self.count(found.behaviours, "behaviour"),
    ]
    if !found.violatedChecks.isEmpty { parts.append("\(found.violatedChecks.count) failing") }
    parts.append("\(found.runs * 1_000 / max(1, time))/s")
    if let share = Self.share(of: found) { parts.append(share) }
    if let left = timeLeft(runs: found.runs, time: time) {
      parts.append(Self.rounded(left) + " left")
    }
    return parts.joined(separator: " · ")
  }

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  /// Seconds, or minutes or hours where there are many.
  private static func rounded(_ seconds: Int) -> String {
    if seconds < 120 { return "\(seconds) s" }
    return seconds < 7_200 ? "\(seconds / 60) min" : "\(seconds / 3_600) h"
  }

  /// From so few runs nothing can be told.
  private static let fewRuns = 50

  /// How much of all there is was seen: guessed where schedules are chosen by chance, and nil where nobody can tell.
  private static func share(of findings: Findings) -> String? {
    if findings.isInOrder {
      return findings.share.map { $0 < 0.01 ? "< 1 % of all" : "at most \(Int($0 * 100)) % of all" }
    }
    guard let guess = findings.guessedSchedules else {
      return count(findings.schedules, "different schedule")
    }
    let share = Double(findings.schedules) / guess
    return share < 0.01 ? "< 1 % of all" : "\(Int(share * 100)) % of all"
  }

  /// In seconds, by the budget of runs and of time; nil where there is none.
  private func timeLeft(runs: Int, time: Int) -> Int? {
    let byRuns = runs < Self.fewRuns ? nil : budget.map { max(0, $0 - runs) * time / runs }
    let byTime = stop.limitInMilliseconds.map { max(0, $0 - time) }
    return [byRuns, byTime].compactMap { $0 }.min().map { ($0 + 999) / 1_000 }
  }
}
