import CVirtualTime
import RehearsalBase

/// The Dispatch of a stage: queues, groups, timers and waits in virtual time. Its objects are libdispatch's own.
final class StageDispatch {
  unowned let stage: StageExecutor
  private var queues: [UnsafeMutableRawPointer: BlockQueue] = [:]
  private var lastQueue: BlockQueue?
  private var queueCount: UInt64 = 0
  private var blockCount: UInt64 = 0
  /// Number of blocks in the stage's queue of ready jobs.
  private(set) var readyBlocks = 0
  /// The blocks that run when a group is empty.
  private var notifications: [UnsafeMutableRawPointer: [QueuedBlock]] = [:]
  /// Groups with notifications, in order.
  private var awaitedGroups: [UnsafeMutableRawPointer] = []
  /// The calls that have entered and left each group since it was empty, if the stage keeps a history.
  private var groupCalls: [UnsafeMutableRawPointer: GroupCalls] = [:]
  /// The blocks that run when a work item has been performed.
  private var followers: [(item: UnsafeMutableRawPointer, block: QueuedBlock)] = []
  /// Operations of Foundation that are in no queue of Dispatch yet.
  var operations = WaitingOperations()
  /// Queues with held blocks, in order.
  private var suspended: [BlockQueue] = []
  var timers: [UnsafeMutableRawPointer: RunLoopTimer] = [:]
  var sources: [UnsafeMutableRawPointer: TimerSource] = [:]
  /// The timeouts of the waits of XCTest.
  var testTimeouts: [Int64] = []
  /// Whether a run loop was stopped before it ran.
  var loopWasStopped = false
  /// The queue of the running block, inside of those of outer `sync` calls.
  var current: RunningBlock?

  init(_ stage: StageExecutor) { self.stage = stage }

  // MARK: Queues

  func queue(_ object: UnsafeMutableRawPointer) -> BlockQueue {
    if let lastQueue, lastQueue.object == object { return lastQueue }
    if let known = queues[object] {
      lastQueue = known
      return known
    }
    queueCount += 1
    let number = queueCount
    let target = cvt_queue_target(object).map(queue)
    let queue = BlockQueue(object, number: number, target: target)
    queues[object] = queue
    lastQueue = queue
    return queue
  }

  /// Forgets the queues without blocks, if there are many. A target of a queue with blocks stays, because all queues
  /// that target it must find the same one.
  private func forgetUnused() {
    guard queues.count > mostQueues else { return }
    let used = queues.values.filter { !$0.isUnused }
    queues = [:]
    for queue in used {
      var next: BlockQueue? = queue
      while let kept = next {
        queues[kept.object] = kept
        next = kept.target
      }
    }
    lastQueue = nil
    mostQueues = max(256, queues.count * 2)
  }

  /// Number of queues from which unused ones are forgotten.
  private var mostQueues = 256

  func makeBlock(
    _ work: QueuedBlock.Work,
    on queue: BlockQueue?,
    isBarrier: Bool = false,
    group: UnsafeMutableRawPointer? = nil,
    random: RandomStream? = nil
  ) -> QueuedBlock {
    blockCount += 1
    return QueuedBlock(
      work,
      on: queue,
      number: blockCount,
      random: random ?? stage.childStream(),
      // libdispatch ignores barriers on global queues.
      isBarrier: isBarrier && queue?.isGlobal != true,
      group: group
    )
  }

  func makeBlock(
    copying block: UnsafeMutableRawPointer,
    on object: UnsafeMutableRawPointer,
    isBarrier: Bool = false,
    group: UnsafeMutableRawPointer? = nil
  ) -> QueuedBlock {
    makeBlock(
      .block(cvt_block_copy(block)),
      on: queue(object),
      isBarrier: isBarrier || WorkItem.isBarrier(block),
      group: group,
      random: operations.isEmpty ? nil : operations.begin(block)
    )
  }

  /// Makes a block ready, or holds it while its queue is suspended.
  func enqueue(_ block: QueuedBlock) {
    block.isEnqueued = true
    guard let queue = block.queue else { return append(block) }
    queue.add(block)
    guard queue.isSuspended else { return append(block) }
    hold(block, of: queue)
  }

  /// Makes a block of no queue ready, before all others.
  func enqueueFirst(_ block: QueuedBlock) {
    block.isEnqueued = true
    readyBlocks += 1
    stage.ready.prepend(ReadyJob(block))
  }

  /// Forgets a block that has not begun.
  private func discard(_ block: QueuedBlock, of queue: BlockQueue) {
    queue.remove(block)
    queue.held.removeAll { $0 === block }
    stage.ready.filter { job in
      guard job.block === block else { return true }
      job.releaseBlock()
      readyBlocks -= 1
      return false
    }
  }

  private func hold(_ block: QueuedBlock, of queue: BlockQueue) {
    if queue.held.isEmpty { suspended.append(queue) }
    queue.held.append(block)
  }

  private func append(_ block: QueuedBlock) {
    readyBlocks += 1
    stage.ready.append(ReadyJob(block))
  }

  /// Registers that a queue may have been suspended, resumed, or given another target.
  func changed(_ object: UnsafeMutableRawPointer) {
    if let queue = queues[object] {
      queue.retarget(to: cvt_queue_target(object).map(self.queue))
      if queue.isSuspended, readyBlocks > 0 { holdReady() }
    }
    releaseHeld()
  }

  /// Takes the ready blocks of suspended queues out of the stage's queue.
  private func holdReady() {
    stage.ready.filter { job in
      guard let block = job.block, let queue = block.queue, queue.isSuspended else { return true }
      hold(block, of: queue)
      job.releaseBlock()
      readyBlocks -= 1
      return false
    }
  }

  private func releaseHeld() {
    guard !suspended.isEmpty else { return }
    let queues = suspended
    suspended = []
    for queue in queues {
      if queue.isSuspended {
        suspended.append(queue)
      } else {
        let blocks = queue.held
        queue.held = []
        for block in blocks { append(block) }
      }
    }
  }

  // MARK: Running

  func canRun(_ block: QueuedBlock) -> Bool {
    guard let queue = block.queue else { return true }
    if queue.isMain, stage.threads.map({ $0.holdingMain > 0 }) == true { return false }
    return queue.canBegin(block)
  }

  /// Runs a block that was taken out of the stage's queue.
  func run(_ block: QueuedBlock) {
    readyBlocks -= 1
    block.queue?.begin(block)
    if case .thread(let wait) = block.work {
      // It ends the queue's block itself.
      if wait.outcome == nil { wait.outcome = .signalled }
      stage.threads?.resume(wait)
      return
    }
    let outer = current
    current = block.queue.map { RunningBlock($0, outer: nil) }
    stage.setOnMain(block.queue?.isMain == true)
    stage.drawing(from: &block.random) {
      switch block.work {
      case .block(let function): cvt_block_call(function)
      case .call(let function): function()
      case .thread: break
      }
    }
    stage.setOnMain(false)
    current = outer
    block.queue?.end(block)
    // Foundation's functions run the loop again, until their date.
    if block.isOfLoop, stage.threads != nil { stage.wakeAll(.runLoop) }
    block.leaveGroup()
    afterBlock()
  }

  private func afterBlock() {
    if !followers.isEmpty { enqueueFollowers() }
    forgetUnused()
  }

  // MARK: Calls

  func after(_ deadline: DispatchDeadline, _ block: QueuedBlock) {
    guard let instant = deadline.nanoseconds(now: stage.nanoseconds) else { return }
    if StageExecutor.isCalledByXCTest, !stage.noteTestTimer(at: instant) { return }
    if instant <= stage.nanoseconds { return enqueue(block) }
    (block.deadline, block.submission) = (instant, stage.nanoseconds)
    if !stage.isFirstInFirstOut, let queue = block.queue {
      if queue.later.add(block, isSerial: queue.isSerial) {
        let name = QueueName.text(of: queue.object)
        stage.noteUnvaried { .equalDeadlines(queue: name, $0) }
      }
    }
    schedule(at: instant, block) { [unowned self] in enqueueLater(block) }
  }

  /// Makes a block ready at its deadline, after the blocks of its queue that were submitted before it at the same instant,
  /// for the same deadline or an earlier one: a schedule must not exchange them. Deadlines that are counted from different
  /// instants are equal only in virtual time.
  private func enqueueLater(_ block: QueuedBlock) {
    if block.isEnqueued { return }
    guard let queue = block.queue, !queue.later.isEmpty else { return enqueue(block) }
    let due = queue.later.take(before: block)
    for block in due { enqueue(block) }
  }

  @discardableResult
  func schedule(
    at nanoseconds: Int64,
    _ block: QueuedBlock? = nil,
    _ body: @escaping () -> Void
  ) -> Scheduled {
    let scheduled = Scheduled(
      at: StageInstant(nanoseconds: nanoseconds),
      on: stage,
      onlyWakes: false,
      queued: block,
      // The stage calls it on its thread.
      body: unsafeBitCast(body, to: (@MainActor () -> Void).self)
    )
    stage.schedule(scheduled)
    return scheduled
  }

  func sync(_ object: UnsafeMutableRawPointer, isBarrier: Bool, _ body: () -> Void) {
    let queue = queue(object)
    let isBarrier = isBarrier && !queue.isGlobal
    if queue.isSerial || isBarrier || queue.isBarrierRunning, isRunning(on: queue) {
      stage.noteDeadlock(
        BlockedThread(.queue, call: Self.syncCall(queue), of: nil, holdsMain: false)
      )
      return body()
    }
    // XCTest's own work changes no result, in any order.
    if !queue.isOfXCTest { stage.letOthersRun() }
    if queue.isFree(forBarrier: isBarrier), !queue.isMain || stage.isOnMain || !holdsMain {
      queue.enter(asBarrier: isBarrier)
      runInside(queue, body)
      queue.leave(asBarrier: isBarrier)
    } else {
      let wait = BlockedThread(
        .queue,
        call: Self.syncCall(queue),
        of: stage.threads?.running,
        holdsMain: stage.isOnMain
      )
      let block = makeBlock(.thread(wait), on: queue, isBarrier: isBarrier)
      enqueue(block)
      // Otherwise the queue is free soon.
      if queue.isSuspended || stage.threads?.blocked.contains(where: { !$0.isInterrupted }) == true
      {
        stage.noteThreads(neededBy: wait)
      }
      stage.block(wait)
      if wait.outcome == .deadlock { discard(block, of: queue) }
      runInside(queue, body)
      if wait.outcome != .deadlock { queue.end(block) }
    }
    if !followers.isEmpty { enqueueFollowers() }
    if !queue.isOfXCTest { stage.letOthersRun() }
  }

  private var holdsMain: Bool { stage.threads.map { $0.holdingMain > 0 } == true }

  private func runInside(_ queue: BlockQueue, _ body: () -> Void) {
    let wasOnMain = stage.isOnMain
    current = RunningBlock(queue, outer: current)
    // A block of `sync` runs on the thread of its caller, except on the main queue.
    if queue.isMain { stage.setOnMain(true) }
    body()
    stage.setOnMain(wasOnMain)
    current = current?.outer
  }

  private static func syncCall(_ queue: BlockQueue) -> String {
    "\(QueueName.text(of: queue.object)).sync"
  }

  /// Whether code of the calling thread runs on a queue, or on one that targets it.
  func isRunning(on queue: BlockQueue) -> Bool {
    if queue.isMain, queue.target == nil { return stage.isOnMain }
    var running = current
    while let block = running {
      var next: BlockQueue? = block.queue
      while let candidate = next {
        if candidate === queue { return true }
        next = candidate.target
      }
      running = block.outer
    }
    return false
  }

  func apply(_ iterations: Int, _ body: (Int) -> Void) {
    // Each iteration draws its own random numbers, whatever the order.
    let seeds = stage.childStream().children
    var left = Array(0..<iterations)
    while !left.isEmpty {
      let place = left.count == 1 ? 0 : stage.chooseValue(among: left.count)
      let index = place == 0 ? left.removeFirst() : left.remove(at: place)
      var seed = SplitMix64(seed: seeds.state &+ UInt64(index))
      var random = RandomStream(seed: seed.next())
      stage.drawingOutsideOfTasks(from: &random) { body(index) }
    }
  }

  // MARK: Groups

  func entered(_ group: UnsafeMutableRawPointer) {
    if cvt_group_is_empty(group) { groupCalls[group] = nil }
    groupCalls[group, default: GroupCalls()].enter()
  }

  func notify(_ group: UnsafeMutableRawPointer, _ block: QueuedBlock) {
    if cvt_group_is_empty(group) { return enqueue(block) }
    if notifications[group] == nil {
      awaitedGroups.append(group)
      cvt_object_retain(group)
      stage.address.addWaits(1)
    }
    notifications[group, default: []].append(block)
  }

  func left(_ group: UnsafeMutableRawPointer) {
    groupCalls[group]?.leaves += 1
    let isAwaited = notifications[group] != nil
    guard isAwaited || stage.isWaiting(for: .group(group)), cvt_group_is_empty(group) else {
      return
    }
    if isAwaited { enqueueNotifications(of: group) }
    stage.wakeAll(.group(group))
  }

  private func enqueueNotifications(of group: UnsafeMutableRawPointer) {
    guard let blocks = notifications.removeValue(forKey: group) else { return }
    awaitedGroups.removeAll { $0 == group }
    cvt_object_release(group)
    stage.address.addWaits(-1)
    for block in blocks { enqueue(block) }
  }

  /// Looks for groups that other threads have left, and for semaphores that they have signalled.
  ///
  /// - Parameter isSignalled: whether another thread may have signalled a condition.
  func lookOutside(isSignalled: Bool = false) {
    for group in awaitedGroups where cvt_group_is_empty(group) { enqueueNotifications(of: group) }
    enqueueFollowers()
    stage.wakeByOutside(isSignalled: isSignalled)
  }

  // MARK: Work items

  func follow(_ item: UnsafeMutableRawPointer, _ block: QueuedBlock) {
    if WorkItem.isPerformed(item) { return enqueue(block) }
    followers.append((cvt_block_copy(item), block))
  }

  /// Whether code waits until a work item has been performed, or been skipped because it is cancelled.
  func isAwaited(_ block: QueuedBlock) -> Bool {
    guard case .block(let item) = block.work else { return false }
    return followers.contains { $0.item == item } || stage.isWaiting(for: .workItem(item))
  }

  func enqueueFollowers() {
    guard !followers.isEmpty || stage.threads != nil else { return }
    let performed = followers.filter { WorkItem.isPerformed($0.item) }
    if !performed.isEmpty { followers.removeAll { WorkItem.isPerformed($0.item) } }
    for follower in performed {
      enqueue(follower.block)
      cvt_block_release(follower.item)
    }
    stage.wakePerformed()
  }

  // MARK: What is left

  /// What can never run although it was submitted: for readers.
  var unreachable: [BlockedCall] {
    suspended.map { queue in
      let count = queue.held.count
      return BlockedCall(
        text:
          "\(QueueName.text(of: queue.object)) is suspended with \("block".counted(count))"
      )
    }
      + awaitedGroups.map { group in
        let block = notifications[group]?.first?.queue.map { QueueName.text(of: $0.object) } ?? ""
        let calls = groupCalls[group] ?? GroupCalls()
        return BlockedCall(
          text: "DispatchGroup.notify on \(block) waits for a group that \(calls.text)",
          remarks: calls.places
        )
      } + operations.blocked
  }

  /// Where a group was entered that is not empty: `entered in load() at Model.swift:4`.
  func places(ofGroup group: UnsafeMutableRawPointer) -> [String] {
    groupCalls[group]?.places ?? []
  }

  /// Drops everything that has not begun. To release a block may run code that uses Dispatch, so each is released after
  /// it was removed.
  func close() {
    for group in exchange(&awaitedGroups, with: []) {
      cvt_object_release(group)
      stage.address.addWaits(-1)
    }
    _ = exchange(&notifications, with: [:])
    for follower in exchange(&followers, with: []) { cvt_block_release(follower.item) }
    _ = exchange(&suspended, with: [])
    operations = WaitingOperations()
    for timer in exchange(&timers, with: [:]).values { timer.close() }
    for source in exchange(&sources, with: [:]).values { source.close() }
    for queue in exchange(&queues, with: [:]).values { queue.dropBlocks() }
    lastQueue = nil
  }
}

/// The calls that entered and left a group.
private struct GroupCalls {
  /// The return addresses of the first calls of `enter`.
  private var callers: [[UInt]] = []
  private var enters = 0
  /// The number of calls of `leave`, without those of other threads.
  var leaves = 0

  private static let mostCallers = 10

  mutating func enter() {
    enters += 1
    if callers.count < Self.mostCallers { callers.append(ReturnAddresses.ofCallers()) }
  }

  /// What the calls come to: `was entered once and not left`.
  var text: String {
    if enters == 0 { return "is still entered" }
    let left = leaves == 0 ? "not left" : "left \(Self.times(leaves))"
    return "was entered \(Self.times(enters)) and \(left)"
  }

  /// The first calls of `enter`.
  var places: [String] {
    callers.compactMap { StackFunction.frames(at: $0).first.map { "entered in \($0)" } }
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}

/// A queue whose block runs on a thread.
final class RunningBlock {
  let queue: BlockQueue
  let outer: RunningBlock?

  init(_ queue: BlockQueue, outer: RunningBlock?) { (self.queue, self.outer) = (queue, outer) }
}

/// A time of libdispatch: `dispatch_time_t`.
struct DispatchDeadline {
  private let value: UInt64

  init(_ value: UInt64) { self.value = value }

  /// Makes a deadline some nanoseconds after an instant of a stage.
  init(after delay: Int64, now: Int64) {
    value = UInt64(now.saturatingAdding(delay).saturatingAdding(CVT_BOOT_NANOSECONDS))
  }

  /// Returns the instant on a stage, in nanoseconds; nil if it never comes. The encoding is that of
  /// `_dispatch_time_to_clock_and_value` in libdispatch.
  func nanoseconds(now: Int64) -> Int64? {
    switch value {
    case .max: return nil
    case 0, .max - 1: return now
    case ..<(1 << 63): return Int64(value) - CVT_BOOT_NANOSECONDS
    case ..<(3 << 62): return Int64(value & ~(1 << 63)) - CVT_BOOT_NANOSECONDS
    default: return Int64(bitPattern: 0 &- value) - CVT_EPOCH_NANOSECONDS
    }
  }

  /// The real clock that measures the deadline, and the time on it at the start of a stage; nil for the present moment.
  var realClock: (clock: Int?, start: Int64) {
    switch value {
    case 0, .max - 1, .max: (nil, 0)
    case ..<(1 << 63): (CVT_CLOCK_UPTIME, CVT_BOOT_NANOSECONDS)
    case ..<(3 << 62): (CVT_CLOCK_MONOTONIC, CVT_BOOT_NANOSECONDS)
    default: (CVT_CLOCK_WALL, CVT_EPOCH_NANOSECONDS)
    }
  }
}

/// The name of a queue for readers.
enum QueueName {
  static func text(of object: UnsafeMutableRawPointer) -> String {
    if QueueKind(of: object) == .main { return "DispatchQueue.main" }
    let label = cvt_queue_label(object).map { String(cString: $0) } ?? ""
    if label.isEmpty { return "DispatchQueue" }
    if label.hasPrefix("com.apple.root.") { return "DispatchQueue.global()" }
    // The rest of this label is an address.
    if label.hasPrefix("NSOperationQueue ") { return "OperationQueue" }
    return "DispatchQueue(label: \"\(label)\")"
  }
}
