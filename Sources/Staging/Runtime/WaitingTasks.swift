/// The incomplete tasks of a stage, in creation order, and the places at which they were created.
///
/// Child tasks are not registered: their parents are, and lead to them. Completion and the place of
/// suspension are read from the runtime's layout of tasks, which `TaskLayout` checks first.
final class WaitingTasks {
  /// Tasks by address, each with its number in creation order. Each is retained.
  private var ordinals: [UInt: Int] = [:]
  private var count = 0
  /// The return addresses of the code that created each task; nil if they are not kept.
  private var origins: [UInt: [UInt]]?
  /// The same for child tasks, each with its number of the runtime. A later child may have the address of a completed one.
  private var childOrigins: [UInt: (number: UInt64, callers: [UInt])] = [:]
  /// What the tasks did.
  let history = WaitHistory()
  /// The runtime's numbers of tasks that the caller of `disown` checks in another way.
  private var disowned: Set<UInt64> = []

  /// - Parameter keepsOrigins: whether it knows where tasks were created; costs time at each creation.
  init(keepsOrigins: Bool) { if keepsOrigins { origins = [:] } }

  /// Keeps the places at which tasks are created, from now on.
  func keepOrigins() { origins = origins ?? [:] }

  deinit {
    for address in ordinals.keys { Self.release(address) }
  }

  /// Registers a task when the stage meets it for the first time.
  func insert(_ job: UnownedJob) {
    guard TaskLayout.isKnown, Runtime.isTask(job) else { return }
    if TaskLayout.isChild(job) { return keepOrigin(ofChild: job) }
    guard ordinals[job.address] == nil else { return }
    if disowned.contains(Runtime.taskNumber(of: job)) { return }
    count += 1
    _ = Unmanaged<AnyObject>.fromOpaque(TaskLayout.address(job)).retain()
    ordinals[job.address] = count
    if origins != nil { origins?[job.address] = ReturnAddresses.ofCallers() }
  }

  private func keepOrigin(ofChild job: UnownedJob) {
    guard origins != nil else { return }
    let number = Runtime.taskNumber(of: job)
    if childOrigins[job.address]?.number == number { return }
    childOrigins[job.address] = (number, ReturnAddresses.ofCallers())
  }

  /// Returns the function that created a task, and the line; nil if unknown.
  func origin(of task: UnownedJob) -> SourceFrame? { creators(of: task).first }

  /// Returns the functions that created a task, the innermost first; empty if unknown.
  func creators(of task: UnownedJob) -> [SourceFrame] {
    let callers =
      TaskLayout.isChild(task)
      ? childOrigins[task.address].flatMap { origin in
        origin.number == Runtime.taskNumber(of: task) ? origin.callers : nil
      }
      : origins?[task.address]
    return callers.map { Self.creators(in: $0) } ?? []
  }

  private func origin(of address: UInt) -> SourceFrame? {
    origins?[address].flatMap { Self.creators(in: $0).first }
  }

  static func creators(in callers: [UInt]) -> [SourceFrame] {
    // Which program performs a command must not change what the command prints.
    let inSession = StackFunction.callers(at: callers).prefix { !$0.isSession }
    return StackFunction.frames(at: Array(callers.prefix(inSession.count)))
  }

  /// Returns the name or the number of a task, for readers.
  func label(of task: UnownedJob) -> String {
    TaskLayout.name(TaskLayout.address(task)).map { "'\($0)'" }
      ?? WaitingTask.unnamed(number(of: task))
  }

  func number(of task: UnownedJob) -> Int? { ordinals[task.address] }

  /// Returns the registered task with a number of the runtime; nil if there is none. Slow, because it looks at all tasks.
  func task(numbered number: UInt64) -> UnownedJob? {
    ordinals.keys.lazy.map { unsafeBitCast($0, to: UnownedJob.self) }
      .first { Runtime.taskNumber(of: $0) == number }
  }

  /// Removes a task. The caller keeps it alive.
  func disown(_ job: UnownedJob) {
    // The stage sees a task of an actor twice: when the task is created, and when the actor runs it.
    disowned.insert(Runtime.taskNumber(of: job))
    if ordinals.removeValue(forKey: job.address) != nil { Self.release(job.address) }
  }

  /// Releases a task if it is complete. This may release the task's result and so run code.
  func finish(_ address: UInt) {
    guard ordinals[address] != nil, let task = UnsafeMutableRawPointer(bitPattern: address),
      TaskLayout.isComplete(task)
    else { return }
    ordinals[address] = nil
    origins?[address] = nil
    Self.release(address)
  }

  /// Releases all tasks that are complete, also those that an actor has run.
  func finishAll() {
    for address in Array(ordinals.keys) { finish(address) }
  }

  /// Returns whether all tasks are complete, except for these addresses; nil if it is unknown.
  func areComplete(besides others: Set<UInt>) -> Bool? {
    guard TaskLayout.isKnown else { return nil }
    return ordinals.keys.allSatisfy { address in
      others.contains(address)
        || UnsafeMutableRawPointer(bitPattern: address).map(TaskLayout.isComplete) == true
    }
  }

  /// Reports the incomplete tasks, except for these addresses; nil if they cannot be found. A task that holds a lock for
  /// which another one waits is reported, too.
  func waiting(besides others: Set<UInt>) -> WaitReport? {
    let holders = Set(history.namedWaits.values.compactMap { $0().holder?.address })
    let numbers = Set(others.subtracting(holders).compactMap { ordinals[$0] })
    guard let report = waiting() else { return nil }
    let tasks = report.tasks.filter { task in task.number.map { !numbers.contains($0) } ?? true }
    return WaitReport(tasks: tasks, deadlocks: report.deadlocks)
  }

  private static func release(_ address: UInt) {
    guard let task = UnsafeRawPointer(bitPattern: address) else { return }
    Unmanaged<AnyObject>.fromOpaque(task).release()
  }

  /// Returns the addresses at which a suspended task continues, the innermost function first; empty
  /// if they are unknown.
  static func resumeAddresses(of task: UnownedJob) -> [UInt] {
    TaskLayout.isKnown && Runtime.isTask(task)
      ? TaskLayout.resumeAddresses(TaskLayout.address(task)) : []
  }

  /// Reports the incomplete tasks; nil if they cannot be found.
  ///
  /// - Parameters:
  ///   - others: tasks that are not registered, each with its label.
  ///   - isFull: whether stacks include functions of libraries and of Rehearse.
  /// - Returns: the report.
  func waiting(
    with others: [(task: UnsafeMutableRawPointer, label: String)] = [],
    isFull: Bool = false
  ) -> WaitReport? {
    guard TaskLayout.isKnown else { return nil }
    return WaitReport(of: others, numbers: ordinals, origin: origin(of:), history, isFull: isFull)
  }
}
