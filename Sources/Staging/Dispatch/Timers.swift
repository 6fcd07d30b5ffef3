import CVirtualTime
import Synchronization

/// A `Timer` of Foundation on a run loop of a stage. It fires on the main actor.
final class RunLoopTimer {
  private let timer: UnsafeMutableRawPointer
  private unowned let dispatch: StageDispatch
  private var scheduled: Scheduled?
  private var isQueued = false

  init(_ timer: UnsafeMutableRawPointer, _ dispatch: StageDispatch) {
    (self.timer, self.dispatch) = (timer, dispatch)
    cvt_timer_retain(timer)
  }

  deinit { cvt_timer_release(timer) }

  /// Schedules the next call.
  func schedule() {
    scheduled?.cancel()
    scheduled = nil
    guard cvt_timer_is_valid(timer) else { return remove() }
    let date = cvt_timer_next(timer)
    let limit = 9.2e9
    guard date < limit else { return }
    let nanoseconds = max(Int64((date * 1e9).rounded()), dispatch.stage.nanoseconds)
    scheduled = dispatch.schedule(at: nanoseconds) { [unowned self] in enqueue() }
  }

  private func enqueue() {
    guard !isQueued else { return }
    isQueued = true
    dispatch.enqueueOnMain { [self] in fire() }
  }

  private func fire() {
    isQueued = false
    guard cvt_timer_is_valid(timer), dispatch.timers[timer] === self else { return }
    let date = cvt_timer_next(timer)
    let interval = cvt_timer_interval(timer)
    cvt_timer_fire(timer)
    guard cvt_timer_is_valid(timer) else { return remove() }
    guard interval > 0 else {
      cvt_timer_invalidate(timer)
      return remove()
    }
    // Unless the call has changed it.
    if cvt_timer_next(timer) == date {
      let now = Double(dispatch.stage.nanoseconds) / 1e9
      var next = date + interval
      if next <= now {
        next = date + ((now - date) / interval).rounded(.down) * interval + interval
      }
      cvt_timer_set_next(timer, next)
    }
    schedule()
  }

  private func remove() { _ = dispatch.timers.removeValue(forKey: timer) }

  func close() { scheduled = nil }
}

/// A timer of `DispatchSource` on a stage. The object of libdispatch is only its name: it is never activated.
final class TimerSource {
  private let object: UnsafeMutableRawPointer
  private let queue: UnsafeMutableRawPointer
  private unowned let dispatch: StageDispatch
  private var handlers: [Int: UnsafeMutableRawPointer] = [:]
  private var interval: Int64 = 0
  private var scheduled: Scheduled?
  private var suspensions = 0
  private var isActive = false
  private var isRegistered = false
  /// The return addresses of the code that has created it.
  private let frames = ReturnAddresses.ofCallers()
  private(set) var isCancelled = false
  private var pending = 0
  private var isQueued = false
  private(set) var data = 0

  init(_ object: UnsafeMutableRawPointer, queue: UnsafeMutableRawPointer, _ dispatch: StageDispatch)
  {
    (self.object, self.queue, self.dispatch) = (object, queue, dispatch)
    cvt_object_retain(queue)
    TimerSourceOwner.add(object, to: dispatch.stage.address)
  }

  deinit {
    for handler in handlers.values { cvt_block_release(handler) }
    cvt_object_release(queue)
  }

  /// Calls `body` with a source of a stage, on its stage.
  ///
  /// - Returns: false if the source is not a stage's.
  @discardableResult
  static func call(
    _ source: UnsafeMutableRawPointer?,
    of owner: StageAddress? = nil,
    _ body: @escaping @Sendable (TimerSource) -> Void
  ) -> Bool {
    guard let source, let owner = owner ?? TimerSourceOwner.of(source) else { return false }
    if let stage = StageExecutor.current, stage.address === owner {
      cvt_count_submission()
      if let timer = stage.dispatch?.sources[source] { body(timer) }
      return true
    }
    let object = OnStage(value: source)
    owner.inbox.post(
      .call { stage in if let timer = stage.dispatch?.sources[object.value] { body(timer) } }
    )
    return true
  }

  /// Sets a handler, and takes over the reference to its block.
  func set(_ kind: Int, _ block: UnsafeMutableRawPointer?) {
    if let old = handlers.removeValue(forKey: kind) { cvt_block_release(old) }
    handlers[kind] = block
  }

  func setTimer(start: UInt64, interval: UInt64) {
    guard !isCancelled else { return }
    scheduled?.cancel()
    scheduled = nil
    pending = 0
    self.interval = interval >= UInt64(Int64.max) ? 0 : Int64(interval)
    guard let first = DispatchDeadline(start).nanoseconds(now: dispatch.stage.nanoseconds) else {
      return
    }
    schedule(at: max(first, dispatch.stage.nanoseconds))
  }

  private func schedule(at nanoseconds: Int64) {
    scheduled = dispatch.schedule(at: nanoseconds) { [unowned self] in
      scheduled = nil
      pending += 1
      if interval > 0 { schedule(at: nanoseconds.saturatingAdding(interval)) }
      enqueue()
    }
  }

  private func enqueue() {
    guard pending > 0, !isQueued, isActive, suspensions == 0, !isCancelled else { return }
    isQueued = true
    call(on: queue) { [self] in
      isQueued = false
      guard pending > 0, !isCancelled, suspensions == 0 else { return }
      data = pending
      pending = 0
      if let handler = handlers[Int(CVT_EVENT_HANDLER)] { cvt_block_call(handler) }
    }
  }

  private func call(on queue: UnsafeMutableRawPointer, _ body: @escaping () -> Void) {
    dispatch.enqueue(dispatch.makeBlock(.call(body), on: dispatch.queue(queue)))
  }

  func handle(_ event: Int32) {
    switch Int(event) {
    case CVT_SOURCE_ACTIVATE: activate()
    case CVT_SOURCE_RESUME:
      // A new source is suspended once; to resume it is to activate it.
      if !isActive {
        activate()
      } else if suspensions == 0 {
        DispatchMistake.end("resume of a DispatchSource timer that is not suspended")
      } else {
        suspensions -= 1
      }
      enqueue()
    case CVT_SOURCE_SUSPEND: suspensions += 1
    case CVT_SOURCE_CANCEL: cancel()
    default: break
    }
  }

  /// Ends the source after its last reference is gone.
  func end() {
    // The end of a stage may release what a program would keep.
    if !dispatch.stage.isClosed, !isActive || suspensions > 0 {
      let state = isActive ? "a suspended" : "an inactive"
      // The stack ends before the code that releases it.
      DispatchMistake.end("release of \(state) DispatchSource timer, created", at: frames)
    }
    cancel()
    _ = dispatch.sources.removeValue(forKey: object)
  }

  private func activate() {
    guard !isActive else { return }
    isActive = true
    if let handler = handlers[Int(CVT_REGISTRATION_HANDLER)], !isRegistered {
      isRegistered = true
      call(on: queue) { [self] in withExtendedLifetime(self) { cvt_block_call(handler) } }
    }
    enqueue()
  }

  private func cancel() {
    guard !isCancelled else { return }
    isCancelled = true
    scheduled?.cancel()
    scheduled = nil
    guard let handler = handlers[Int(CVT_CANCEL_HANDLER)] else { return }
    call(on: queue) { [self] in withExtendedLifetime(self) { cvt_block_call(handler) } }
  }

  func close() { scheduled = nil }
}

/// The stage of a timer source, and the number of references to the source from outside of libdispatch.
struct TimerSourceOwner {
  let stage: StageAddress
  private var references = 1

  private static let all = Mutex<[UInt: TimerSourceOwner]>([:])

  static func add(_ source: UnsafeMutableRawPointer, to stage: StageAddress) {
    let address = UInt(bitPattern: source)
    all.withLock { $0[address] = TimerSourceOwner(stage: stage) }
    cvt_add_source(1)
  }

  static func of(_ source: UnsafeMutableRawPointer) -> StageAddress? {
    let address = UInt(bitPattern: source)
    return all.withLock { $0[address]?.stage }
  }

  /// Counts a reference.
  ///
  /// - Returns: whether it was the last one. The object is never released: libdispatch crashes for objects that were
  ///   not activated.
  static func count(_ source: UnsafeMutableRawPointer, _ change: Int) -> Bool {
    let address = UInt(bitPattern: source)
    let isLast = all.withLock { owners in
      owners[address]?.references += change
      guard owners[address]?.references == 0 else { return false }
      owners[address] = nil
      return true
    }
    if isLast { cvt_add_source(-1) }
    return isLast
  }
}

extension StageDispatch {
  /// Adds a `Timer` to the main run loop.
  func add(_ timer: UnsafeMutableRawPointer) {
    let added = timers[timer] ?? RunLoopTimer(timer, self)
    timers[timer] = added
    added.schedule()
  }

  /// Adds work of a run loop, which runs on the main actor.
  func enqueueOnMain(_ body: @escaping () -> Void) {
    enqueueOnLoop(makeBlock(.call(body), on: queue(cvt_main_queue())))
  }

  /// Adds a block of the main run loop.
  func enqueueOnLoop(_ block: QueuedBlock) {
    block.isOfLoop = true
    enqueue(block)
  }
}
