import CVirtualTime
import Synchronization

/// A thread of a stage that waits in a blocking call of the code that it runs.
final class BlockedThread {
  enum Cause: Hashable {
    case semaphore(UnsafeMutableRawPointer)
    case group(UnsafeMutableRawPointer)
    case condition(UnsafeMutableRawPointer)
    /// A lock that another thread of the stage has.
    case lock(UnsafeMutableRawPointer)
    case workItem(UnsafeMutableRawPointer)
    case queue
    case sleep
    case runLoop
    /// XCTest waits for a test or for expectations.
    case test
  }
  enum Outcome {
    case signalled
    case timedOut
    /// Nothing was left to do that could end the wait.
    case deadlock
  }

  let cause: Cause
  /// Whether a thread outside of the stage may end the wait.
  var mayEndOutside: Bool {
    switch cause {
    case .semaphore, .group, .condition, .test: true
    case .lock, .workItem, .queue, .sleep, .runLoop: false
    }
  }
  /// The called function, such as `DispatchSemaphore.wait`.
  let call: String
  /// Whether it waits only because other code runs first, so that it could continue.
  var isInterrupted: Bool { call.isEmpty }
  /// Whether it runs a block of Dispatch, on no main actor, and needs something to continue.
  var isOfBlock: Bool { thread != nil && !holdsMain && !isInterrupted && outcome == nil }
  /// The return addresses of the callers, the innermost first.
  let frames: [UInt]
  /// Whether it keeps main-actor code from running.
  let holdsMain: Bool
  var outcome: Outcome?
  /// The closure that ends the wait at its deadline.
  var alarm: Scheduled?
  /// The thread; nil for the thread that drives the stage from outside.
  let thread: StageThread?
  /// The system's number of the thread. Locks keep it.
  let number = cvt_system_thread()
  /// The locks that it has for reading.
  private let reads = cvt_current_read_locks()
  /// Returns a blocked thread that has the lock; nil if there is none.
  var lockHolder: (() -> BlockedThread?)?
  /// What else a report says of it.
  var remarks: [String] = []
  /// Whether it was reported.
  var isReported = false

  /// Calls that no other thread has ended, by their return addresses.
  private static let hopeless = Mutex<Set<[UInt]>>([])

  /// Whether no other thread has ended this call before.
  var isHopeless: Bool { Self.hopeless.withLock { $0.contains(frames) } }

  /// Whether it has a lock for reading.
  func isReading(_ lock: UnsafeMutableRawPointer) -> Bool { cvt_is_reading(reads, lock) }

  func giveUp() { Self.hopeless.withLock { _ = $0.insert(frames) } }

  init(_ cause: Cause, call: String, of thread: StageThread?, holdsMain: Bool) {
    self.thread = thread
    (self.cause, self.call, self.holdsMain) = (cause, call, holdsMain)
    frames = call.isEmpty ? [] : ReturnAddresses.ofCallers()
  }

  /// The call and its place, for readers.
  var blockedCall: BlockedCall {
    let place = StackFunction.callers(at: frames).first { $0.isTested }?.name
    let blocked = holdsMain ? "the main actor" : "its thread"
    return BlockedCall(
      text: "\(call)\(place.map { " in \($0)" } ?? "") blocks \(blocked) forever",
      stack: StackFunction.frames(at: frames),
      remarks: remarks,
      isOfTest: cause == .test
    )
  }
}

/// A call that blocks its thread forever, or blocks that can never run.
package struct BlockedCall: Sendable, Hashable, Codable {
  /// The call, its function and its state: `DispatchSemaphore.wait in Model.load() blocks the main actor forever`.
  package let text: String
  /// The functions of the tested code that called it, the innermost first.
  package let stack: [SourceFrame]

  /// Facts that explain it: `meanwhile, task 2 waits for the main actor`.
  package let remarks: [String]

  /// Whether a test library waits for a test.
  package let isOfTest: Bool

  package init(
    text: String,
    stack: [SourceFrame] = [],
    remarks: [String] = [],
    isOfTest: Bool = false
  ) {
    (self.text, self.stack, self.remarks, self.isOfTest) = (text, stack, remarks, isOfTest)
  }

  /// The call without what differs between builds.
  package var withoutDetails: BlockedCall { BlockedCall(text: text) }

  /// The call, and each function with its place.
  package var lines: [String] { [text] + (stack.map { "in \($0)" } + remarks).map { "  " + $0 } }
}
