/// A number from 0 for each task of a run, by the runtime's number of the task. Tasks that are created one after the other have
/// close numbers, so most are found by index.
struct TaskTable: ~Copyable {
  private static let most: UInt64 = 4_096
  private static let none = -1
  private var first: UInt64?
  private var near = PlainList<Int>()
  private var far: [UInt64: Int] = [:]

  mutating func removeAll() {
    first = nil
    near.removeAll()
    if !far.isEmpty { far.removeAll(keepingCapacity: true) }
  }

  /// The number of a task; nil if it has none.
  subscript(task: UInt64) -> Int? {
    guard let first, task >= first, task - first < Self.most else {
      return far.isEmpty ? nil : far[task]
    }
    let place = Int(task - first)
    guard place < near.count, near[place] != Self.none else { return nil }
    return near[place]
  }

  /// Gives a task a number.
  mutating func set(_ number: Int, of task: UInt64) {
    let first = first ?? task
    self.first = first
    guard task >= first, task - first < Self.most else {
      far[task] = number
      return
    }
    let place = Int(task - first)
    while near.count <= place { near.append(Self.none) }
    near[place] = number
  }
}
