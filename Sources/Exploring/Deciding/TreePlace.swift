/// How far a search through all schedules has come: the decisions of a run, and what was tried at each of them. The
/// search goes on from there, in this process or in another.
package struct TreePlace: Sendable, Equatable {
  package struct Node: Sendable, Equatable {
    package let count: Int
    /// What was tried first.
    package let first: Int
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
      tried: Int = 1,
      isMove: Bool = false,
      matters: Bool = false
    ) {
      self.count = count
      self.first = first
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

  /// A place; by default that where all begins.
  package init(nodes: [Node] = [], floor: Int = 0, isAhead: Bool = true) {
    self.nodes = nodes
    self.floor = floor
    self.isAhead = isAhead
  }
}

extension TreePlace {
  /// The place behind the next run, which is not done, and with it all that would differ from it only in decisions
  /// that nobody has met; nil where there is none.
  package func passingOver() -> TreePlace? {
    let decisions = ExhaustiveDecisions(from: self)
    return decisions.begin() ? decisions.place : nil
  }
}
