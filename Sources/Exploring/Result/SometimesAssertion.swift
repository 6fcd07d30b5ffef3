import RehearsalBase

/// An assertion about a search: the condition must hold in at least one run.
public struct SometimesAssertion: Sendable, Equatable, Codable {
  /// The text of the condition. It identifies the assertion, with `number`.
  public let text: String
  /// The number among the assertions of a script with the same text, from 0.
  package let number: Int
  /// The position in Swift code; nil in a script.
  public let place: SourcePlace?
  /// The line in the explored script; nil if unknown.
  package let line: Int?
  /// The position in a sourced file, as ` (FILE:LINE)`; empty if it is in no sourced file.
  package let sourced: String
  /// The number of runs that made the condition hold.
  public package(set) var heldRuns: Int

  /// - Parameters:
  ///   - text: the text of the condition.
  ///   - number: the number among the assertions of a script with the same text, from 0.
  ///   - place: the position in Swift code; nil in a script.
  ///   - line: the line in the explored script; nil if unknown.
  ///   - sourced: the position in a sourced file, as ` (FILE:LINE)`.
  ///   - heldRuns: the number of runs that made the condition hold.
  package init(
    _ text: String,
    number: Int = 0,
    place: SourcePlace? = nil,
    line: Int? = nil,
    sourced: String = "",
    heldRuns: Int
  ) {
    (self.text, self.number, self.place) = (text, number, place)
    (self.line, self.sourced, self.heldRuns) = (line, sourced, heldRuns)
  }

  /// Whether two values are the same assertion, each with its own number of runs.
  func isSame(as other: SometimesAssertion) -> Bool {
    text == other.text && number == other.number
  }
}

extension Findings {
  /// Maximum number of `sometimes` assertions that are distinguished.
  static let mostSometimes = 1_000

  /// The `sometimes` assertions that held in no run.
  public var neverHeld: [SometimesAssertion] { sometimes.filter { $0.heldRuns == 0 } }

  /// Whether each `sometimes` assertion held in a run. False also if there were too many assertions
  /// to check them all.
  package var holdsSometimes: Bool { neverHeld.isEmpty && !hasUnkeptSometimes }

  /// Whether a failure or nondeterminism ended the search, so that later runs are missing.
  package var isEndedByFailure: Bool { end == .failure || end == .nondeterministic }

  /// Adds the `sometimes` assertions of other runs.
  package mutating func addSometimes(_ others: [SometimesAssertion]) {
    for other in others {
      if let place = sometimes.firstIndex(where: other.isSame) {
        sometimes[place].heldRuns += other.heldRuns
      } else if sometimes.count < Self.mostSometimes {
        sometimes.append(other)
      } else {
        hasUnkeptSometimes = true
      }
    }
  }
}

extension SometimesAssertion {
  /// Returns the text about the number of runs that made the condition hold.
  package func sentence(of runs: Int) -> String {
    let held = heldRuns == 0 ? "none" : "\(heldRuns)"
    return "held in \(held) of \("run".counted(runs))"
  }
}
