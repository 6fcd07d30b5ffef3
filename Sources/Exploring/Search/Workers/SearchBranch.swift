/// A part of a search, which workers perform in several batches.
final class SearchBranch {
  /// Some runs of a branch in a row.
  struct Batch {
    let start: RunRange
    let part: Findings
    let rest: RunRange
    /// Whether something was left out that only a crashed run could have shown.
    var leavesOut = false
  }

  /// What is left to perform.
  var rest: RunRange
  /// What was found and is not merged yet, in order.
  var batches: [Batch] = []
  var isBusy = false
  var isDone = false
  /// Whether it begins when all branches before it are merged, since what is left of it depends on them.
  var waits = false
  /// The name of the decision after whose choices it stands.
  var closes: Int?
  /// The decision of which it is a choice, and the name of that decision.
  var fork: (name: Int, node: Int)?
  /// The exact number of runs to perform, if it is known.
  var limit: Int?
  /// The crash in the run after those.
  var crash: CrashedRun?

  init(_ rest: RunRange) { self.rest = rest }

  /// Splits off all seeds after the first ones; nil if there are none.
  func split(after count: Int) -> SearchBranch? {
    guard case .seeds(let seeds, let length) = rest, seeds.count > count else { return nil }
    rest = .seeds(seeds.prefix(count), length: length)
    return SearchBranch(.seeds(seeds.dropFirst(count), length: length))
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

  /// Whether the other choices of its decision could show something else.
  func needsOthers(at node: Int) -> Bool {
    if case .tree(let cursor) = rest { cursor.needsOthers(at: node) } else { true }
  }
}
