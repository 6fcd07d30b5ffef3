import CVirtualTime
import RehearsalBase
import Synchronization

/// A thread that runs the steps of a stage. One of them runs at a time: the one that has the baton.
final class StageThread: @unchecked Sendable {
  private let baton = ThreadSignal()
  /// Only changed by the thread with the baton.
  fileprivate var mustEnd = false
  fileprivate(set) var isAbandoned = false

  fileprivate func pass() { baton.post() }
  /// Waits for the baton. Another thread runs the stage meanwhile, so nothing of the wait may be noted there.
  fileprivate func await() { StageExecutor.leavingThread { baton.wait() } }
}

/// The threads of a stage whose code may block: which one runs the steps, and how the driving moves to another. A
/// blocked thread keeps its stack.
///
/// The host's thread hands the driving to a thread of the stage, and waits. So the driving can end while threads are
/// blocked.
final class StageThreads: @unchecked Sendable {
  // Used only by the thread that has the baton.
  private unowned let stage: StageExecutor
  private var idle: [StageThread] = []
  private(set) var driver: StageThread?
  /// The thread that has the baton; nil if the host has it.
  private(set) var running: StageThread?
  /// What the driver does. It can be called again by another thread, which continues.
  private var drive: (() -> Void)?
  private let host = StageThread()
  /// The threads that wait, in order of their waits.
  private(set) var blocked: [BlockedThread] = []
  /// Number of blocked threads that keep main-actor code from running.
  private(set) var holdingMain = 0

  init(_ stage: StageExecutor) { self.stage = stage }

  /// Performs `body` on a thread of the stage, and waits for its end. It is called again, by another thread, if that
  /// one blocks.
  func perform<T>(_ body: @escaping () -> T) -> T {
    var result: T?
    let outer = (drive: drive, driver: driver, running: running)
    drive = { [unowned self] in
      let value = body()
      if driver === running { result = value }
    }
    startDriver()
    host.await()
    (drive, driver, running) = outer
    guard let result else { preconditionFailure("A stage's thread ended without a result.") }
    return result
  }

  /// Finds a blocked thread that has a lock.
  ///
  /// - Parameters:
  ///   - lock: the lock.
  ///   - owner: the system's number of the thread that has it alone; 0 if there is none.
  /// - Returns: the wait of that thread; nil if there is none.
  func holder(of lock: UnsafeMutableRawPointer, _ owner: Int32) -> BlockedThread? {
    blocked.first { owner == 0 ? $0.isReading(lock) : $0.number == owner }
  }

  private func startDriver() {
    stage.wakeUnlocked()
    let thread = idle.popLast() ?? make()
    driver = thread
    running = thread
    thread.pass()
  }

  private func make() -> StageThread {
    let thread = StageThread()
    let surrounding = Surrounding.current.withLock(\.self)
    let outer = OnStage(value: surrounding?.present())
    let body: @Sendable () -> Void = { [unowned self] in run(thread) }
    StageExecutor.leavingThread {
      SystemThread {
        guard let surrounding else { return body() }
        surrounding.perform(body, outer.value)
      }.detach()
    }
    return thread
  }

  private func run(_ thread: StageThread) {
    let context = ThreadBody { [unowned self] in
      while true {
        thread.await()
        if thread.mustEnd { return }
        stage.occupyThread(onMain: false) { drive?() }
        stage.mustLeave = false
        idle.append(thread)
        if driver === thread {
          driver = nil
          running = nil
          host.pass()
        } else if let driver {
          running = driver
          driver.pass()
        }
      }
    }
    let locals = stage.testLocals
    locals?.push()
    withExtendedLifetime(context) { cvt_run_abandonable(runThreadBody, context.pointer) }
    _ = cvt_exchange(cvt_thread())
    // An abandoned thread may still be in a task.
    if !thread.isAbandoned { locals?.pop() }
  }

  // MARK: Waiting

  /// Blocks the calling thread of the stage until the wait has an outcome.
  func block(_ wait: BlockedThread) {
    blocked.append(wait)
    if wait.holdsMain { holdingMain += 1 }
    let state = stage.leaveStep()
    if let thread = running {
      if driver === thread {
        startDriver()
      } else if let driver {
        running = driver
        driver.pass()
      }
      thread.await()
      if thread.isAbandoned { cvt_abandon() }
    } else {
      if !stage.isDriven.load(ordering: .relaxed) { stage.count(to: .default) }
      _ = perform { [stage] in stage.runUntil { wait.outcome != nil } }
      if wait.outcome == nil { wait.outcome = .deadlock }
    }
    stage.enterStep(state)
    if wait.holdsMain { holdingMain -= 1 }
    blocked.removeAll { $0 === wait }
  }

  /// Lets a blocked thread continue, until it blocks again or ends its step. For the driver.
  func resume(_ wait: BlockedThread) {
    guard let thread = wait.thread, let driver else { return }
    stage.mustLeave = true
    running = thread
    thread.pass()
    driver.await()
    stage.mustLeave = false
    stage.wakeUnlocked()
  }

  /// Ends the blocked threads. They leave their functions at once, without releasing anything.
  func abandonBlocked() {
    for wait in blocked {
      guard let thread = wait.thread else { continue }
      thread.isAbandoned = true
      thread.mustEnd = true
      thread.pass()
    }
    blocked = []
    holdingMain = 0
  }

  /// Ends the idle threads.
  func end() {
    for thread in idle {
      thread.mustEnd = true
      thread.pass()
    }
    idle = []
  }
}

/// The body of a thread, for a function of C.
private final class ThreadBody {
  let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

private func runThreadBody(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<ThreadBody>.fromOpaque(context).takeUnretainedValue().body()
}

/// What a program does around the body of each thread of a stage.
private struct Surrounding: Sendable {
  typealias Work = @convention(c) (UnsafeMutableRawPointer?) -> Void

  let present: @convention(c) @Sendable () -> UnsafeMutableRawPointer?
  let performWithin:
    @convention(c) @Sendable (UnsafeMutableRawPointer?, Work?, UnsafeMutableRawPointer?) -> Void

  static let current = Mutex<Surrounding?>(nil)

  func perform(_ body: @escaping () -> Void, _ outer: UnsafeMutableRawPointer?) {
    let context = ThreadBody(body)
    withExtendedLifetime(context) { performWithin(outer, runThreadBody, context.pointer) }
  }
}

extension Stage {
  /// Sets two functions that surround the threads of stages, so that a crash of such a thread is reported like a crash of
  /// the thread that drives the stage: `present` is called on the driving thread, and its result is given to
  /// `performWithin`, which must call its work.
  package static func surroundThreads(
    of present: @escaping @convention(c) @Sendable () -> UnsafeMutableRawPointer?,
    _ performWithin:
      @escaping @convention(c) @Sendable (
        UnsafeMutableRawPointer?, (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
        UnsafeMutableRawPointer?
      ) -> Void
  ) {
    Surrounding.current.withLock {
      $0 = Surrounding(present: present, performWithin: performWithin)
    }
  }
}
