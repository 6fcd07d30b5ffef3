/// Blocks of one queue that wait for their deadlines.
struct LaterBlocks {
  private var deadlines = SleepHeap()
  private var blocks: [UInt64: QueuedBlock] = [:]
  /// The numbers of blocks with equal deadlines that were counted from one instant, since the collection was empty.
  private var counts: [Times: Int] = [:]

  /// A deadline, and the instant from which it was counted.
  private struct Times: Hashable {
    let deadline: Int64
    let submission: Int64
  }

  var isEmpty: Bool { blocks.isEmpty }

  /// Adds a block.
  ///
  /// - Returns: the number of blocks with its deadline that were submitted at one instant with it.
  mutating func add(_ block: QueuedBlock) -> Int {
    deadlines.push(Alarm(at: block.deadline, sequence: block.number, slot: 0))
    if blocks.isEmpty { counts = [:] }
    blocks[block.number] = block
    let times = Times(deadline: block.deadline, submission: block.submission)
    counts[times, default: 0] += 1
    return counts[times] ?? 0
  }

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
