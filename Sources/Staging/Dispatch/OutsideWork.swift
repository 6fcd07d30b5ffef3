// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVirtualTime
import RehearsalBase
import Synchronization

/// Work of a thread without a stage for the main queue, run loop or actor: decides which stage runs it.
///
/// The code of the thread belongs to a stage. This stage runs the work when it arrives. The moment depends on real time, so the
/// work is named like other work outside of virtual time.
enum OutsideWork {
  /// Which stage takes the work of the calling thread.
  private enum Owner {
    case stage(StageAddress)
    /// It stays in real time, and may belong to one of these.
    case oneOf([StageAddress])
    case none
  }

  private static var owner: Owner {
    if let home = cvt_current_home() {
      let address = Unmanaged<StageAddress>.fromOpaque(home).takeUnretainedValue()
      if address.isOpen.load(ordering: .acquiring) { return .stage(address) }
    }
    if cvt_stages_have_main_queue() { return StageRegistry.newest.map(Owner.stage) ?? .none }
    // A block that code of a closed stage has submitted.
    let isThread = Int(cvt_current_origin()) == CVT_FROM_THREAD
    if cvt_current_home() != nil, !isThread { return .none }
    if Int(cvt_current_origin()) == CVT_FROM_NO_STAGE { return .none }
    let open = StageRegistry.open
    // A thread serves code of several stages and of no stage.
    return open.count == 1 && !isThread ? .stage(open[0]) : .oneOf(open)
  }

  /// Sends work to the stage of the calling thread.
  ///
  /// - Parameters:
  ///   - call: the called function, for readers.
  ///   - otherwise: does the work if the stage has ended before it takes the message.
  ///   - accept: adds the work to the stage.
  /// - Returns: false if no stage takes it.
  fileprivate static func send(
    _ call: String,
    otherwise: @escaping @Sendable () -> Void,
    _ accept: @escaping @Sendable (StageExecutor) -> Void
  ) -> Bool {
    send(call, at: ReturnAddresses.ofCallers, otherwise: otherwise, accept)
  }

  private static func send(
    _ call: String,
    at frames: () -> [UInt],
    otherwise: @escaping @Sendable () -> Void = {},
    _ accept: @escaping @Sendable (StageExecutor) -> Void
  ) -> Bool {
    switch owner {
    case .none: return false
    case .oneOf(let stages):
      let noted = NotedSubmission("\(call) by a thread that may belong to this test", at: frames())
      for stage in stages { _ = stage.inbox.postWork(.call { $0.submissions.note(noted) }) }
      return false
    case .stage(let home):
      let noted = NotedSubmission("\(call) by another thread", at: frames())
      return home.inbox.postWork(
        .call { stage in
          stage.submissions.note(noted)
          if stage.isClosed { return otherwise() }
          stage.drawingOutside { accept(stage) }
        }
      )
    }
  }

  /// Takes a task that the calling thread has created, or any task for the main actor if nothing else runs that.
  ///
  /// - Returns: whether a stage takes it.
  static func takes(_ job: UnownedJob, onMain: Bool) -> Bool {
    let isNew = cvt_is_creating_task()
    guard isNew || onMain && cvt_stages_have_main_queue() else { return false }
    // Rehearse itself creates tasks on its threads.
    if isNew, !onMain, cvt_current_home() == nil, Int(cvt_current_origin()) == CVT_FROM_THREAD {
      return false
    }
    let frames = { isNew ? ReturnAddresses.ofCallers() : WaitingTasks.resumeAddresses(of: job) }
    return send("Task", at: frames) { $0.accept(job, onMain: onMain) }
  }
}

/// A block of another thread.
private final class SentBlock: @unchecked Sendable {
  let block: UnsafeMutableRawPointer

  init(_ block: UnsafeMutableRawPointer) { self.block = cvt_block_copy(block) }

  deinit { cvt_block_release(block) }
}

/// A queue or a group that another thread uses.
private final class SentObject: @unchecked Sendable {
  let object: UnsafeMutableRawPointer

  init(_ object: UnsafeMutableRawPointer) {
    self.object = object
    cvt_object_retain(object)
  }

  deinit { cvt_object_release(object) }
}

extension DispatchDeadline {
  /// The nanoseconds of real time until the deadline; nil if it never comes.
  fileprivate var realDelay: Int64? {
    guard let instant = nanoseconds(now: 0) else { return nil }
    let (clock, start) = realClock
    return clock.map { instant + start - cvt_real_clock(Int32($0)) } ?? 0
  }
}

@c @implementation func cvt_home_of_new_thread() -> UnsafeMutableRawPointer? {
  if let stage = StageExecutor.current {
    return Unmanaged.passRetained(stage.address).toOpaque()
  }
  guard let home = cvt_current_home() else { return nil }
  _ = Unmanaged<StageAddress>.fromOpaque(home).retain()
  return home
}

@c @implementation func cvt_stage_home() -> UnsafeMutableRawPointer? {
  StageExecutor.current.map { Unmanaged.passUnretained($0.address).toOpaque() }
}

@c @implementation func cvt_retain_home(_ home: UnsafeMutableRawPointer?) {
  if let home { _ = Unmanaged<StageAddress>.fromOpaque(home).retain() }
}

@c @implementation func cvt_release_home(_ home: UnsafeMutableRawPointer?) {
  if let home { Unmanaged<StageAddress>.fromOpaque(home).release() }
}

@c @implementation func cvt_outside_async(
  _ queue: UnsafeMutableRawPointer?,
  _ block: UnsafeMutableRawPointer?,
  _ isBarrier: Bool,
  _ group: UnsafeMutableRawPointer?
) -> Bool {
  guard let queue, let block else { return false }
  let sent = SentBlock(block)
  let (target, entered) = (SentObject(queue), group.map(SentObject.init))
  let otherwise: @Sendable () -> Void = {
    cvt_real_async(target.object, sent.block, isBarrier, entered?.object)
  }
  return OutsideWork.send("\(QueueName.text(of: queue)).async", otherwise: otherwise) { stage in
    let dispatch = stage.dispatching
    dispatch.enqueue(
      dispatch.makeBlock(
        copying: sent.block,
        on: target.object,
        isBarrier: isBarrier,
        group: entered?.object
      )
    )
  }
}

@c @implementation func cvt_outside_after(
  _ when: UInt64,
  _ queue: UnsafeMutableRawPointer?,
  _ block: UnsafeMutableRawPointer?
) -> Bool {
  guard let queue, let block, let delay = DispatchDeadline(when).realDelay else { return false }
  let (sent, target) = (SentBlock(block), SentObject(queue))
  let otherwise: @Sendable () -> Void = { cvt_real_after(when, target.object, sent.block) }
  return OutsideWork.send("\(QueueName.text(of: queue)).asyncAfter", otherwise: otherwise) {
    stage in
    let dispatch = stage.dispatching
    let deadline = DispatchDeadline(after: max(0, delay), now: stage.nanoseconds)
    dispatch.after(deadline, dispatch.makeBlock(copying: sent.block, on: target.object))
  }
}

@c @implementation func cvt_outside_sync(
  _ queue: UnsafeMutableRawPointer?,
  _ block: UnsafeMutableRawPointer?,
  _ isBarrier: Bool
) -> Bool {
  guard let queue, let block else { return false }
  // The calling thread waits, so the block stays. If the stage ends before it begins the block, the thread waits forever, as
  // for a main queue that nothing runs.
  let (given, target) = (OnStage(value: block), SentObject(queue))
  let done = ThreadSignal()
  let isRefused = Atomic<Bool>(false)
  let otherwise: @Sendable () -> Void = {
    isRefused.store(true, ordering: .releasing)
    done.post()
  }
  let call = "\(QueueName.text(of: queue)).sync"
  let isSent = OutsideWork.send(call, otherwise: otherwise) { stage in
    let dispatch = stage.dispatching
    let work = QueuedBlock.Work.call {
      cvt_block_call(given.value)
      done.post()
    }
    dispatch.enqueue(
      dispatch.makeBlock(work, on: dispatch.queue(target.object), isBarrier: isBarrier)
    )
  }
  if isSent { done.wait() }
  return isSent && !isRefused.load(ordering: .acquiring)
}

@c @implementation func cvt_outside_group_notify(
  _ group: UnsafeMutableRawPointer?,
  _ queue: UnsafeMutableRawPointer?,
  _ block: UnsafeMutableRawPointer?
) -> Bool {
  guard let group, let queue, let block else { return false }
  let (sent, target, awaited) = (SentBlock(block), SentObject(queue), SentObject(group))
  let otherwise: @Sendable () -> Void = {
    cvt_real_group_notify(awaited.object, target.object, sent.block)
  }
  return OutsideWork.send("DispatchGroup.notify", otherwise: otherwise) { stage in
    let dispatch = stage.dispatching
    dispatch.notify(awaited.object, dispatch.makeBlock(copying: sent.block, on: target.object))
  }
}

@c @implementation func cvt_outside_loop_perform(_ block: UnsafeMutableRawPointer?) -> Bool {
  guard let block else { return false }
  let sent = SentBlock(block)
  let otherwise: @Sendable () -> Void = { cvt_real_async(cvt_main_queue(), sent.block, false, nil) }
  return OutsideWork.send("RunLoop.main.perform", otherwise: otherwise) { stage in
    let dispatch = stage.dispatching
    dispatch.enqueueOnLoop(dispatch.makeBlock(copying: sent.block, on: cvt_main_queue()))
  }
}

@c @implementation func cvt_outside_timer_added(_ timer: UnsafeMutableRawPointer?) -> Bool {
  guard let timer else { return false }
  let wall = cvt_real_clock(Int32(CVT_CLOCK_WALL)) - CVT_EPOCH_NANOSECONDS
  let delay = max(0, cvt_timer_next(timer) - Double(wall) / 1e9)
  cvt_timer_retain(timer)
  let sent = OnStage(value: timer)
  let otherwise: @Sendable () -> Void = { cvt_timer_release(sent.value) }
  let isSent = OutsideWork.send("Timer on the main run loop", otherwise: otherwise) { stage in
    cvt_timer_set_next(sent.value, Double(stage.nanoseconds) / 1e9 + delay)
    stage.dispatching.add(sent.value)
    cvt_timer_release(sent.value)
  }
  if !isSent { cvt_timer_release(timer) }
  return isSent
}
