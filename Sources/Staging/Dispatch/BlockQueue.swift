import CVirtualTime
import LibC

enum QueueKind {
  case main, serial, concurrent

  init(of object: UnsafeMutableRawPointer) {
    self =
      switch Int(cvt_queue_kind(object)) {
      case CVT_MAIN: .main
      case CVT_CONCURRENT: .concurrent
      default: .serial
      }
  }
}

/// The blocks of one Dispatch queue that wait on a stage.
///
/// It exists while the queue has blocks on the stage, and retains the queue.
final class BlockQueue {
  let object: UnsafeMutableRawPointer
  /// Its number among the queues of the stage, in order of first use.
  let number: UInt64
  let isSerial: Bool
  /// Whether it is one of the queues that `DispatchQueue.global` returns.
  let isGlobal: Bool
  /// Whether XCTest uses it for its own data.
  let isOfXCTest: Bool
  /// Whether its blocks are main-actor code: it is the main queue, or targets it.
  private(set) var isMain: Bool
  private(set) var target: BlockQueue?
  /// Blocks that have not begun, in order of arrival.
  private var waiting: [QueuedBlock] = []
  /// The index of the first of them.
  private var head = 0
  private var waitingBarriers = 0
  /// Number of waiting blocks of the main run loop.
  private var waitingOfLoop = 0
  /// Number of blocks of this queue, and of queues that target it, that have begun and not ended.
  private var running = 0
  private(set) var isBarrierRunning = false
  /// Blocks that are not ready because the queue, or one that it targets, is suspended.
  var held: [QueuedBlock] = []
  /// Blocks that wait for their deadlines, on a stage that chooses the next step.
  var later = LaterBlocks()

  init(_ object: UnsafeMutableRawPointer, number: UInt64, target: BlockQueue?) {
    (self.object, self.number, self.target) = (object, number, target)
    let kind = QueueKind(of: object)
    isSerial = kind != .concurrent
    // Only these have no target.
    isGlobal = kind == .concurrent && target == nil
    isMain = kind == .main || target?.isMain == true
    isOfXCTest = cvt_queue_label(object).map { strncmp($0, "org.swift.XCTest.", 17) == 0 } ?? false
    cvt_object_retain(object)
  }

  deinit {
    // libdispatch ends the program if this was the last reference. Only code can resume it, so it stays.
    if cvt_queue_is_suspended(object) { return }
    cvt_object_release(object)
  }

  func retarget(to target: BlockQueue?) {
    self.target = target
    isMain = QueueKind(of: object) == .main || target?.isMain == true
  }

  /// Whether it has neither waiting nor running blocks.
  var isUnused: Bool { head == waiting.count && running == 0 && later.isEmpty }

  var waitingCount: Int { waiting.count - head }

  /// Whether it or one of its targets is suspended.
  var isSuspended: Bool {
    cvt_queue_is_suspended(object) || target?.isSuspended == true
  }

  func add(_ block: QueuedBlock) {
    waiting.append(block)
    if block.isBarrier { waitingBarriers += 1 }
    if block.isOfLoop { waitingOfLoop += 1 }
  }

  /// Whether a waiting block may begin now.
  func canBegin(_ block: QueuedBlock) -> Bool {
    guard !isBarrierRunning, target?.hasRoom != false else { return false }
    if isSerial {
      if running > 0 { return block.isOfLoop && isFirst(block) }
      // The run loop and the main queue keep only their own orders.
      return waiting[head] === block
        || waitingOfLoop > 0 && waitingOfLoop < waitingCount && isFirst(block)
    }
    if block.isBarrier { return running == 0 && waiting[head] === block }
    guard waitingBarriers > 0 else { return true }
    for index in head..<waiting.count {
      if waiting[index] === block { return true }
      if waiting[index].isBarrier { return false }
    }
    return false
  }

  /// Whether a block is the first one of the main run loop, or of the queue. A block of the loop may run inside of a run
  /// loop that another block runs, and only then is a running block of the queue no obstacle: otherwise that block keeps the
  /// main actor.
  private func isFirst(_ block: QueuedBlock) -> Bool {
    waiting[head...].first { $0.isOfLoop == block.isOfLoop } === block
  }

  /// Whether a block of a queue that targets this one may begin.
  private var hasRoom: Bool {
    !isBarrierRunning && !(isSerial && running > 0) && target?.hasRoom != false
  }

  func begin(_ block: QueuedBlock) {
    remove(block)
    isBarrierRunning = block.isBarrier
    enter()
  }

  func end(_ block: QueuedBlock) {
    if block.isBarrier { isBarrierRunning = false }
    leave()
  }

  /// Counts a block that runs at once, without waiting.
  func enter(asBarrier isBarrier: Bool = false) {
    if isBarrier { isBarrierRunning = true }
    running += 1
    target?.enter()
  }

  func leave(asBarrier isBarrier: Bool = false) {
    if isBarrier { isBarrierRunning = false }
    running -= 1
    target?.leave()
  }

  /// Whether a block of `sync` may run at once.
  func isFree(forBarrier isBarrier: Bool) -> Bool {
    guard !isSuspended, !isBarrierRunning, target?.hasRoom != false else { return false }
    if isSerial || isBarrier { return running == 0 && isEmpty }
    return waitingBarriers == 0
  }

  private var isEmpty: Bool { head == waiting.count }

  /// Forgets all blocks that have not begun. They refer to the queue, so that it would stay with them.
  func dropBlocks() {
    head = 0
    (waitingBarriers, waitingOfLoop) = (0, 0)
    _ = exchange(&waiting, with: [])
    _ = exchange(&held, with: [])
    _ = exchange(&later, with: LaterBlocks())
  }

  func remove(_ block: QueuedBlock) {
    guard !isEmpty else { return }
    if block.isBarrier { waitingBarriers -= 1 }
    if block.isOfLoop { waitingOfLoop -= 1 }
    if waiting[head] === block {
      head += 1
      if head == waiting.count {
        waiting.removeAll(keepingCapacity: head <= 1024)
        head = 0
      } else if head > 1024, head > waiting.count / 2 {
        waiting.removeFirst(head)
        head = 0
      }
    } else if let index = waiting.firstIndex(where: { $0 === block }) {
      waiting.remove(at: index)
    }
  }
}
