/// The commands that a run has generated, as a script without generation can repeat them.
package struct GeneratedRun: Sendable, Codable {
  /// The generated commands, in order.
  package private(set) var commands: [String] = []
  /// The decisions that chose them.
  private var decisions: [Range<Int>] = []

  package init() {}

  /// Creates the commands from the lines that `line` has made.
  package init(lines: [String]) {
    for line in lines {
      let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let first = Int(parts[0]), let end = Int(parts[1]), first <= end
      else { continue }
      add(parts[2].isEmpty ? nil : String(parts[2]), by: first..<end)
    }
  }

  /// Returns a line for memory that outlives the process.
  package static func line(_ command: String?, by decisions: Range<Int>) -> String {
    String(decisions.lowerBound) + " " + String(decisions.upperBound) + " " + (command ?? "")
  }

  /// Adds decisions, and the command that they chose; nil if they chose none.
  package mutating func add(_ command: String?, by decisions: Range<Int>) {
    if let command { commands.append(command) }
    self.decisions.append(decisions)
  }

  /// Returns a schedule of the run without the decisions that chose commands.
  package func schedule(of run: Schedule) -> Schedule {
    var choices = run.choices
    for range in decisions.reversed() where range.lowerBound < choices.count {
      choices.removeSubrange(range.lowerBound..<min(range.upperBound, choices.count))
    }
    return Schedule(choices)
  }
}
