import Staging

/// A value for each possible step of a run, as long as the step is possible.
///
/// Most steps of a turn were possible at the turn before, in almost the same order. So they are found by walking along
/// both.
///
/// The memory is not that of arrays, because strategies read all values at each decision.
struct PossibleSteps<Value: BitwiseCopyable>: ~Copyable {
  /// The steps of one turn. Not private, because other files destroy them.
  struct Row {
    let ids: UnsafeMutablePointer<UInt64>
    let values: UnsafeMutablePointer<Value>

    init(capacity: Int) {
      ids = .allocate(capacity: capacity)
      values = .allocate(capacity: capacity)
    }

    func deallocate() {
      ids.deallocate()
      values.deallocate()
    }
  }

  private var capacity = 16
  /// The turn that was met last. The identifier of a step is 0 after the step is done.
  private var row = Row(capacity: 16)
  /// Memory for the next turn.
  private var next = Row(capacity: 16)
  private var count = 0
  private var isCurrent = false
  /// The step of that turn that is done; nil if none is, or several.
  private var done: Int?

  deinit {
    row.deallocate()
    next.deallocate()
  }

  mutating func removeAll() {
    count = 0
    isCurrent = false
    done = nil
  }

  /// The value of a step of the turn that was met last.
  subscript(index: Int) -> Value {
    get { row.values[index] }
    nonmutating set { row.values[index] = newValue }
  }

  /// Updates the values for a turn. New steps get the result of `value`, in order; the others keep theirs.
  mutating func meet(_ turn: Turn, _ value: (Int) -> Value) {
    var nothing: Void
    meet(turn, &nothing) { _, index in value(index) }
  }

  /// As `meet` without a context. The context is no captured variable, so that references to it are not counted.
  mutating func meet<Context: ~Copyable>(
    _ turn: Turn,
    _ context: inout Context,
    _ value: (inout Context, Int) -> Value
  ) {
    if isCurrent { return }
    isCurrent = true
    let new = turn.count
    if new > capacity { grow(toHold: new) }
    turn.writeIDs(to: next.ids)
    if moveUp(new) {
      for index in count..<new { row.values[index] = value(&context, index) }
      count = new
      return
    }
    // All steps before `first` are found. The step after one that was found out of order is at `hint`.
    var (first, hint) = (0, 0)
    for index in 0..<new {
      while first < count, row.ids[first] == 0 { first += 1 }
      guard let place = place(of: next.ids[index], from: first, or: hint) else {
        next.values[index] = value(&context, index)
        continue
      }
      next.values[index] = row.values[place]
      row.ids[place] = 0
      hint = place + 1
    }
    swap(&row, &next)
    count = new
  }

  /// Fills the gap of the step that was done if all other steps are still possible, in the same order before new ones.
  ///
  /// - Parameter new: the number of steps of the turn that is met.
  /// - Returns: whether this was so. Then the values are those of the first steps.
  private mutating func moveUp(_ new: Int) -> Bool {
    guard let done, new >= count - 1 else { return false }
    let (before, after) = (done, count - 1 - done)
    guard row.ids.starts(with: next.ids, before),
      (row.ids + done + 1).starts(with: next.ids + done, after)
    else { return false }
    (row.values + done).update(from: row.values + done + 1, count: after)
    row.ids.update(from: next.ids, count: new)
    count -= 1
    return true
  }

  private func place(of id: UInt64, from first: Int, or hint: Int) -> Int? {
    if first < count, row.ids[first] == id { return first }
    if hint < count, row.ids[hint] == id { return hint }
    for place in first..<max(first, count) where row.ids[place] == id { return place }
    return nil
  }

  private mutating func grow(toHold new: Int) {
    capacity = max(2 * capacity, new)
    let larger = Row(capacity: capacity)
    larger.ids.update(from: row.ids, count: count)
    larger.values.update(from: row.values, count: count)
    row.deallocate()
    next.deallocate()
    (row, next) = (larger, Row(capacity: capacity))
  }

  /// Notes that a step of the turn is done next.
  mutating func willDo(_ choice: Int) {
    row.ids[choice] = 0
    isCurrent = false
    done = choice
  }
}

extension UnsafeMutablePointer<UInt64> {
  /// Returns whether the first numbers are equal to those of another list.
  @inline(__always)
  fileprivate func starts(with other: Self, _ count: Int) -> Bool {
    for index in 0..<count where self[index] != other[index] { return false }
    return true
  }
}
