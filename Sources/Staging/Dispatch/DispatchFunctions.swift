// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVirtualTime

// The functions of CStageDispatch.h, which the interposed functions of libdispatch, CoreFoundation and the C library
// call on a thread that runs a stage.

/// The stage of the calling thread, for calls that affect other code: the replaced functions give it blocks, timers and
/// waits.
private var here: StageExecutor {
  cvt_count_submission()
  guard let stage = StageExecutor.current else { preconditionFailure("The thread runs no stage.") }
  return stage
}

/// Returns the object of a call; libdispatch crashes for NULL, too.
private func required(_ object: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
  guard let object else { preconditionFailure("Dispatch needs an object.") }
  return object
}

// MARK: Queues

@c @implementation func cvt_stage_async(
  _ queue: UnsafeMutableRawPointer?,
  _ block: UnsafeMutableRawPointer?,
  _ isBarrier: Bool,
  _ group: UnsafeMutableRawPointer?
) {
  let dispatch = here.dispatching
  dispatch.enqueue(
    dispatch.makeBlock(
      copying: required(block),
      on: required(queue),
      isBarrier: isBarrier,
      group: group
    )
  )
}

@c @implementation func cvt_stage_after(
  _ when: UInt64,
  _ queue: UnsafeMutableRawPointer?,
  _ block: UnsafeMutableRawPointer?
) {
  let dispatch = here.dispatching
  dispatch.after(
    DispatchDeadline(when),
    dispatch.makeBlock(copying: required(block), on: required(queue))
  )
}

@c @implementation func cvt_stage_sync(
  _ queue: UnsafeMutableRawPointer?,
  _ block: UnsafeMutableRawPointer?,
  _ isBarrier: Bool
) {
  let block = required(block)
  let isBarrier = isBarrier || WorkItem.isBarrier(block)
  here.dispatching.sync(required(queue), isBarrier: isBarrier) { cvt_block_call(block) }
}

@c @implementation func cvt_stage_apply(
  _ iterations: Int,
  _ queue: UnsafeMutableRawPointer?,
  _ block: UnsafeMutableRawPointer?
) {
  let block = required(block)
  // On a serial queue, they do not overlap in a program either. `concurrentPerform` names no queue.
  if iterations > 1, queue == nil { here.noteUnvaried { .iterations($0) } }
  here.dispatching.apply(iterations) { cvt_block_call_index(block, $0) }
}

@c @implementation func cvt_stage_queue_changed(_ queue: UnsafeMutableRawPointer?) {
  guard let stage = StageExecutor.current, let dispatch = stage.dispatch, let queue else { return }
  cvt_count_submission()
  dispatch.changed(queue)
}

@c @implementation func cvt_stage_current_queue() -> UnsafeMutableRawPointer? {
  guard let stage = StageExecutor.current else { return nil }
  return stage.dispatch?.current?.queue.object ?? (stage.isOnMain ? cvt_main_queue() : nil)
}

@c @implementation func cvt_stage_is_on_queue(_ queue: UnsafeMutableRawPointer?) -> Bool {
  guard let stage = StageExecutor.current, let queue else { return false }
  if queue == cvt_main_queue() { return stage.isOnMain }
  guard let dispatch = stage.dispatch else { return false }
  return dispatch.isRunning(on: dispatch.queue(queue))
}

@c @implementation func cvt_stage_check_barrier(_ queue: UnsafeMutableRawPointer?) {
  guard let queue, let dispatch = StageExecutor.current?.dispatch else { return }
  let known = dispatch.queue(queue)
  if known.isSerial || known.isBarrierRunning { return }
  DispatchMistake.end("dispatchPrecondition .onQueueAsBarrier in a block that is no barrier")
}

@c @implementation func cvt_stage_is_on_main() -> Bool { StageExecutor.current?.isOnMain == true }

// MARK: Groups, semaphores and work items

@c @implementation func cvt_stage_group_notify(
  _ group: UnsafeMutableRawPointer?,
  _ queue: UnsafeMutableRawPointer?,
  _ block: UnsafeMutableRawPointer?
) {
  let dispatch = here.dispatching
  dispatch.notify(
    required(group),
    dispatch.makeBlock(copying: required(block), on: required(queue))
  )
}

@c @implementation func cvt_stage_group_entered(_ group: UnsafeMutableRawPointer?) {
  here.dispatching.entered(required(group))
}

@c @implementation func cvt_stage_group_left(_ group: UnsafeMutableRawPointer?) {
  here.dispatch?.left(required(group))
}

@c @implementation func cvt_stage_group_wait(
  _ group: UnsafeMutableRawPointer?,
  _ timeout: UInt64
) -> Int {
  let group = required(group)
  if cvt_group_is_empty(group) { return 0 }
  return here.block(.group(group), call: "DispatchGroup.wait", timeout: timeout) ? 0 : 1
}

@c @implementation func cvt_stage_semaphore_wait(
  _ semaphore: UnsafeMutableRawPointer?,
  _ timeout: UInt64
) -> Int {
  let semaphore = required(semaphore)
  let stage = here
  stage.letOthersRun()
  if cvt_semaphore_try(semaphore) { return 0 }
  return stage.block(.semaphore(semaphore), call: "DispatchSemaphore.wait", timeout: timeout)
    ? 0 : 1
}

@c @implementation func cvt_stage_semaphore_signal(_ semaphore: UnsafeMutableRawPointer?) -> Bool {
  here.wakeFirst(.semaphore(required(semaphore)))
}

@c @implementation func cvt_stage_block_notify(
  _ block: UnsafeMutableRawPointer?,
  _ queue: UnsafeMutableRawPointer?,
  _ notification: UnsafeMutableRawPointer?
) {
  let dispatch = here.dispatching
  if WorkItem.hasRunTwice(required(block)) {
    DispatchMistake.end("notify of a DispatchWorkItem that runs more than once")
  }
  dispatch.follow(
    required(block),
    dispatch.makeBlock(copying: required(notification), on: required(queue))
  )
}

@c @implementation func cvt_stage_block_wait(
  _ block: UnsafeMutableRawPointer?,
  _ timeout: UInt64
) -> Int {
  let block = required(block)
  let stage = here
  if WorkItem.isAwaited(block) { DispatchMistake.end("second wait for a DispatchWorkItem") }
  if WorkItem.hasRunTwice(block) {
    DispatchMistake.end("wait for a DispatchWorkItem that runs more than once")
  }
  cvt_block_begin_wait(block)
  let isPerformed =
    WorkItem.isPerformed(block)
    || stage.block(.workItem(block), call: "DispatchWorkItem.wait", timeout: timeout)
  cvt_block_end_wait(block, isPerformed)
  return isPerformed ? 0 : 1
}

/// Mistakes for which libdispatch ends a program, without a message on Linux.
enum DispatchMistake {
  /// Ends the process as libdispatch does.
  ///
  /// - Parameters:
  ///   - mistake: what code did.
  ///   - frames: the return addresses of that code.
  static func end(_ mistake: String, at frames: [UInt] = ReturnAddresses.ofCallers()) -> Never {
    let place = StackFunction.frames(at: frames).first
    fatalError("libdispatch ends the program: \(mistake)\(place.map { " in \($0)" } ?? "")")
  }
}

extension StageExecutor {
  fileprivate func block(_ cause: BlockedThread.Cause, call: String, timeout: UInt64) -> Bool {
    if timeout == .max { return block(cause, call: call, until: nil) }
    let deadline = DispatchDeadline(timeout).nanoseconds(now: nanoseconds) ?? .max
    return block(cause, call: call, until: deadline)
  }
}

// MARK: Sleeping, and conditions

@c @implementation func cvt_stage_sleep(_ nanoseconds: Int64) {
  let stage = here
  let deadline = stage.nanoseconds.saturatingAdding(max(0, nanoseconds))
  _ = stage.block(.sleep, call: "sleep", until: deadline)
}

@c @implementation func cvt_stage_condition_wait(
  _ condition: UnsafeMutableRawPointer?,
  _ mutex: UnsafeMutableRawPointer?,
  _ nanoseconds: Int64
) {
  let stage = here
  // Another thread may signal as soon as it can lock the mutex, which is before the stage has noted the wait.
  stage.address.addWaits(1)
  defer { stage.address.addWaits(-1) }
  cvt_mutex_unlock(mutex)
  let deadline = nanoseconds == .max ? nil : stage.nanoseconds.saturatingAdding(nanoseconds)
  _ = stage.block(.condition(required(condition)), call: "pthread_cond_wait", until: deadline)
  cvt_mutex_lock(mutex)
}

@c @implementation func cvt_stage_condition_signal(
  _ condition: UnsafeMutableRawPointer?,
  _ all: Bool
) {
  guard let stage = StageExecutor.current, stage.threads != nil else { return }
  cvt_count_submission()
  let cause = BlockedThread.Cause.condition(required(condition))
  if all { stage.wakeAll(cause) } else { _ = stage.wakeFirst(cause) }
}

@c @implementation func cvt_stage_lock_wait(
  _ lock: UnsafeMutableRawPointer?,
  _ owner: (@convention(c) (UnsafeRawPointer?) -> Int32)?,
  _ nanoseconds: Int64
) -> Int32 {
  guard let stage = StageExecutor.current, stage.threads != nil, let lock, let owner else {
    return Int32(CVT_LOCK_IS_OUTSIDE)
  }
  let deadline = nanoseconds == .max ? nil : stage.nanoseconds.saturatingAdding(nanoseconds)
  let code =
    switch stage.waitForLock(lock, { owner(lock) }, until: deadline) {
    case .signalled?, .timedOut?: CVT_LOCK_MAY_BE_FREE
    case .deadlock?: CVT_LOCK_IS_STUCK
    case nil: CVT_LOCK_IS_OUTSIDE
    }
  return Int32(code)
}

@c @implementation func cvt_stage_preempt(_ frame: UnsafeRawPointer?) -> Bool {
  let stage = here
  if let frame { stage.preempt(at: frame) }
  return stage.preempts
}

@c @implementation func cvt_stage_locked_twice(_ lock: UnsafeMutableRawPointer?) {
  here.noteLockedTwice(required(lock))
}

// MARK: Timer sources

@c @implementation func cvt_stage_source_created(
  _ source: UnsafeMutableRawPointer?,
  _ queue: UnsafeMutableRawPointer?
) {
  let dispatch = here.dispatching
  let source = required(source)
  dispatch.sources[source] = TimerSource(
    source,
    queue: queue ?? cvt_global_queue(),
    dispatch
  )
}

@c @implementation func cvt_stage_source_handler(
  _ source: UnsafeMutableRawPointer?,
  _ kind: Int32,
  _ block: UnsafeMutableRawPointer?
) -> Bool {
  let copy = block.map { OnStage(value: cvt_block_copy($0)) }
  let isOfStage = TimerSource.call(source) { $0.set(Int(kind), copy?.value) }
  if !isOfStage, let copy { cvt_block_release(copy.value) }
  return isOfStage
}

@c @implementation func cvt_stage_source_timer(
  _ source: UnsafeMutableRawPointer?,
  _ start: UInt64,
  _ interval: UInt64
) -> Bool {
  TimerSource.call(source) { $0.setTimer(start: start, interval: interval) }
}

@c @implementation func cvt_stage_source_event(
  _ source: UnsafeMutableRawPointer?,
  _ event: Int32
) -> Bool {
  guard let source, TimerSourceOwner.of(source) != nil else { return false }
  switch Int(event) {
  case CVT_SOURCE_RETAIN: _ = TimerSourceOwner.count(source, 1)
  case CVT_SOURCE_RELEASE:
    let owner = TimerSourceOwner.of(source)
    if TimerSourceOwner.count(source, -1) { TimerSource.call(source, of: owner) { $0.end() } }
  default: TimerSource.call(source) { $0.handle(event) }
  }
  return true
}

@c @implementation func cvt_stage_source_value(
  _ source: UnsafeMutableRawPointer?,
  _ what: Int32
) -> Int {
  guard let source, TimerSourceOwner.of(source) != nil else { return -1 }
  // Another thread reads the values of no call.
  guard let timer = StageExecutor.current?.dispatch?.sources[source] else { return 0 }
  return Int(what) == CVT_SOURCE_DATA ? timer.data : timer.isCancelled ? 1 : 0
}

@c @implementation func cvt_stage_outside_signal() { StageRegistry.nudgeAwaiting() }

@c @implementation func cvt_stage_notes_requests() -> Bool {
  StageExecutor.current?.knowsRequests == false
}

// MARK: Loops and threads

@c @implementation func cvt_stage_ran_on(
  _ function: UnsafeRawPointer?,
  _ context: UnsafeRawPointer?
) -> Bool {
  guard let stage = StageExecutor.current else { return false }
  if stage.isClosed { return stage.stopsLoopAtEnd() }
  stage.letOthersRun(inLoopAt: {
    TaskLayout.resumeAddresses(from: UInt(bitPattern: function), context)
  })
  return false
}

@c @implementation func cvt_stage_fails(_ text: UInt64, _ object: UnsafeMutableRawPointer?) {
  // The two words of a string.
  var text = unsafeBitCast((text, UInt(bitPattern: object)), to: String.self)
  text.withUTF8 { bytes in
    bytes.withMemoryRebound(to: CChar.self) { cvt_note_failure($0.baseAddress, $0.count) }
  }
}

@c @implementation func cvt_stage_thread_start(
  _ start: (@convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?)?,
  _ context: UnsafeMutableRawPointer?
) -> Bool {
  guard let stage = StageExecutor.current, let start else { return false }
  guard StageExecutor.isCalledByXCTest else { return false }
  cvt_count_submission()
  let dispatch = stage.dispatching
  nonisolated(unsafe) let context = context
  dispatch.enqueue(dispatch.makeBlock(.call { _ = start(context) }, on: nil))
  return true
}

// MARK: Run loops

@c @implementation func cvt_stage_timer_added(
  _ timer: UnsafeMutableRawPointer?,
  _ isMainLoop: Bool
) {
  let stage = here
  guard stage.isOnMain || isMainLoop else {
    return cvt_note("CFRunLoopAddTimer")
  }
  stage.dispatching.add(required(timer))
}

@c @implementation func cvt_stage_timer_changed(_ timer: UnsafeMutableRawPointer?) {
  guard let timer, let known = StageExecutor.current?.dispatch?.timers[timer] else { return }
  cvt_count_submission()
  known.schedule()
}

@c @implementation func cvt_stage_loop_perform(
  _ block: UnsafeMutableRawPointer?,
  _ isMainLoop: Bool
) -> Bool {
  let stage = here
  guard stage.isOnMain || isMainLoop else {
    cvt_note("CFRunLoopPerformBlock")
    return false
  }
  let dispatch = stage.dispatching
  dispatch.enqueueOnLoop(dispatch.makeBlock(copying: required(block), on: cvt_main_queue()))
  return true
}

@c @implementation func cvt_stage_loop_run(_ seconds: Double, _ once: Bool) -> Int32 {
  let stage = here
  if StageExecutor.isCalledByXCTest { return stage.waitForExpectations() ? 2 : 3 }
  let limit = 9.2e9
  var deadline: Int64?
  if seconds < limit {
    // Foundation runs the loop again until its date, which can be a fraction of a nanosecond away.
    let duration = seconds > 0 ? max(1, Int64((seconds * 1e9).rounded())) : 0
    deadline = stage.nanoseconds.saturatingAdding(duration)
  }
  let wasStopped = stage.block(.runLoop, call: "RunLoop.run", until: deadline)
  return wasStopped ? 2 : 3
}

@c @implementation func cvt_stage_loop_stop() {
  let stage = here
  if !stage.isWaiting(for: .test) { stage.dispatching.loopWasStopped = true }
  stage.wakeAll(.test)
  stage.wakeAll(.runLoop)
}

@c @implementation func cvt_stage_loop_is_finished() -> Bool { false }
