/// The position of a systematic search: the decisions of a run, and the choices that were tried at
/// each. The search continues from there, in this process or in another.
package struct SearchCursor: Sendable, Equatable, Codable {
  package struct Node: Sendable, Equatable, Codable, BitwiseCopyable {
    package let count: Int
    /// The choice that was tried first.
    package let first: Int
    /// Whether the choices are values of a range, which random runs do not choose uniformly.
    package let areInARow: Bool
    /// Number of tried choices, including the present one.
    package var tried = 1
    /// Whether the latest tried step only made a task ready.
    package var isMove = false
    /// Whether the other choices are tried nevertheless.
    package var matters = false
    /// Whether the other choices are left to another pass through the tree, because the step is one of a task that only
    /// sleeps, again and again.
    package var isPostponed = false

    /// The present choice: the first one, then all others in order.
    var choice: Int {
      if tried == 1 { return first }
      return tried - 2 < first ? tried - 2 : tried - 1
    }

    var isDone: Bool { tried == count || isMove && !matters || isPostponed }

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
  /// Number of decisions at the beginning that never change: other branches try their other
  /// choices.
  package var floor: Int
  /// Whether the run of the present decisions is still to be performed.
  package var isAhead: Bool
  /// Whether runs were left out that only a crashed run could have revealed.
  package var leavesOut = false
  /// Whether this is the first pass through the tree. It postpones choices.
  package var isFirstPass = true
  /// Whether choices were postponed. Then a second pass follows, through the whole tree.
  package var hasPostponed = false

  /// Makes a cursor; by default at the beginning.
  package init(nodes: [Node] = [], floor: Int = 0, isAhead: Bool = true) {
    self.nodes = nodes
    self.floor = floor
    self.isAhead = isAhead
  }
}

extension SearchCursor {
  /// Returns the cursor after the next run. It leaves out that run and the runs that only it could
  /// have revealed; nil if nothing is left.
  package func passingOver() -> SearchCursor? {
    let scheduler = ExhaustiveScheduler(from: self)
    return scheduler.begin(seed: 0) ? scheduler.cursor : nil
  }
}

extension SearchCursor {
  /// Divides the rest of the search into three parts: the runs with the present choice at the first
  /// decision with untried choices, its other choices, and the runs at earlier decisions. The last
  /// part depends on the others: see `absorb`. Nil if no decision has an untried choice.
  package func split() -> (first: SearchCursor, others: [SearchCursor], rest: SearchCursor)? {
    guard let node = nodes.indices.dropFirst(floor).first(where: { !nodes[$0].isDone }) else {
      return nil
    }
    let others = (nodes[node].tried + 1...nodes[node].count).map { tried in
      var other = nodes[node]
      other.tried = tried
      other.isMove = false
      return part(nodes[..<node] + [other], floor: node + 1)
    }
    return (
      part(nodes, floor: node + 1, isAhead: isAhead), others,
      part(Array(nodes[..<node]), floor: floor, isAhead: false)
    )
  }

  private func part(_ nodes: [Node], floor: Int, isAhead: Bool = true) -> SearchCursor {
    var part = SearchCursor(nodes: nodes, floor: floor, isAhead: isAhead)
    (part.isFirstPass, part.hasPostponed) = (isFirstPass, hasPostponed)
    return part
  }

  /// Copies from an earlier branch which of the common decisions need their other choices.
  package mutating func absorb(_ other: SearchCursor) {
    guard isFirstPass == other.isFirstPass else { return }
    hasPostponed = hasPostponed || other.hasPostponed
    for (place, node) in zip(nodes.indices, other.nodes) {
      guard nodes[place].count == node.count else { return }
      nodes[place].matters = nodes[place].matters || node.matters
      nodes[place].isPostponed = nodes[place].isPostponed || node.isPostponed
      if nodes[place].choice != node.choice { return }
    }
  }

  /// The probability that a random run follows one of the schedules up to here, including the
  /// present one. 1 only if nothing is left to try; nil if a decision is about values of a range, or if choices were
  /// postponed.
  package var share: Double? {
    if hasPostponed { return nil }
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

  /// Returns whether other choices at a decision follow in this pass.
  package func needsOthers(at node: Int) -> Bool {
    nodes.count <= node
      || !nodes[node].isPostponed && (!nodes[node].isMove || nodes[node].matters)
  }
}
