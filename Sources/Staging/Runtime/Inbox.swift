import LibC
import Synchronization

/// A message from another thread to a stage.
enum InboxMessage {
  case job(UnownedJob, onMain: Bool)
  /// The job of an actor that has messages of this stage, sent by another stage.
  case actor(UnownedJob, name: String)
  case sleeper(OutsideSleep)
  case wake(OutsideSleep)
  case cancel(SleeperID)
  case schedule(Scheduled)
  case unschedule(Scheduled)
  /// A call of libdispatch by another thread.
  case call(@Sendable (StageExecutor) -> Void)
}

/// The entrance to a stage for other threads and signal handlers. The stage reads `attention`
/// between jobs. The pipe is created when the stage first waits, or when its descriptor is first
/// read.
final class Inbox: @unchecked Sendable {
  private static let message: UInt8 = 1
  private static let interruption: UInt8 = 2
  private static let pinging: UInt8 = 4

  private let messages = Mutex<[InboxMessage]>([])
  /// Whether the stage accepts no more work of other threads. Guarded by `messages`.
  private var refusesWork = false
  private let attention = Atomic<UInt8>(0)
  /// The descriptor to write to; -1 before the pipe exists.
  private let writeEnd = Atomic<Int32>(-1)
  /// The descriptor to read from. Only the stage's thread creates and reads it.
  private var readEnd: Int32 = -1

  deinit {
    guard readEnd >= 0 else { return }
    close(readEnd)
    close(writeEnd.load(ordering: .relaxed))
  }

  // MARK: For any thread

  func post(_ message: sending InboxMessage) {
    messages.withLock { $0.append(message) }
    ring(Self.message)
  }

  /// Posts work that the stage need not accept.
  ///
  /// - Returns: false if the stage has ended.
  func postWork(_ message: sending InboxMessage) -> Bool {
    let isPosted = messages.withLock { messages in
      if refusesWork { return false }
      messages.append(message)
      return true
    }
    if isPosted { ring(Self.message) }
    return isPosted
  }

  /// Refuses work from now on.
  func refuseWork() { messages.withLock { _ in refusesWork = true } }

  /// Wakes a stage that waits.
  func nudge() { ring(Self.message) }

  /// Interrupts the stage. Safe in a signal handler: one atomic operation, and one write if the
  /// pipe exists.
  func interrupt() { ring(Self.interruption) }

  /// Requests an answer, which the stage gives between two jobs.
  func ping() { ring(Self.pinging) }

  /// Whether the stage has not answered the last ping.
  var hasUnansweredPing: Bool { attention.load(ordering: .acquiring) & Self.pinging != 0 }

  /// Whether the stage was interrupted since the last `takeInterruption`.
  var isInterrupted: Bool { attention.load(ordering: .relaxed) & Self.interruption != 0 }

  private func ring(_ reason: UInt8) {
    attention.bitwiseOr(reason, ordering: .sequentiallyConsistent)
    let writeEnd = writeEnd.load(ordering: .sequentiallyConsistent)
    guard writeEnd >= 0 else { return }
    var byte: UInt8 = 1
    _ = write(writeEnd, &byte, 1)
  }

  // MARK: For the stage's thread

  /// Whether there is a message or an interruption.
  var isRinging: Bool { attention.load(ordering: .relaxed) != 0 }

  /// Returns whether the stage was interrupted since the last call.
  func takeInterruption() -> Bool {
    let (before, _) = attention.bitwiseAnd(~Self.interruption, ordering: .sequentiallyConsistent)
    return before & Self.interruption != 0
  }

  /// Answers a ping, if there was one.
  func answerPing() {
    guard hasUnansweredPing else { return }
    attention.bitwiseAnd(~Self.pinging, ordering: .sequentiallyConsistent)
    silence()
  }

  func takeMessages() -> [InboxMessage] {
    let (before, _) = attention.bitwiseAnd(~Self.message, ordering: .sequentiallyConsistent)
    guard before & Self.message != 0 else { return [] }
    silence()
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }

  /// A descriptor that is readable while there is a message or an interruption, and sometimes once more after the
  /// message was taken. Poll it, do not read it.
  var descriptor: Int32 {
    if readEnd < 0 { makePipe() }
    return readEnd
  }

  /// Blocks the thread until there is a message or an interruption.
  func wait() { while !wait(atMost: -1) {} }

  /// Blocks the thread until there is a message or an interruption, or for a number of milliseconds of real time.
  ///
  /// - Returns: whether there is one.
  func wait(atMost milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if attention.load(ordering: .sequentiallyConsistent) == 0 { _ = poll(&entry, 1, milliseconds) }
    silence()
    return attention.load(ordering: .sequentiallyConsistent) != 0
  }

  private func makePipe() {
    guard let ends = try? Descriptor.makePipe(isNonblocking: true) else {
      preconditionFailure("A stage that waits for other threads needs two file descriptors.")
    }
    readEnd = ends.reading
    writeEnd.store(ends.writing, ordering: .sequentiallyConsistent)
    if isRinging { ring(0) }
  }

  private func silence() {
    guard readEnd >= 0 else { return }
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(readEnd, &bytes, 16) == 16 {}
  }
}
