/// The instant at which a sleeper wakes. Ordered by instant, then by arrival.
struct Alarm {
  let at: Int64
  /// Unique within a stage and increasing, so that earlier sleepers wake first.
  let sequence: UInt64
  /// The index of the sleeper's slot.
  let slot: UInt32

  /// An odd number. The `id` of a `ReadyJob` is even.
  var id: UInt64 { Self.id(sequence) }

  static func id(_ sequence: UInt64) -> UInt64 { sequence << 1 | 1 }

  static func < (left: Alarm, right: Alarm) -> Bool {
    left.at < right.at || (left.at == right.at && left.sequence < right.sequence)
  }
}

/// A heap of alarms, with the earliest on top. Each node has four children: half the depth of a
/// binary heap, and siblings share cache lines.
struct SleepHeap {
  private(set) var alarms: ContiguousArray<Alarm> = []
  /// The instant of the first alarm. It is read between any two steps of a stage, so it is stored
  /// outside of the array.
  private(set) var earliest = Int64.max

  var first: Alarm? { alarms.first }
  var count: Int { alarms.count }

  mutating func push(_ alarm: Alarm) {
    if alarms.isEmpty { alarms.reserveCapacity(16) }
    alarms.append(alarm)
    siftUp(alarm, from: alarms.count - 1)
    earliest = min(earliest, alarm.at)
  }

  mutating func popFirst() -> Alarm? {
    guard let first = alarms.first else { return nil }
    let last = alarms.removeLast()
    if !alarms.isEmpty { siftDown(last, from: 0) }
    earliest = alarms.first?.at ?? .max
    return first
  }

  mutating func removeAll(where isGone: (Alarm) -> Bool) {
    alarms.removeAll(where: isGone)
    if alarms.count > 1 {
      for parent in stride(from: (alarms.count - 2) / 4, through: 0, by: -1) {
        siftDown(alarms[parent], from: parent)
      }
    }
    earliest = alarms.first?.at ?? .max
  }

  private mutating func siftUp(_ alarm: Alarm, from hole: Int) {
    alarms.withUnsafeMutableBufferPointer { alarms in
      var hole = hole
      while hole > 0 {
        let parent = (hole - 1) >> 2
        guard alarm < alarms[parent] else { break }
        alarms[hole] = alarms[parent]
        hole = parent
      }
      alarms[hole] = alarm
    }
  }

  private mutating func siftDown(_ alarm: Alarm, from hole: Int) {
    alarms.withUnsafeMutableBufferPointer { alarms in
      var hole = hole
      while true {
        let firstChild = hole << 2 + 1
        guard firstChild < alarms.count else { break }
        var least = firstChild
        for child in firstChild + 1..<min(firstChild + 4, alarms.count)
        where alarms[child] < alarms[least] {
          least = child
        }
        guard alarms[least] < alarm else { break }
        alarms[hole] = alarms[least]
        hole = least
      }
      alarms[hole] = alarm
    }
  }
}
