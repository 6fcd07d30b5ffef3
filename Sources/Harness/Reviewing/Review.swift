/// Somebody's way through pending results: where they are, and what they have decided so far.
///
/// It writes nothing; it says of which files what was decided is to be carried out.
package struct Review: Sendable {
  /// What somebody does.
  package enum Step: Sendable, Equatable {
    case decide(PendingDecision)
    /// Decides everything in the file that is open.
    case decideFile(PendingDecision)
    /// Decides everything that is open.
    case decideAll(PendingDecision)
    /// Leaves it for another day.
    case skip
    /// Takes the last step back that decided or skipped something.
    case undo
    case next
    case previous
  }

  /// One thing to be decided.
  package struct Item: Sendable, Equatable {
    package let file: Int
    package let hunk: Int
    package fileprivate(set) var decision: PendingDecision?
    package fileprivate(set) var isSkipped = false
    /// Whether it can no longer be decided, the file being another one.
    package fileprivate(set) var isLost = false

    /// Whether somebody still has to look at it.
    package var isOpen: Bool { decision == nil && !isSkipped && !isLost }
  }

  package private(set) var files: [PendingFile]
  package private(set) var items: [Item] = []
  /// Where somebody is, among the items.
  package private(set) var cursor = 0
  private var history: [(items: [Item], cursor: Int)] = []
  /// What is on the disk, of each file.
  private var carried: [[PendingDecision?]]

  package init(_ files: [PendingFile]) {
    self.files = files
    carried = files.map { $0.hunks.map { _ in nil } }
    for (file, pending) in files.enumerated() {
      for hunk in pending.hunks.indices { items.append(Item(file: file, hunk: hunk)) }
    }
  }

  /// Whether there is nothing left to look at.
  package var isOver: Bool { !items.contains(where: \.isOpen) }
  /// Whether there is a step to take back.
  package var canUndo: Bool { !history.isEmpty }

  package var hunk: PendingHunk { files[items[cursor].file].hunks[items[cursor].hunk] }
  package var path: String { files[items[cursor].file].path }

  package func count(of decision: PendingDecision?) -> Int {
    items.count { $0.decision == decision }
  }

  /// One line for each command that fails and whose output was accepted.
  package var acceptedFailures: [String] {
    items.filter { $0.decision == .accept }.compactMap { item in
      files[item.file].hunks[item.hunk].acceptedFailure(in: files[item.file].path)
    }
  }

  /// Takes a step.
  ///
  /// - Returns: the files whose decisions have changed.
  package mutating func take(_ step: Step) -> [Int] {
    switch step {
    case .decide(let decision):
      return change({ $0 == $1 }, to: decision)
    case .decideFile(let decision):
      return change({ $0.isOpen && $0.file == $1.file }, to: decision)
    case .decideAll(let decision):
      return change({ one, _ in one.isOpen }, to: decision)
    case .skip:
      return change({ $0 == $1 }, to: nil)
    case .undo: return undo()
    case .next: cursor = min(cursor + 1, items.count - 1)
    case .previous: cursor = max(cursor - 1, 0)
    }
    return []
  }

  /// Decides about all items that are meant, where they stand to the present one so; nil skips them.
  private mutating func change(
    _ isMeant: (Item, Item) -> Bool,
    to decision: PendingDecision?
  ) -> [Int] {
    let current = items[cursor]
    let before = items
    for index in items.indices where !items[index].isLost && isMeant(items[index], current) {
      items[index].decision = decision
      items[index].isSkipped = decision == nil
    }
    if items != before { history.append((before, cursor)) }
    goOn()
    return changed(since: before)
  }

  private mutating func undo() -> [Int] {
    guard let last = history.popLast() else { return [] }
    let before = items
    for index in items.indices where !items[index].isLost { items[index] = last.items[index] }
    cursor = last.cursor
    return changed(since: before)
  }

  /// To what is open next, from the start again behind the last.
  private mutating func goOn() {
    let order = Array(items.indices.dropFirst(cursor + 1)) + items.indices.prefix(cursor + 1)
    cursor = order.first { items[$0].isOpen } ?? cursor
  }

  private func changed(since before: [Item]) -> [Int] {
    let files = zip(items, before).filter { $0.decision != $1.decision }.map(\.0.file)
    return Array(Set(files)).sorted()
  }

  /// Carries out what is decided of a file, on the disk. Where that is not possible, the file is given up,
  /// and what counts as decided is what was carried out before.
  ///
  /// - Throws: why it is not possible.
  package mutating func carryOut(_ file: Int) throws(PendingProblem) {
    let decisions = items.filter { $0.file == file }.map(\.decision)
    do {
      try files[file].carryOut(decisions)
      carried[file] = decisions
    } catch {
      for index in items.indices where items[index].file == file {
        items[index].isLost = true
        items[index].decision = carried[file][items[index].hunk]
      }
      if items[cursor].isLost { goOn() }
      throw error
    }
  }
}
