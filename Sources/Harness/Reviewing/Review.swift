/// The state of an interactive review: the current hunk and all decisions so far.
///
/// It writes nothing, but returns the files whose decisions must be written.
package struct Review: Sendable {
  /// An action of the user.
  package enum Step: Sendable, Equatable {
    case decide(PendingDecision)
    /// Decides all open items of the current file.
    case decideFile(PendingDecision)
    /// Decides all open items.
    case decideAll(PendingDecision)
    /// Leaves the item pending.
    case skip
    /// Undoes the last decision or skip.
    case undo
    case next
    case previous
  }

  /// One item to decide.
  package struct Item: Sendable, Equatable {
    package let file: Int
    package let hunk: Int
    package fileprivate(set) var decision: PendingDecision?
    package fileprivate(set) var isSkipped = false
    /// Whether it can no longer be decided, because the file has changed.
    package fileprivate(set) var isLost = false

    /// Whether the item needs a decision.
    package var isOpen: Bool { decision == nil && !isSkipped && !isLost }
  }

  package private(set) var files: [PendingFile]
  package private(set) var items: [Item] = []
  /// The index of the current item.
  package private(set) var cursor = 0
  private var history: [(items: [Item], cursor: Int)] = []
  /// The decisions that are on the disk, by file.
  private var carried: [[PendingDecision?]]

  package init(_ files: [PendingFile]) {
    self.files = files
    carried = files.map { $0.hunks.map { _ in nil } }
    for (file, pending) in files.enumerated() {
      for hunk in pending.hunks.indices { items.append(Item(file: file, hunk: hunk)) }
    }
  }

  /// Whether no item is open.
  package var isOver: Bool { !items.contains(where: \.isOpen) }
  /// Whether there is a step to undo.
  package var canUndo: Bool { !history.isEmpty }

  package var hunk: PendingHunk { files[items[cursor].file].hunks[items[cursor].hunk] }
  package var path: String { files[items[cursor].file].path }

  package func count(of decision: PendingDecision?) -> Int {
    items.count { $0.decision == decision }
  }

  /// One line for each failing command whose output was accepted.
  package var acceptedFailures: [String] {
    items.filter { $0.decision == .accept }.compactMap { item in
      files[item.file].hunks[item.hunk].acceptedFailure(in: files[item.file].path)
    }
  }

  /// Performs a step.
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

  /// Decides the items that match the condition; nil skips them.
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
    moveToNextOpen()
    return changed(since: before)
  }

  private mutating func undo() -> [Int] {
    guard let last = history.popLast() else { return [] }
    let before = items
    for index in items.indices where !items[index].isLost { items[index] = last.items[index] }
    cursor = last.cursor
    return changed(since: before)
  }

  /// Moves to the next open item, and continues at the start after the last one.
  private mutating func moveToNextOpen() {
    let order = Array(items.indices.dropFirst(cursor + 1)) + items.indices.prefix(cursor + 1)
    cursor = order.first { items[$0].isOpen } ?? cursor
  }

  private func changed(since before: [Item]) -> [Int] {
    let files = zip(items, before).filter { $0.decision != $1.decision }.map(\.0.file)
    return Array(Set(files)).sorted()
  }

  /// Writes the decisions about a file to the disk. If that fails, the file is given up and only the decisions that
  /// were written before remain.
  ///
  /// - Throws: why it was not possible.
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
      if items[cursor].isLost { moveToNextOpen() }
      throw error
    }
  }
}
