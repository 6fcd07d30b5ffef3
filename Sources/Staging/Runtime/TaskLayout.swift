import CVirtualTime
import Synchronization

/// What tasks are and wait for, as far as the layouts in `CRuntimeLayout.h` are those of the runtime.
enum TaskLayout {
  private static let mostFrames = 64

  /// The kind of the record that has the name of a task, read from a named task that runs to its
  /// end. Nil if this task has an unexpected layout before or after its run, or if its creation was
  /// not noted.
  private static let nameKind: UInt8? = {
    guard MemoryLayout<UInt>.size == 8 else { return nil }
    // The task runs on this thread, and completes before the next statement.
    nonisolated(unsafe) var (wasComplete, wasRunning, kind) = (true, false, UInt8?.none)
    var isOver = false
    let before = cvt_current_calls().tasks
    Runtime.withTasksRunningAtOnce {
      let task = Task.detached(name: "probe") {
        guard let task = Runtime.currentTask() else { return }
        (wasComplete, wasRunning) = (isComplete(task), isRunning(task))
        // The only record of this task is its name.
        let record = statusRecords(task).last
        kind = record.flatMap { name(of: $0) == "probe" ? recordKind($0) : nil }
      }
      isOver = withExtendedLifetime(task) {
        let task = unsafeBitCast(task, to: UnsafeMutableRawPointer.self)
        return isComplete(task) && !isRunning(task)
      }
    }
    return !wasComplete && wasRunning && isOver && cvt_current_calls().tasks > before ? kind : nil
  }()

  static var isKnown: Bool { nameKind != nil }

  static func address(_ job: UnownedJob) -> UnsafeMutableRawPointer {
    unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
  }

  static func isChild(_ job: UnownedJob) -> Bool {
    Runtime.flags(of: job) & UInt(CVT_JOB_IS_CHILD) != 0
  }

  /// Returns the task, or for a child task the outermost of its parents; nil if the layout of child tasks is unknown.
  static func root(of task: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    var root = task
    while isChild(unsafeBitCast(root, to: UnownedJob.self)) {
      guard knowsChildren,
        let next = parent(of: root)
      else { return nil }
      root = next
    }
    return root
  }

  /// Returns the incomplete children of a suspended task; empty if the layout of children is
  /// unknown.
  static func unfinishedChildren(of task: UnsafeMutableRawPointer) -> [UnsafeMutableRawPointer] {
    knowsChildren ? listedChildren(of: task).filter { !isComplete($0) } : []
  }

  private static func listedChildren(
    of task: UnsafeMutableRawPointer
  ) -> [UnsafeMutableRawPointer] {
    var groups: [[UnsafeMutableRawPointer]] = []
    var status = firstRecord(of: task)
    while let record = status {
      let kind = Int(recordKind(record))
      if kind == CVT_RECORD_ASYNC_LET || kind == CVT_RECORD_GROUP {
        groups.append(children(in: record, of: task, isList: kind == CVT_RECORD_GROUP))
      }
      status = nextRecord(after: record)
    }
    return groups.count > 1 ? groups.reversed().flatMap(\.self) : groups.first ?? []
  }

  /// Returns the children in a record of `async let`, which has one, or of a group.
  private static func children(
    in record: UnsafePointer<cvt_record>,
    of task: UnsafeMutableRawPointer,
    isList: Bool
  ) -> [UnsafeMutableRawPointer] {
    var children: [UnsafeMutableRawPointer] = []
    var next = record.pointee.first_child.map { UnsafeMutableRawPointer($0) }
    while let child = next, parent(of: child) == task {
      children.append(child)
      // The next child of `async let` has its own record.
      if !isList { break }
      next = self.task(child).pointee.next_child.map { UnsafeMutableRawPointer($0) }
    }
    return children
  }

  /// The child tasks of the task groups of a suspended task.
  struct Groups {
    /// The number of open groups, the number of their listed children that have ended, and whether any child has not.
    var (count, ended, hasUnfinished) = (0, 0, false)
  }

  /// Returns the state of the open groups of a suspended task; nil if the layout of children is unknown.
  static func groups(of task: UnsafeMutableRawPointer) -> Groups? {
    guard knowsChildren else { return nil }
    var groups = Groups()
    var next = firstRecord(of: task)
    while let record = next {
      next = nextRecord(after: record)
      guard Int(recordKind(record)) == CVT_RECORD_GROUP else { continue }
      let children = children(in: record, of: task, isList: true)
      let ended = children.count(where: isComplete)
      groups.count += 1
      groups.ended += ended
      groups.hasUnfinished = groups.hasUnfinished || ended < children.count
    }
    return groups
  }

  private static func task(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<cvt_task> {
    address.assumingMemoryBound(to: cvt_task.self)
  }

  /// Returns the parent of a child task.
  private static func parent(of child: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    task(child).pointee.parent.map { UnsafeMutableRawPointer($0) }
  }

  /// Whether the children of a task are found: one of `async let` and two of a group.
  private static let knowsChildren: Bool = {
    guard isKnown else { return false }
    let probe = ChildProbe()
    let stage = StageExecutor(order: .firstInFirstOut, keepsTrace: false)
    return stage.drive {
      _ = Task.detached { await probe.visit() }
      while let job = stage.ready.popFirst() { stage.run(job) }
      let waiting = probe.takeWaiting()
      let parent = probe.parent.withLock { UnsafeMutableRawPointer(bitPattern: $0) }
      let found = parent.map(listedChildren) ?? []
      for task in waiting { task.continuation.resume() }
      while let job = stage.ready.popFirst() { stage.run(job) }
      return waiting.count == 3
        && Set(found.map { UInt(bitPattern: $0) }) == Set(waiting.map(\.address))
    }
  }()

  /// The object whose event resumes a suspended task.
  enum Dependency: Equatable {
    case task(UnsafeMutableRawPointer)
    case continuation
    case group
    case executor
  }

  /// Returns what a suspended task waits for; nil if it is unknown.
  static func dependency(of task: UnsafeMutableRawPointer) -> Dependency? {
    knowsDependencies ? readDependency(of: task) : nil
  }

  private static func readDependency(of task: UnsafeMutableRawPointer) -> Dependency? {
    // Without an array, because a report asks for each task.
    var next = firstRecord(of: task)
    while let current = next,
      Int(recordKind(current)) != CVT_RECORD_DEPENDENCY
        || current.pointee.waiting.map({ UnsafeMutableRawPointer($0) }) != task
    {
      next = nextRecord(after: current)
    }
    guard let record = next else { return nil }
    switch Int(record.pointee.wait_kind) {
    case CVT_WAITS_FOR_TASK:
      return record.pointee.dependent.map { .task(UnsafeMutableRawPointer($0)) }
    case CVT_WAITS_FOR_CONTINUATION: return .continuation
    case CVT_WAITS_FOR_GROUP: return .group
    case CVT_WAITS_FOR_EXECUTOR: return .executor
    default: return nil
    }
  }

  /// Whether the dependencies of tasks are found: of three that wait for a continuation, and of their parent, which waits
  /// for a group and then for a child.
  private static let knowsDependencies: Bool = {
    guard isKnown else { return false }
    let probe = ChildProbe()
    let stage = StageExecutor(order: .firstInFirstOut, keepsTrace: false)
    return stage.drive {
      func runReady() { while let job = stage.ready.popFirst() { stage.run(job) } }
      _ = Task.detached { await probe.visit() }
      runReady()
      var waiting = probe.takeWaiting()
      guard waiting.count == 3,
        let parent = probe.parent.withLock({ UnsafeMutableRawPointer(bitPattern: $0) }),
        let first = UnsafeMutableRawPointer(bitPattern: waiting[0].address)
      else { return false }
      let waitForContinuations = waiting.allSatisfy {
        UnsafeMutableRawPointer(bitPattern: $0.address).flatMap(readDependency) == .continuation
      }
      let waitsForGroup = readDependency(of: parent) == .group
      let last = waiting.removeFirst()
      for task in waiting { task.continuation.resume() }
      runReady()
      let waitsForChild = readDependency(of: parent) == .task(first)
      last.continuation.resume()
      runReady()
      return waitForContinuations && waitsForGroup && waitsForChild
    }
  }()

  /// Whether a history notices the ends of checked continuations. Each has an object, which has the task until the
  /// continuation is resumed.
  static let knowsContinuations: Bool = {
    guard isKnown, MemoryLayout<CheckedContinuation<Void, Never>>.size == MemoryLayout<UInt>.size
    else { return false }
    let probe = ContinuationProbe()
    let stage = StageExecutor(order: .firstInFirstOut, keepsTrace: false)
    return stage.drive {
      func runReady() { while let job = stage.ready.popFirst() { stage.run(job) } }
      _ = Task.detached { await probe.wait() }
      runReady()
      let object = probe.object()
      let watches =
        UInt(bitPattern: object.load(as: cvt_checked_continuation.self).task) == probe.task
        && _typeName(object.load(as: Any.Type.self)) == "Swift.CheckedContinuationCanary"
        && cvt_watch_continuations(object)
      probe.resume()
      let isNoticed = cvt_last_ended_continuation() == object
      runReady()
      return watches && isNoticed
    }
  }()

  /// Whether the storage of a stream is found, which its continuation has, too.
  static let knowsStreams: Bool = {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let (throwing, other) = AsyncThrowingStream.makeStream(of: Void.self)
    let isKnown = hasStorage(stream, of: continuation) && hasStorage(throwing, of: other)
    if isKnown { cvt_watch_streams() }
    return isKnown
  }()

  private static func hasStorage<Stream, Continuation>(
    _ stream: Stream,
    of continuation: Continuation
  ) -> Bool {
    let size = MemoryLayout<UnsafeRawPointer>.size
    guard MemoryLayout<Stream>.size == size, MemoryLayout<Continuation>.size == size else {
      return false
    }
    let context = unsafeBitCast(stream, to: UnsafePointer<cvt_stream_context>.self)
    return context.pointee.storage == unsafeBitCast(continuation, to: UnsafeMutableRawPointer.self)
  }

  static func makeHistory() -> OpaquePointer? {
    isKnown ? cvt_history_create() : nil
  }

  static func isComplete(_ task: UnsafeMutableRawPointer) -> Bool {
    self.task(task).pointee.status & UInt32(CVT_STATUS_IS_COMPLETE) != 0
  }

  /// Whether a thread runs the task, or is blocked in it.
  static func isRunning(_ task: UnsafeMutableRawPointer) -> Bool {
    self.task(task).pointee.status & UInt32(CVT_STATUS_IS_RUNNING) != 0
  }

  /// Returns the name of an incomplete task.
  static func name(_ task: UnsafeMutableRawPointer) -> String? {
    let job = unsafeBitCast(task, to: UnownedJob.self)
    guard Runtime.flags(of: job) & UInt(CVT_JOB_HAS_NAME) != 0 else { return nil }
    return statusRecords(task).last { recordKind($0) == nameKind }.flatMap(name)
  }

  /// Returns the status records of a task, the innermost first.
  private static func statusRecords(
    _ task: UnsafeMutableRawPointer
  ) -> [UnsafePointer<cvt_record>] {
    var all: [UnsafePointer<cvt_record>] = []
    var record = firstRecord(of: task)
    while let current = record {
      all.append(current)
      record = nextRecord(after: current)
    }
    return all
  }

  private static func firstRecord(
    of task: UnsafeMutableRawPointer
  ) -> UnsafePointer<cvt_record>? { self.task(task).pointee.records }

  private static func nextRecord(
    after record: UnsafePointer<cvt_record>
  ) -> UnsafePointer<cvt_record>? { record.pointee.parent }

  private static func recordKind(_ record: UnsafePointer<cvt_record>) -> UInt8 {
    UInt8(truncatingIfNeeded: record.pointee.flags)
  }

  private static func name(of record: UnsafePointer<cvt_record>) -> String? {
    record.pointee.name.map { String(cString: $0) }
  }

  /// Returns the addresses at which a suspended task resumes, the innermost function first.
  static func resumeAddresses(_ task: UnsafeMutableRawPointer) -> [UInt] {
    resumeAddresses(
      from: self.task(task).pointee.job.resume,
      UnsafeRawPointer(self.task(task).pointee.context)
    )
  }

  /// Returns the addresses at which a task resumes, from a function and its asynchronous context on.
  static func resumeAddresses(from function: UInt, _ context: UnsafeRawPointer?) -> [UInt] {
    // Resume addresses are first instructions, but lookups subtract 1 as for return addresses.
    var addresses = [function + 1]
    var frame = context?.assumingMemoryBound(to: cvt_async_context.self)
    while let current = frame, addresses.count < mostFrames {
      if current.pointee.resume == 0 { break }
      addresses.append(current.pointee.resume + 1)
      frame = current.pointee.parent
    }
    return addresses
  }
}

/// A task that waits for a checked continuation.
private final class ContinuationProbe: @unchecked Sendable {
  // The task runs on the thread of the probe's caller.
  private(set) var task: UInt = 0
  private var continuation: CheckedContinuation<Void, Never>?

  @concurrent func wait() async {
    task = withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UInt.self) } ?? 0 }
    await withCheckedContinuation { continuation = $0 }
  }

  /// Returns the object of the continuation.
  func object() -> UnsafeMutableRawPointer {
    guard let continuation else { preconditionFailure("The probe waits.") }
    return unsafeBitCast(continuation, to: UnsafeMutableRawPointer.self)
  }

  /// Resumes the continuation, and ends its object.
  func resume() {
    continuation?.resume()
    continuation = nil
  }
}

/// A task with three children that wait until the probe resumes them.
private final class ChildProbe: Sendable {
  struct Waiting {
    let address: UInt
    let continuation: UnsafeContinuation<Void, Never>
  }

  let parent = Mutex<UInt>(0)
  private let waiting = Mutex<[Waiting]>([])

  func takeWaiting() -> [Waiting] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  @concurrent func visit() async {
    let address = Self.currentAddress
    parent.withLock { $0 = address }
    async let first: Void = wait()
    await withTaskGroup { group in
      for _ in 0..<2 { group.addTask { await self.wait() } }
    }
    await first
  }

  @concurrent private func wait() async {
    let address = Self.currentAddress
    await withUnsafeContinuation { continuation in
      waiting.withLock { $0.append(Waiting(address: address, continuation: continuation)) }
    }
  }

  private static var currentAddress: UInt {
    withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UInt.self) } ?? 0 }
  }
}
