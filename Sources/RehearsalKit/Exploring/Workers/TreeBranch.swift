import Exploring

/// A part of the tree of all decisions, which workers go through bit by bit.
final class TreeBranch {
  /// Some runs of a branch in a row.
  struct Bit {
    let start: TreePlace
    let part: Findings
    let end: TreePlace
    /// Whether what is behind a lost run was left out.
    var leavesOut = false
  }

  /// Where it is gone on with.
  var place: TreePlace
  /// What was found and is not merged yet, in order.
  var bits: [Bit] = []
  var isBusy = false
  /// Whether nothing of it is left to be searched.
  var isDone = false
  /// Whether it is to be begun only when all in front of it is merged, since what is left of it depends on that.
  var waits = false
  /// Whether it stands behind all that a decision was split into, which this names.
  var closes: Int?
  /// Of which decision it is a choice, and what names its choices.
  var fork: (name: Int, node: Int)?
  /// How many runs are to be done exactly, where somebody knows.
  var limit: Int?
  /// What is known of the run behind those.
  var loss: SearchCrew.LostRun?

  init(_ place: TreePlace) { self.place = place }

  /// Splits it where there is most left to try.
  ///
  /// - Parameter name: a new name for the choices.
  /// - Returns: what stands behind it then; nothing where it cannot be split.
  func split(named name: Int) -> [TreeBranch] {
    guard let parts = place.split() else { return [] }
    let node = parts.first.floor - 1
    let others = parts.others.map(TreeBranch.init)
    for other in others { other.fork = (name, node) }
    let rest = TreeBranch(parts.rest)
    rest.fork = fork
    rest.waits = true
    rest.closes = name
    place = parts.first
    fork = (name, node)
    return others + [rest]
  }
}
