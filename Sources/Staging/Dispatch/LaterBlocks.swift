/// Blocks of one queue that wait for their deadlines.
struct LaterBlocks {
  private var deadlines = SleepHeap()
  private var blocks: [UInt64: QueuedBlock] = [:]

  var isEmpty: Bool { blocks.isEmpty }

  mutating func add(_ block: QueuedBlock) {
    deadlines.push(Alarm(at: block.deadline, sequence: block.number, slot: 0))
    blocks[block.number] = block
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
