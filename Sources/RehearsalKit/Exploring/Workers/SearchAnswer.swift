import Exploring
import Rehearsal

/// The answer of a worker of a search.
enum SearchAnswer: Codable {
  /// The findings of some runs, and the place that a systematic search has reached.
  case found(Findings, TreePlace)
  case replayed(ReplayedRun)
  /// The script cannot be explored.
  case refused(ExploredScript.Refusal)
}

/// The outcomes of groups, of which a worker sends each only once, since they are the largest part of an answer.
struct SentOutcomes {
  private var outcomes: [UInt64: RunOutcome] = [:]

  /// Removes the outcomes that were sent before, or all if the search keeps no new groups.
  mutating func removeKnown(from findings: inout Findings, keeping: Bool) {
    for place in findings.groups.indices {
      let group = findings.groups[place]
      if keeping, outcomes.updateValue(.removed, forKey: group.fingerprint) == nil { continue }
      findings.groups[place].outcome = .removed
    }
  }

  /// Restores the outcomes that `removeKnown` has removed, and remembers the others.
  mutating func restore(_ findings: inout Findings) {
    for place in findings.groups.indices {
      let group = findings.groups[place]
      if group.outcome != .removed {
        outcomes[group.fingerprint] = group.outcome
      } else if let outcome = outcomes[group.fingerprint] {
        findings.groups[place].outcome = outcome
      }
    }
  }
}

extension RunOutcome {
  fileprivate static let removed = RunOutcome(seen: [])
}
