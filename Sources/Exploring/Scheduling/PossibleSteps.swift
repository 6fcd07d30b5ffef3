import Staging

/// A value for each possible step of a run, as long as the step is possible.
///
/// Most steps of a turn were possible at the turn before. The queues of the stage have moved them in a known way, so they
/// are moved in the same way, and the result is compared with the turn.
///
/// The memory is not that of arrays, because strategies read all values at each decision.
struct PossibleSteps<Value: BitwiseCopyable>: ~Copyable {
  /// Memory for the steps of one turn. Not private, because other files destroy it.
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

  private var capacity = 32
  /// The steps of the turn that was met last, from `start` on. The identifier of a step that is done is 0.
  private var row = Row(capacity: 32)
  /// Memory for the next turn.
  private var next = Row(capacity: 32)
  private var start = 0
  private var count = 0
  /// The place of a step that is done, counted from `start`; nil if no place is free.
  private var gap: Int?
  private var isCurrent = false

  deinit {
    row.deallocate()
    next.deallocate()
  }

  mutating func removeAll() {
    (start, count, gap) = (0, 0, nil)
    isCurrent = false
  }

  /// The value of a step of the turn that was met last.
  subscript(index: Int) -> Value {
    get { row.values[start + index] }
    nonmutating set { row.values[start + index] = newValue }
  }

  /// Updates the values for a turn. New steps get the result of `value`, in order; the others keep theirs.
  @inline(__always)
  mutating func meet(_ turn: Turn, _ value: (Int) -> Value) {
    var nothing: Void
    meet(turn, &nothing) { _, index in value(index) }
  }

  /// As `meet` without a context. The context is no captured variable, so that references to it are not counted.
  @inline(__always)
  mutating func meet<Context: ~Copyable>(
    _ turn: Turn,
    _ context: inout Context,
    _ value: (inout Context, Int) -> Value
  ) {
    if isCurrent { return }
    isCurrent = true
    let new = turn.count
    makeRoom(for: new)
    turn.writeIDs(to: next.ids)
    if let added = moved(to: new) {
      for index in added { row.values[start + index] = value(&context, index) }
    } else {
      search(new, &context, value)
    }
    assert(isAbout(turn), "Each value is at the place of its step.")
  }

  private func isAbout(_ turn: Turn) -> Bool {
    (0..<turn.count).allSatisfy { row.ids[start + $0] == turn.id($0) }
  }

  /// Moves the steps to their places in the next turn, if the new steps are together there.
  ///
  /// - Parameter new: the number of steps of the turn.
  /// - Returns: the places of the new steps; nil if the turn has other changes. Then the steps stay where they are.
  private mutating func moved(to new: Int) -> Range<Int>? {
    if let gap {
      if new == count {
        row.ids[start + gap] = next.ids[gap]
        if equalIDs(from: 0, 0, count) == count {
          self.gap = nil
          return gap..<gap + 1
        }
      }
      closeGap(gap)
    }
    let added = new - count
    guard added >= 0 else { return nil }
    let place = equalIDs(from: 0, 0, count)
    let after = count - place
    guard equalIDs(from: place, place + added, after) == after else { return nil }
    assert(start + new <= capacity, "There is room.")
    if added > 0 {
      move(from: start + place, by: added, after)
      for index in place..<place + added { row.ids[start + index] = next.ids[index] }
      count = new
    }
    return place..<place + added
  }

  /// Returns how many steps are the same from a place on, and from another place in the next turn on.
  ///
  /// - Parameters:
  ///   - place: the first place.
  ///   - nextPlace: the first place in the next turn.
  ///   - count: the greatest result.
  /// - Returns: the number of steps before the first difference.
  @inline(__always)
  private func equalIDs(from place: Int, _ nextPlace: Int, _ count: Int) -> Int {
    let (ids, nextIDs) = (row.ids + start + place, next.ids + nextPlace)
    var equal = 0
    while equal < count, ids[equal] == nextIDs[equal] { equal += 1 }
    return equal
  }

  @inline(__always)
  private mutating func closeGap(_ gap: Int) {
    move(from: start, by: 1, gap)
    self.gap = nil
    start += 1
    count -= 1
  }

  /// Moves some steps to later places.
  @inline(__always)
  private func move(from first: Int, by distance: Int, _ count: Int) {
    let (ids, values) = (row.ids + first, row.values + first)
    var index = count
    while index > 0 {
      index -= 1
      ids[index + distance] = ids[index]
      values[index + distance] = values[index]
    }
  }

  /// Finds the steps of the next turn one by one.
  @inline(never)
  private mutating func search<Context: ~Copyable>(
    _ new: Int,
    _ context: inout Context,
    _ value: (inout Context, Int) -> Value
  ) {
    // All steps before `first` are found. The step after one that was found out of order is at `hint`.
    var (first, hint) = (0, 0)
    for index in 0..<new {
      while first < count, row.ids[start + first] == 0 { first += 1 }
      guard let place = place(of: next.ids[index], from: first, or: hint) else {
        next.values[index] = value(&context, index)
        continue
      }
      next.values[index] = row.values[start + place]
      row.ids[start + place] = 0
      hint = place + 1
    }
    swap(&row, &next)
    (start, count) = (0, new)
  }

  private func place(of id: UInt64, from first: Int, or hint: Int) -> Int? {
    let ids = row.ids + start
    if first < count, ids[first] == id { return first }
    if hint < count, ids[hint] == id { return hint }
    for place in first..<max(first, count) where ids[place] == id { return place }
    return nil
  }

  @inline(__always)
  private mutating func makeRoom(for new: Int) {
    // One more, because closing a gap moves the start.
    if start + 1 + max(count, new) > capacity || 2 * new > capacity {
      moveToBegin(capacity: 2 * new)
    }
  }

  @inline(never)
  private mutating func moveToBegin(capacity needed: Int) {
    let (ids, values) = (row.ids + start, row.values + start)
    start = 0
    guard needed > capacity else {
      row.ids.update(from: ids, count: count)
      row.values.update(from: values, count: count)
      return
    }
    capacity = max(2 * capacity, needed)
    let larger = Row(capacity: capacity)
    larger.ids.update(from: ids, count: count)
    larger.values.update(from: values, count: count)
    row.deallocate()
    next.deallocate()
    (row, next) = (larger, Row(capacity: capacity))
  }

  /// Notes that a step of the turn is done next.
  @inline(__always)
  mutating func willDo(_ choice: Int, _ turn: Turn) {
    isCurrent = false
    let first = turn.firstOfQueue(of: choice)
    row.ids[start + choice] = row.ids[start + first]
    row.values[start + choice] = row.values[start + first]
    row.ids[start + first] = 0
    gap = first
    if first == 0 {
      (start, gap) = (start + 1, nil)
      count -= 1
    }
  }
}
