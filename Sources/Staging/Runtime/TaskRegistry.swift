import CVirtualTime

/// The tasks of a stage that have not come to their end, by the order of their births.
///
/// Child tasks are not among them: the task that waits for them is. What says whether a task is over, and where it waits,
/// is part of the runtime's layout, which `Layout` checks before it is relied on.
final class TaskRegistry {
  /// Tasks by address, each with its number in creation order. Each is retained.
  private var ordinals: [UInt: Int] = [:]
  private var births = 0
  /// The runtime's numbers of tasks that are checked in another way.
  private var disowned: Set<UInt64> = []

  /// Makes the stage of a thread note each new task from now on, also a task that runs before it has a job.
  static let noting: Void = cvt_handle_tasks { task in
    guard let task, let stage = StageExecutor.current else { return }
    stage.tasks?.insert(unsafeBitCast(task, to: UnownedJob.self))
  }

  deinit {
    for address in ordinals.keys { Self.release(address) }
  }

  /// Remembers a task that the stage meets for the first time.
  func insert(_ job: UnownedJob) {
    guard Layout.isKnown, Runtime.isTask(job), !Layout.isChild(job), ordinals[job.address] == nil
    else { return }
    if disowned.contains(Runtime.taskNumber(of: job)) { return }
    births += 1
    _ = Unmanaged<AnyObject>.fromOpaque(Layout.address(job)).retain()
    ordinals[job.address] = births
  }

  /// Leaves out a task. The caller keeps it alive.
  func disown(_ job: UnownedJob) {
    // The stage sees a task of an actor twice: when the task is created, and when the actor runs it.
    disowned.insert(Runtime.taskNumber(of: job))
    if ordinals.removeValue(forKey: job.address) != nil { Self.release(job.address) }
  }

  /// Releases a task if it is complete. This may release the task's result, so it runs code.
  func finish(_ address: UInt) {
    guard ordinals[address] != nil, let task = UnsafeMutableRawPointer(bitPattern: address),
      Layout.isComplete(task)
    else { return }
    ordinals[address] = nil
    Self.release(address)
  }

  private static func release(_ address: UInt) {
    guard let task = UnsafeRawPointer(bitPattern: address) else { return }
    Unmanaged<AnyObject>.fromOpaque(task).release()
  }

  /// Returns the addresses at which a suspended task continues, the innermost function first; empty if they are not
  /// known.
  static func resumeAddresses(of task: UnownedJob) -> [UInt] {
    Layout.isKnown && Runtime.isTask(task) ? Layout.resumeAddresses(Layout.address(task)) : []
  }

  /// Returns the tasks that are not complete; nil if they cannot be found.
  func unfinished() -> [UnfinishedTask]? {
    guard Layout.isKnown else { return nil }
    return ordinals.sorted { $0.value < $1.value }.compactMap { address, ordinal in
      guard let task = UnsafeMutableRawPointer(bitPattern: address), !Layout.isComplete(task)
      else { return nil }
      return UnfinishedTask(
        name: Layout.name(task),
        number: ordinal,
        function: Caller.function(at: Layout.resumeAddresses(task))
      )
    }
  }
}

/// A task that is not complete.
package struct UnfinishedTask: Sendable, CustomStringConvertible {
  package let name: String?
  /// Its number in the order of the stage's tasks, from 1.
  package let number: Int
  /// The function that waits; nil if it is not known.
  package let function: String?

  /// The name or number, and the function that waits.
  package var description: String {
    let name = name.map { "'\($0)'" } ?? "task \(number)"
    return function.map { "\(name) in \($0)" } ?? name
  }
}

/// Where the runtime of Swift 6.3 keeps what is known of a task: see `AsyncTask` in its `swift/ABI/Task.h`.
private enum Layout {
  private static let resumeFunction = 56
  private static let context = 64
  private static let status = 96
  private static let records = 104
  private static let completeFlag: UInt = 0x2000
  private static let childFlag: UInt = 1 << 24
  private static let nameFlag: UInt = 1 << 30
  private static let mostFrames = 12

  /// The kind of the record that has the name of a task. It is read from a named task that is run to its end. Nil if
  /// this task does not look as expected before and after, or if its creation was not noted.
  private static let nameKind: UInt8? = {
    guard MemoryLayout<UInt>.size == 8 else { return nil }
    nonisolated(unsafe) var (wasComplete, kind) = (true, UInt8?.none)
    let before = cvt_current_calls().tasks
    let task = Runtime.runningAtOnce(named: "probe") { task in
      wasComplete = isComplete(task)
      // The only record of this task is its name.
      let record = statusRecords(task).last
      kind = record.flatMap { name(of: $0) == "probe" ? recordKind($0) : nil }
    }
    let isOver = withExtendedLifetime(task) {
      isComplete(unsafeBitCast(task, to: UnsafeMutableRawPointer.self))
    }
    return !wasComplete && isOver && cvt_current_calls().tasks > before ? kind : nil
  }()

  static var isKnown: Bool { nameKind != nil }

  static func address(_ job: UnownedJob) -> UnsafeMutableRawPointer {
    unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
  }

  static func isChild(_ job: UnownedJob) -> Bool { Runtime.flags(of: job) & childFlag != 0 }

  static func isComplete(_ task: UnsafeMutableRawPointer) -> Bool {
    task.load(fromByteOffset: status, as: UInt32.self) & UInt32(completeFlag) != 0
  }

  /// Returns the name of a task that is not complete.
  static func name(_ task: UnsafeMutableRawPointer) -> String? {
    let job = unsafeBitCast(task, to: UnownedJob.self)
    guard Runtime.flags(of: job) & nameFlag != 0 else { return nil }
    return statusRecords(task).last { recordKind($0) == nameKind }.flatMap(name)
  }

  /// Returns the status records of a task, the innermost first.
  private static func statusRecords(_ task: UnsafeMutableRawPointer) -> [UnsafeRawPointer] {
    var all: [UnsafeRawPointer] = []
    var record = task.load(fromByteOffset: records, as: UnsafeRawPointer?.self)
    while let current = record {
      all.append(current)
      record = current.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
    }
    return all
  }

  private static func recordKind(_ record: UnsafeRawPointer) -> UInt8 {
    UInt8(truncatingIfNeeded: record.load(as: UInt.self))
  }

  private static func name(of record: UnsafeRawPointer) -> String? {
    record.load(fromByteOffset: 16, as: UnsafePointer<CChar>?.self).map { String(cString: $0) }
  }

  /// Where a suspended task goes on, the innermost function first.
  static func resumeAddresses(_ task: UnsafeMutableRawPointer) -> [UInt] {
    var addresses = [task.load(fromByteOffset: resumeFunction, as: UInt.self)]
    var frame = task.load(fromByteOffset: context, as: UnsafeRawPointer?.self)
    while let current = frame, addresses.count < mostFrames {
      let resume = current.load(fromByteOffset: 8, as: UInt.self)
      if resume == 0 { break }
      addresses.append(resume)
      frame = current.load(as: UnsafeRawPointer?.self)
    }
    // The first instruction of a function; callers are looked up one byte before.
    return addresses.map { $0 + 1 }
  }
}
