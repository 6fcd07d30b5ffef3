import CVirtualTime

/// The tasks of a stage that have not come to their end, by the order of their births.
///
/// Child tasks are not among them: the task that waits for them is. What says whether a task is over, and where it waits,
/// is part of the runtime's layout, which `Layout` checks before it is relied on.
final class TaskRegistry {
  /// Tasks by address, each with its place in the order of their births. Each is retained.
  private var ordinals: [UInt: Int] = [:]
  private var births = 0
  /// The runtime's numbers of tasks that somebody else checks, and that were not met yet.
  private var disowned: Set<UInt64> = []

  deinit {
    for address in ordinals.keys { Self.release(address) }
  }

  /// Remembers a task that the stage meets for the first time.
  func insert(_ job: UnownedJob) {
    guard Layout.isKnown, Runtime.isTask(job), !Layout.isChild(job), ordinals[job.address] == nil
    else { return }
    if disowned.remove(Runtime.taskNumber(of: job)) != nil { return }
    births += 1
    _ = Unmanaged<AnyObject>.fromOpaque(Layout.address(job)).retain()
    ordinals[job.address] = births
  }

  /// Leaves a task out, which the caller keeps alive.
  func disown(_ job: UnownedJob) {
    if ordinals.removeValue(forKey: job.address) == nil {
      disowned.insert(Runtime.taskNumber(of: job))
    } else {
      Self.release(job.address)
    }
  }

  /// Lets a task go if it is over. Its result may go with it, so this runs code.
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

  /// The tasks that are not over; nil if that cannot be known.
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

/// A task that is not over.
package struct UnfinishedTask: Sendable, CustomStringConvertible {
  package let name: String?
  /// Its place in the order in which the stage met its tasks, from 1.
  package let number: Int
  /// The function in which it waits; nil if that is not known.
  package let function: String?

  /// Its name or number, and where it waits.
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

  /// Whether a task that was run to its end, with a name, looks as expected before and after.
  static let isKnown: Bool = {
    guard MemoryLayout<UInt>.size == 8 else { return false }
    nonisolated(unsafe) var (wasComplete, seen) = (true, String?.none)
    let task = Runtime.runningAtOnce(named: "probe") { task in
      (wasComplete, seen) = (isComplete(task), name(task))
    }
    return !wasComplete && seen == "probe"
      && withExtendedLifetime(task) {
        isComplete(unsafeBitCast(task, to: UnsafeMutableRawPointer.self))
      }
  }()

  static func address(_ job: UnownedJob) -> UnsafeMutableRawPointer {
    unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
  }

  static func isChild(_ job: UnownedJob) -> Bool { Runtime.flags(of: job) & childFlag != 0 }

  static func isComplete(_ task: UnsafeMutableRawPointer) -> Bool {
    task.load(fromByteOffset: status, as: UInt32.self) & UInt32(completeFlag) != 0
  }

  /// Of a task that is not over: the name is the record that was made first.
  static func name(_ task: UnsafeMutableRawPointer) -> String? {
    let job = unsafeBitCast(task, to: UnownedJob.self)
    guard Runtime.flags(of: job) & nameFlag != 0 else { return nil }
    var record = task.load(fromByteOffset: records, as: UnsafeRawPointer?.self)
    while let next = record?.load(fromByteOffset: 8, as: UnsafeRawPointer?.self) { record = next }
    guard let name = record?.load(fromByteOffset: 16, as: UnsafePointer<CChar>?.self) else {
      return nil
    }
    return String(cString: name)
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
