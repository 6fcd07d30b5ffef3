import LibC
import RehearsalBase
import Synchronization

/// The events to watch for on a socket, and those that happened: the bits of `poll(2)`.
struct SocketEvents: OptionSet {
  let rawValue: Int16

  static let readable = SocketEvents(rawValue: Int16(POLLIN))
  static let writable = SocketEvents(rawValue: Int16(POLLOUT))
  /// The other side is gone, or the connection has failed. Always watched.
  static let failed = SocketEvents(rawValue: Int16(POLLERR) | Int16(POLLHUP) | Int16(POLLNVAL))
  /// The other side has ended its output. macOS reports this only together with `readable`.
  #if os(Linux)
  static let inputEnded = SocketEvents(rawValue: 0x2000)  // POLLRDHUP, a GNU extension.
  #else
  static let inputEnded = SocketEvents([])
  #endif
}

/// The owner of a socket that an event loop watches. The loop calls it on its thread.
protocol SocketHandler: AnyObject {
  func handle(_ events: SocketEvents)
  /// The loop ends; no call follows.
  func close()
}

/// The thread of a server, which waits for sockets, timers and work from other threads.
///
/// Other threads may call only `execute`, `catchUp` and `stop`.
final class EventLoop: @unchecked Sendable {
  private let posted = Mutex(Posted())
  private let wakeEnd: (reading: CInt, writing: CInt)
  private var thread: SystemThread?

  // Only the loop's thread uses these, and `init` before it starts.
  private var polled: [pollfd] = []
  private var handlers: [any SocketHandler] = []
  private var indices: [CInt: Int] = [:]
  private var timers = TimerQueue()
  /// A buffer for reading from sockets.
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1_024, alignment: 16)

  private struct Posted {
    var work: [@Sendable () -> Void] = []
    var isWoken = false
    var isStopped = false
  }

  /// Creates a loop without starting it.
  ///
  /// - Throws: the system's error code if no descriptor is left.
  init() throws(SystemError) {
    wakeEnd = try Descriptor.makePipe(isNonblocking: true)
  }

  deinit {
    systemClose(wakeEnd.reading)
    systemClose(wakeEnd.writing)
    buffer.deallocate()
  }

  func start() {
    thread = SystemThread { self.run() }
  }

  // MARK: From other threads

  /// Runs `work` on the loop's thread.
  ///
  /// - Returns: false after `stop`; `work` does not run then.
  @discardableResult
  func execute(_ work: @escaping @Sendable () -> Void) -> Bool {
    let (isTaken, needsWake) = posted.withLock { posted in
      guard !posted.isStopped else { return (false, false) }
      posted.work.append(work)
      defer { posted.isWoken = true }
      return (true, !posted.isWoken)
    }
    if needsWake { wake() }
    return isTaken
  }

  /// Waits until the loop has done all current work.
  func catchUp() {
    let done = ThreadSignal()
    if execute({ done.post() }) { done.wait() }
  }

  /// Closes all sockets, stops the thread and waits for its end.
  func stop() {
    posted.withLock { $0.isStopped = true }
    wake()
    thread?.join()
  }

  private func wake() {
    var byte: UInt8 = 0
    _ = write(wakeEnd.writing, &byte, 1)
  }

  // MARK: On the loop's thread

  /// Watches a socket until `unwatch`, and retains its handler.
  func watch(_ descriptor: CInt, for events: SocketEvents, _ handler: any SocketHandler) {
    indices[descriptor] = polled.count
    polled.append(pollfd(fd: descriptor, events: events.rawValue, revents: 0))
    handlers.append(handler)
  }

  /// Changes the watched events of a socket.
  func setEvents(_ events: SocketEvents, of descriptor: CInt) {
    if let index = indices[descriptor] { polled[index].events = events.rawValue }
  }

  func unwatch(_ descriptor: CInt) {
    guard let index = indices.removeValue(forKey: descriptor) else { return }
    polled.swapAt(index, polled.count - 1)
    handlers.swapAt(index, handlers.count - 1)
    polled.removeLast()
    handlers.removeLast()
    if index < polled.count { indices[polled[index].fd] = index }
  }

  /// Runs `body` at a time, unless the timer is cancelled before.
  func schedule(at time: ContinuousClock.Instant, _ body: @escaping () -> Void) -> LoopTimer {
    timers.add(LoopTimer(at: time, body))
  }

  func cancel(_ timer: LoopTimer) { timers.remove(timer) }

  private func run() {
    while true {
      let (work, isStopped) = posted.withLock { posted in
        defer { (posted.work, posted.isWoken) = ([], false) }
        return (posted.work, posted.isStopped)
      }
      for work in work { work() }
      if isStopped { break }
      while let timer = timers.popDue() { timer.body() }
      for (handler, events) in wait() { handler.handle(events) }
    }
    for handler in handlers { handler.close() }
    timers = TimerQueue()
  }

  private func wait() -> [(any SocketHandler, SocketEvents)] {
    var descriptors = polled + [pollfd(fd: wakeEnd.reading, events: Int16(POLLIN), revents: 0)]
    let count = poll(&descriptors, nfds_t(descriptors.count), timers.millisecondsToNext)
    guard count > 0 else { return [] }
    if descriptors[polled.count].revents != 0 {
      var bytes: (UInt64, UInt64) = (0, 0)
      while read(wakeEnd.reading, &bytes, 16) > 0 {}
    }
    var ready: [(any SocketHandler, SocketEvents)] = []
    for index in polled.indices where descriptors[index].revents != 0 {
      ready.append((handlers[index], SocketEvents(rawValue: descriptors[index].revents)))
    }
    return ready
  }
}

/// An action at a time.
final class LoopTimer {
  let time: ContinuousClock.Instant
  let body: () -> Void
  fileprivate var number = 0

  fileprivate init(at time: ContinuousClock.Instant, _ body: @escaping () -> Void) {
    self.time = time
    self.body = body
  }

  fileprivate func precedes(_ other: LoopTimer) -> Bool {
    (time, number) < (other.time, other.number)
  }
}

/// Timers by time. Timers of the same time keep their order.
private struct TimerQueue {
  /// The timers in reverse order: the next one is last.
  private var timers: [LoopTimer] = []
  private var lastNumber = 0

  mutating func add(_ timer: LoopTimer) -> LoopTimer {
    lastNumber += 1
    timer.number = lastNumber
    timers.insert(timer, at: index(of: timer))
    return timer
  }

  mutating func remove(_ timer: LoopTimer) {
    let index = index(of: timer)
    if index < timers.count, timers[index] === timer { timers.remove(at: index) }
  }

  mutating func popDue() -> LoopTimer? {
    guard let next = timers.last, next.time <= .now else { return nil }
    return timers.removeLast()
  }

  /// The time until the next timer for `poll`, rounded up; -1 if there is none.
  var millisecondsToNext: CInt {
    guard let next = timers.last else { return -1 }
    let duration = max(.zero, ContinuousClock.now.duration(to: next.time))
    // Waiting longer than a week is not necessary.
    return CInt(min(duration.millisecondsRoundedUp, 600_000_000))
  }

  /// Returns the index of a timer in the order.
  private func index(of timer: LoopTimer) -> Int {
    var (low, high) = (0, timers.count)
    while low < high {
      let middle = (low + high) / 2
      if timer.precedes(timers[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
