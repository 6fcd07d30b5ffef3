/// A check that Rehearse makes in every run of a script. It is named by what it promises.
package enum BuiltInCheck: String, Sendable, CaseIterable, Codable {
  /// An attempt that was replaced, cancelled or reset no longer changes a state.
  case noStaleWrites = "no-stale-writes"
  /// An attempt does not change its outcome.
  case singleOutcome = "single-outcome"
  /// The state at the end belongs to the attempt that was started last.
  case latestRequestWins = "latest-request-wins"
  /// At the end, no attempt is in flight, except replaced, cancelled or reset ones.
  case completes
  /// At the end, no replaced, cancelled or reset attempt still runs, and no task of a scene waits.
  case noLeakedWork = "no-leaked-work"
  /// No thread of a scene blocks forever.
  case noDeadlock = "no-deadlock"
  /// The results and the states of a scene are those of its model, in some order of the calls.
  case matchesModel = "matches-model"

  /// Whether it can be checked only when nothing is left to do.
  package var isAboutTheEnd: Bool {
    switch self {
    case .noStaleWrites, .singleOutcome, .noDeadlock, .matchesModel: false
    case .latestRequestWins, .completes, .noLeakedWork: true
    }
  }

  /// The name in earlier versions; nil for a newer check.
  package var formerName: String? {
    switch self {
    case .noStaleWrites: "superseded"
    case .singleOutcome: "settled"
    case .latestRequestWins: "last-asked"
    case .completes: "stuck"
    case .noLeakedWork: "left-over"
    case .noDeadlock, .matchesModel: nil
    }
  }
}
