package import Exploring
import Script
import Staging

/// Finds where two runs by one schedule diverge, for the report about nondeterminism.
extension ExploredScript {
  /// Maximum number of repetitions of a run until it gives another result.
  private static let mostTries = 100

  /// Returns where two runs by one schedule diverge: the first choice that differs, and the command
  /// whose code made it.
  ///
  /// - Parameter schedule: a schedule whose run gave another result when it ran again.
  /// - Returns: a clause; nil if all repetitions were the same.
  package func divergence(by schedule: Schedule) -> String? {
    var script = self
    script.setting.keepsTrace = true
    func run() -> ScriptRun { script.perform(ReplayScheduler(schedule)) { _ in true } }
    let first = run()
    for _ in 0..<Self.mostTries {
      if let words = Self.divergence(first, run()) { return words }
    }
    return nil
  }

  private static func divergence(_ first: ScriptRun, _ second: ScriptRun) -> String? {
    let (one, other) = (first.trace, second.trace)
    if let divergence = Stage.Divergence(between: one.steps, and: other.steps) {
      let place =
        one.ends.firstIndex { $0 > divergence.position }
        ?? other.ends.firstIndex {
          $0 > divergence.position
        }
      return "\(divergence)" + (place.map { ", in '\(command($0, of: first, or: second))'" } ?? "")
    }
    let shared = zip(first.records, second.records).prefix { $0.lines == $1.lines }.count
    guard shared < min(first.records.count, second.records.count) else { return nil }
    let (lines, others) = (first.records[shared].lines, second.records[shared].lines)
    let line = zip(lines, others).prefix { $0 == $1 }.count
    func words(_ lines: [String]) -> String {
      line < lines.count ? "'\(lines[line].drop { $0 == " " })'" : "nothing"
    }
    return
      "both runs ran the same jobs, and '\(first.records[shared].command)' printed \(words(lines)), then \(words(others))"
  }

  private static func command(_ place: Int, of first: ScriptRun, or second: ScriptRun) -> String {
    place < first.records.count ? first.records[place].command : second.records[place].command
  }
}
