/// The lower bound of every scheduler in virtual time: a binary heap of closures, by time, then by arrival, and a
/// loop that calls the first.
struct ClosureHeap {
  private struct Event {
    let time: Int64
    let sequence: Int
    let body: (inout ClosureHeap) -> Void

    static func < (left: Event, right: Event) -> Bool {
      (left.time, left.sequence) < (right.time, right.sequence)
    }
  }

  private(set) var time: Int64 = 0
  private var events: [Event] = []
  private var count = 0

  mutating func add(after delay: Int64, _ body: @escaping (inout ClosureHeap) -> Void) {
    count += 1
    events.append(Event(time: time + delay, sequence: count, body: body))
    var hole = events.count - 1
    while hole > 0, events[hole] < events[(hole - 1) / 2] {
      events.swapAt(hole, (hole - 1) / 2)
      hole = (hole - 1) / 2
    }
  }

  mutating func run() {
    while let event = popFirst() {
      time = event.time
      event.body(&self)
    }
  }

  private mutating func popFirst() -> Event? {
    guard let last = events.indices.last else { return nil }
    events.swapAt(0, last)
    let first = events.removeLast()
    var hole = 0
    while true {
      var child = hole * 2 + 1
      guard child < events.count else { return first }
      if child + 1 < events.count, events[child + 1] < events[child] { child += 1 }
      guard events[child] < events[hole] else { return first }
      events.swapAt(hole, child)
      hole = child
    }
  }
}
