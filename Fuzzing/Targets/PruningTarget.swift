import Exploring
import Rehearsal

/// Sessions that a search has explored completely. Random runs must find no other behaviour.
struct PruningTarget: FuzzTarget {
  let name = "pruning"

  var words: [String] {
    [
      " after 100ms", "\nin 100ms ", " or ", " retry 1", " timeout 100ms", " interrupt after 100ms",
      "\nsettle\n", " from /x", "\nroute /x ", "\ninject ", "\nrelease\n", "\nhold\n", "\nlist\n",
    ]
  }

  /// Maximum number of orders, and number of random runs.
  private static let (mostRuns, runsByChance) = (UInt64(400), UInt64(200))

  func compose(_ random: inout Randomness) -> [UInt8]? {
    Array(MeetingScript.compose(&random).utf8)
  }

  func check(_ bytes: [UInt8]) throws(Finding) {
    guard let (script, text) = ExploringTarget.script(bytes) else { return }
    let all = Self.search(.exhaustive, Self.mostRuns, script)
    guard all.end == .complete, !all.missesOrders, !all.leavesValuesOut else { return }
    let known = Set(all.groups.map(\.fingerprint))
    for group in Self.otherGroups(script) where !known.contains(group.fingerprint) {
      let seen = group.outcome.seen.joined(separator: "\n")
      let words = "all \(all.runs) runs in order miss that of 'schedule \(group.schedule)'"
      throw Finding("\(words):\n\(seen)\nof\n\(text)")
    }
  }

  private static func otherGroups(_ script: ExploredScript) -> [Findings.Group] {
    [Strategy.random, .pct(changes: 2)].flatMap { strategy in
      search(strategy, runsByChance / 2, script).groups
    }
  }

  private static func search(
    _ strategy: Strategy,
    _ runs: UInt64,
    _ script: ExploredScript
  ) -> Findings {
    let plan = Exploration.Plan(
      strategy,
      seeds: 0..<runs,
      checkedEvery: nil,
      continuesAfterFailure: true
    )
    let search = Exploration(plan, script.play)
    return search.run()
  }
}
