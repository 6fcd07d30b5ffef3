import CVirtualTime

/// Work on a queue of a stage.
final class QueuedBlock {
  enum Work {
    /// A block of C, which is released with this object.
    case block(UnsafeMutableRawPointer)
    /// A function of the stage, such as the call of a timer.
    case call(() -> Void)
    /// A waiting thread of the stage continues.
    case thread(BlockedThread)
  }

  let work: Work
  /// Nil for a thread that waits for no queue.
  let queue: BlockQueue?
  let isBarrier: Bool
  /// The group that the block leaves at its end. This object has retained it.
  private var group: UnsafeMutableRawPointer?
  /// Its number among the blocks of its stage.
  let number: UInt64
  /// The instant of `asyncAfter`, in nanoseconds.
  var deadline: Int64 = 0
  /// The instant of the call of `asyncAfter`, in nanoseconds.
  var submission: Int64 = 0
  /// Whether it is ready, or is held only because its queue is suspended.
  var isEnqueued = false
  /// Whether the main run loop runs it: a timer, or `RunLoop.perform`.
  var isOfLoop = false
  /// The random numbers that it draws.
  @exclusivity(unchecked) var random: RandomStream

  init(
    _ work: Work,
    on queue: BlockQueue?,
    number: UInt64,
    random: RandomStream,
    isBarrier: Bool = false,
    group: UnsafeMutableRawPointer? = nil
  ) {
    (self.work, self.queue, self.number) = (work, queue, number)
    (self.isBarrier, self.group, self.random) = (isBarrier, group, random)
    if let group { cvt_object_retain(group) }
  }

  deinit {
    if case .block(let block) = work { cvt_block_release(block) }
    if let group { cvt_object_release(group) }
  }

  /// A number that is the same for all blocks that run one after the other.
  var line: UInt64 {
    guard let queue, queue.isSerial else { return number << 1 }
    // The main run loop and the main queue have separate orders.
    return queue.number << 1 | 1 | (isOfLoop ? 1 << 62 : 0)
  }

  /// Whether the block belongs to a cancelled work item, so that it does nothing.
  var isCancelled: Bool {
    guard case .block(let block) = work else { return false }
    return WorkItem.isCancelled(block)
  }

  /// Leaves the group, once.
  func leaveGroup() {
    guard let group else { return }
    self.group = nil
    cvt_group_leave(group)
    cvt_object_release(group)
  }
}

/// The state of a block that belongs to a `DispatchWorkItem`.
enum WorkItem {
  static func isPerformed(_ block: UnsafeMutableRawPointer) -> Bool {
    has(CVT_BLOCK_PERFORMED, block)
  }

  static func isCancelled(_ block: UnsafeMutableRawPointer) -> Bool {
    has(CVT_BLOCK_CANCELLED, block)
  }

  static func isBarrier(_ block: UnsafeMutableRawPointer) -> Bool {
    has(CVT_BLOCK_BARRIER, block)
  }

  /// Whether it was performed more than once.
  static func hasRunTwice(_ block: UnsafeMutableRawPointer) -> Bool {
    has(CVT_BLOCK_PERFORMED_TWICE, block)
  }

  /// Whether code waits for it, or has waited for it successfully.
  static func isAwaited(_ block: UnsafeMutableRawPointer) -> Bool { has(CVT_BLOCK_AWAITED, block) }

  private static func has(_ state: Int, _ block: UnsafeMutableRawPointer) -> Bool {
    let states = cvt_block_state(block)
    return states > 0 && Int(states) & state != 0
  }
}

/// A value of C that is used only on the thread of its stage.
struct OnStage<Value>: @unchecked Sendable {
  let value: Value
}
