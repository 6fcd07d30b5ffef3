/// A value for each task of a run, by the runtime's number of the task. Tasks that are created one
/// after the other have close numbers, so most are found by index.
struct TaskTable<Value> {
  private static var most: UInt64 { 4_096 }
  private var first: UInt64?
  private var near: [Value?] = []
  private var far: [UInt64: Value] = [:]

  mutating func removeAll() {
    first = nil
    near.removeAll(keepingCapacity: true)
    if !far.isEmpty { far.removeAll(keepingCapacity: true) }
  }

  subscript(task: UInt64) -> Value? {
    get {
      guard let first, task >= first, task - first < Self.most else { return far[task] }
      let place = Int(task - first)
      return place < near.count ? near[place] : nil
    }
    set {
      let first = first ?? task
      self.first = first
      guard task >= first, task - first < Self.most else {
        far[task] = newValue
        return
      }
      let place = Int(task - first)
      while near.count <= place { near.append(nil) }
      near[place] = newValue
    }
  }
}
