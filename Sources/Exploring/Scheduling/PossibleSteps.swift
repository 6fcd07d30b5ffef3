import Staging

/// A value for each possible step of a run, as long as the step is possible.
///
/// Most steps of a turn were possible at the turn before, in the same order. So they are found by walking along both.
struct PossibleSteps<Value> {
  private var ids: [UInt64] = []
  private var values: [Value] = []
  private var isCurrent = false

  mutating func removeAll() {
    ids.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    isCurrent = false
  }

  /// The value of a step of the turn that was met last.
  subscript(index: Int) -> Value {
    get { values[index] }
    set { values[index] = newValue }
  }

  /// Updates the values for a turn. New steps get the result of `value`, in order; the others keep theirs.
  mutating func meet(_ turn: Turn, _ value: (Int) -> Value) {
    if isCurrent { return }
    isCurrent = true
    let count = turn.count
    for index in 0..<count {
      let id = turn.id(index)
      if index < ids.count, ids[index] == id { continue }
      // The steps before `index` are in place, so this step can only come later.
      if let place = ids[min(index, ids.count)...].firstIndex(of: id) {
        move(from: place, to: index)
      } else {
        ids.insert(id, at: index)
        values.insert(value(index), at: index)
      }
    }
    ids.removeLast(ids.count - count)
    values.removeLast(values.count - count)
  }

  private mutating func move(from place: Int, to index: Int) {
    ids.insert(ids.remove(at: place), at: index)
    values.insert(values.remove(at: place), at: index)
  }

  /// Notes that a step of the turn is done next.
  mutating func willDo(_ choice: Int) {
    ids.remove(at: choice)
    values.remove(at: choice)
    isCurrent = false
  }
}
