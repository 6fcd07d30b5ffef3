/// A part of a search, performed by workers in several batches.
final class SearchBranch {
  /// Consecutive runs of a branch.
  struct Batch {
    let start: RunRange
    let part: Findings
    let rest: RunRange
    /// Whether some runs were left out that only a crashed run could have revealed.
    var leavesOut = false
  }

  /// The runs that are left.
  var rest: RunRange
  /// The findings that are not merged yet, in order.
  var batches: [Batch] = []
  var isBusy = false
  var isDone = false
  /// Whether it begins only after all earlier branches are merged, because its rest depends on
  /// them.
  var waits = false
  /// The name of the decision whose choices it follows.
  var closes: Int?
  /// The decision that it is a choice of, with the name of that decision.
  var fork: (name: Int, node: Int)?
  /// The exact number of runs to perform; nil if unknown.
  var limit: Int?
  /// The crash of the run after the batches.
  var crash: CrashedRun?

  init(_ rest: RunRange) { self.rest = rest }

  /// Splits off all seeds after the first ones; nil if there are none.
  func split(after count: Int) -> SearchBranch? {
    guard case .seeds(let seeds, let forecast) = rest, seeds.count > count else { return nil }
    rest = .seeds(seeds.prefix(count), forecast)
    return SearchBranch(.seeds(seeds.dropFirst(count), forecast))
  }

  /// Splits the tree at the decision with most choices left.
  ///
  /// - Parameter name: a new name for the decision.
  /// - Returns: the branches after this one; empty if it cannot be split.
  func split(named name: Int) -> [SearchBranch] {
    guard case .tree(let cursor) = rest, let parts = cursor.split() else { return [] }
    let node = parts.first.floor - 1
    let others = parts.others.map { SearchBranch(.tree($0)) }
    for other in others { other.fork = (name, node) }
    let last = SearchBranch(.tree(parts.rest))
    last.fork = fork
    last.waits = true
    last.closes = name
    rest = .tree(parts.first)
    fork = (name, node)
    return others + [last]
  }

  /// Returns whether the other choices of its decision could give another result.
  func needsOthers(at node: Int) -> Bool {
    if case .tree(let cursor) = rest { cursor.needsOthers(at: node) } else { true }
  }
}
