// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVirtualTime
import RehearsalBase
import Synchronization

/// Work of a thread that runs no stage, for the main queue, the main run loop or the main actor.
///
/// The stage whose code has started the thread takes it, and runs it when it arrives. This moment is one of real time, so
/// the work is named like other work outside of virtual time.
enum OutsideWork {
  /// The stage that takes the work of the calling thread; nil if there is none.
  private static var home: StageAddress? {
    if let home = cvt_current_home() {
      let address = Unmanaged<StageAddress>.fromOpaque(home).takeUnretainedValue()
      if address.isOpen.load(ordering: .acquiring) { return address }
    }
    return cvt_stages_have_main_queue() ? StageRegistry.newest : nil
  }

  /// Sends work to the stage of the calling thread.
  ///
  /// - Parameters:
  ///   - call: the called function, for readers.
  ///   - accept: adds the work to the stage.
  /// - Returns: false if no stage takes it.
  fileprivate static func send(
    _ call: String,
    _ accept: @escaping @Sendable (StageExecutor) -> Void
  ) -> Bool {
    guard let home else { return false }
    send(call, at: ReturnAddresses.ofCallers(), to: home, accept)
    return true
  }

  private static func send(
    _ call: String,
    at frames: [UInt],
    to home: StageAddress,
    _ accept: @escaping @Sendable (StageExecutor) -> Void
  ) {
    let noted = NotedSubmission("\(call) by another thread", at: frames)
    home.inbox.post(
      .call { stage in
        if stage.isClosed { return }
        stage.submissions.note(noted)
        stage.drawingOutside { accept(stage) }
      }
    )
  }

  /// Takes a task that the calling thread has created, or any task for the main actor if nothing else runs that.
  ///
  /// - Returns: whether a stage takes it.
  static func takes(_ job: UnownedJob, onMain: Bool) -> Bool {
    let isNew = cvt_is_creating_task()
    guard isNew || onMain && cvt_stages_have_main_queue(), let home else { return false }
    let frames = isNew ? ReturnAddresses.ofCallers() : WaitingTasks.resumeAddresses(of: job)
    send("Task", at: frames, to: home) { $0.accept(job, onMain: onMain) }
    return true
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
  return OutsideWork.send("\(QueueName.text(of: queue)).async") { stage in
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
  return OutsideWork.send("\(QueueName.text(of: queue)).asyncAfter") { stage in
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
  // The calling thread waits, so the block stays. If the stage ends before, the thread waits forever, as for a main queue
  // that nothing runs.
  let (given, target) = (OnStage(value: block), SentObject(queue))
  let done = ThreadSignal()
  let isSent = OutsideWork.send("\(QueueName.text(of: queue)).sync") { stage in
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
  return isSent
}

@c @implementation func cvt_outside_group_notify(
  _ group: UnsafeMutableRawPointer?,
  _ queue: UnsafeMutableRawPointer?,
  _ block: UnsafeMutableRawPointer?
) -> Bool {
  guard let group, let queue, let block else { return false }
  let (sent, target, awaited) = (SentBlock(block), SentObject(queue), SentObject(group))
  return OutsideWork.send("DispatchGroup.notify") { stage in
    let dispatch = stage.dispatching
    dispatch.notify(awaited.object, dispatch.makeBlock(copying: sent.block, on: target.object))
  }
}

@c @implementation func cvt_outside_loop_perform(_ block: UnsafeMutableRawPointer?) -> Bool {
  guard let block else { return false }
  let sent = SentBlock(block)
  return OutsideWork.send("RunLoop.main.perform") { stage in
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
  let isSent = OutsideWork.send("Timer on the main run loop") { stage in
    cvt_timer_set_next(sent.value, Double(stage.nanoseconds) / 1e9 + delay)
    stage.dispatching.add(sent.value)
    cvt_timer_release(sent.value)
  }
  if !isSent { cvt_timer_release(timer) }
  return isSent
}
