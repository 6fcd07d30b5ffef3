/// Where a search through all schedules stands: the decisions of a run, and what was tried at each of them. The
/// search continues from there, in this process or in another.
package struct SearchCursor: Sendable, Equatable, Codable {
  package struct Node: Sendable, Equatable, Codable {
    package let count: Int
    /// What was tried first.
    package let first: Int
    /// Whether these are values in a row, which chance does not choose evenly.
    package let areInARow: Bool
    /// How many were tried, this one included.
    package var tried = 1
    /// Whether the step that was tried last has only moved a task on.
    package var isMove = false
    /// Whether it matters all the same.
    package var matters = false

    /// What is tried now: the one that came first, then all others in order.
    var choice: Int {
      if tried == 1 { return first }
      return tried - 2 < first ? tried - 2 : tried - 1
    }

    var isDone: Bool { tried == count || isMove && !matters }

    package init(
      count: Int,
      first: Int,
      areInARow: Bool = false,
      tried: Int = 1,
      isMove: Bool = false,
      matters: Bool = false
    ) {
      self.count = count
      self.first = first
      self.areInARow = areInARow
      self.tried = tried
      self.isMove = isMove
      self.matters = matters
    }
  }

  package var nodes: [Node]
  /// How many of the first decisions stay as they are: what else there is to try at them is for others.
  package var floor: Int
  /// Whether the run that the decisions stand for is still to be done.
  package var isAhead: Bool

  /// Makes a cursor; by default at the beginning.
  package init(nodes: [Node] = [], floor: Int = 0, isAhead: Bool = true) {
    self.nodes = nodes
    self.floor = floor
    self.isAhead = isAhead
  }
}

extension SearchCursor {
  /// Returns the cursor after the next run, without that run and all that would differ from it only in decisions
  /// that no run has met; nil if nothing is left.
  package func passingOver() -> SearchCursor? {
    let scheduler = ExhaustiveScheduler(from: self)
    return scheduler.begin(seed: 0) ? scheduler.cursor : nil
  }
}

extension SearchCursor {
  /// Three parts that come to the same as this one, in order: what is left under the present choice of the first
  /// decision at which there is more to try, its other choices, and what is left at the decisions before it. The
  /// last depends on what the others meet: see `absorb`. Nil where nothing more is to be tried at any decision.
  package func split() -> (first: SearchCursor, others: [SearchCursor], rest: SearchCursor)? {
    guard let node = nodes.indices.dropFirst(floor).first(where: { !nodes[$0].isDone }) else {
      return nil
    }
    let others = (nodes[node].tried + 1...nodes[node].count).map { tried in
      var other = nodes[node]
      other.tried = tried
      other.isMove = false
      return SearchCursor(nodes: nodes[..<node] + [other], floor: node + 1)
    }
    return (
      SearchCursor(nodes: nodes, floor: node + 1, isAhead: isAhead), others,
      SearchCursor(nodes: Array(nodes[..<node]), floor: floor, isAhead: false)
    )
  }

  /// Learns from a part of the tree that came before which decisions matter that they have in common.
  package mutating func absorb(_ other: SearchCursor) {
    for (place, node) in zip(nodes.indices, other.nodes) {
      guard nodes[place].count == node.count else { return }
      nodes[place].matters = nodes[place].matters || node.matters
      if nodes[place].choice != node.choice { return }
    }
  }

  /// How probable it is that a run by chance goes like one of those that were tried up to here, this one included: 1
  /// only where nothing is left to try, and nil where it stands among values in a row.
  package var share: Double? {
    if !isAhead, nodes.allSatisfy(\.isDone) { return 1 }
    if nodes.contains(where: \.areInARow) { return nil }
    var share = 0.0
    var weight = 1.0
    for node in nodes where !node.isMove || node.matters {
      weight /= Double(node.count)
      share += weight * Double(node.tried - 1)
    }
    return min(isAhead ? share : share + weight, 1.nextDown)
  }

  /// Whether other choices of a decision could bring something else.
  package func needsOthers(at node: Int) -> Bool {
    nodes.count <= node || !nodes[node].isMove || nodes[node].matters
  }
}
