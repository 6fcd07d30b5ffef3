/// Blocks of one queue that wait for their deadlines.
struct LaterBlocks {
  private var deadlines = SleepHeap()
  private var blocks: [UInt64: QueuedBlock] = [:]
  /// Blocks with equal deadlines that were counted from one instant, since the collection was empty.
  private var equal: [Times: Equal] = [:]

  /// A deadline, and the instant of the call of `asyncAfter`.
  private struct Times: Hashable {
    let deadline: Int64
    let submission: Int64
  }

  private struct Equal {
    var count = 0
    var hasBarrier = false
    var isReported = false
  }

  var isEmpty: Bool { blocks.isEmpty }

  /// Adds a block.
  ///
  /// - Parameters:
  ///   - block: the block.
  ///   - isSerial: whether its queue is serial.
  /// - Returns: whether libdispatch may exchange it with others, although the queue keeps their order: the queue has three or
  ///   more blocks that were submitted at one instant for one deadline.
  mutating func add(_ block: QueuedBlock, isSerial: Bool) -> Bool {
    deadlines.push(Alarm(at: block.deadline, sequence: block.number, slot: 0))
    if blocks.isEmpty { equal = [:] }
    blocks[block.number] = block
    let times = Times(deadline: block.deadline, submission: block.submission)
    var others = equal[times] ?? Equal()
    defer { equal[times] = others }
    others.count += 1
    if block.isBarrier { others.hasBarrier = true }
    guard others.count > Self.mostInOrder, isSerial || others.hasBarrier, !others.isReported else {
      return false
    }
    others.isReported = true
    return true
  }

  /// Number of such blocks whose order libdispatch keeps.
  private static let mostInOrder = 2

  /// Removes the blocks that must not begin after the given one, and this one, which is the last.
  ///
  /// These were submitted before it, and their deadline is earlier, or it is the same and was counted from the same instant.
  ///
  /// - Returns: The blocks in order of submission.
  mutating func take(before block: QueuedBlock) -> [QueuedBlock] {
    var taken: [QueuedBlock] = []
    var left: [Alarm] = []
    while let alarm = deadlines.first,
      alarm.at < block.deadline || alarm.at == block.deadline && alarm.sequence <= block.number
    {
      _ = deadlines.popFirst()
      let isTaken =
        alarm.sequence <= block.number
        && (alarm.at < block.deadline || blocks[alarm.sequence]?.submission == block.submission)
      if !isTaken {
        left.append(alarm)
      } else if let block = blocks.removeValue(forKey: alarm.sequence) {
        taken.append(block)
      }
    }
    for alarm in left { deadlines.push(alarm) }
    return taken.sorted { $0.number < $1.number }
  }
}
