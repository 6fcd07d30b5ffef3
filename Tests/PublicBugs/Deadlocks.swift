import Exploring
import Scenes

extension Specimen {
  static let locksOnMainActor = Specimen(
    "locks in opposite order, on the main actor",
    from: "the transfers between two accounts of the examples of awslabs/shuttle"
  ) { isRepaired, run in
    let locks = [MainActorLock(), MainActorLock()]
    let first = Task { await transfer(locks[0], locks[1], after: 0) }
    let second = Task {
      await transfer(locks[isRepaired ? 0 : 1], locks[isRepaired ? 1 : 0], after: 9)
    }
    await first.value
    await second.value
  }

  static let locksOfActors = Specimen(
    "actors as locks, in opposite order",
    from: "the same, with tasks that belong to no actor"
  ) { isRepaired, run in
    let locks = [ActorLock(), ActorLock()]
    await withTaskGroup { group in
      group.addTask { await transfer(locks[0], locks[1], after: 0) }
      group.addTask {
        await transfer(locks[isRepaired ? 0 : 1], locks[isRepaired ? 1 : 0], after: 9)
      }
    }
  }

  /// Each of two tasks sends two values, and then receives two. The second one first receives what is there.
  static let fullChannels = Specimen(
    "two full channels",
    from: "bounded channels in both directions, as in tests of tokio-rs/loom"
  ) { isRepaired, run in
    let there = Channel(capacity: isRepaired ? 2 : 1)
    let back = Channel(capacity: isRepaired ? 2 : 1)
    let first = Task {
      for _ in 0..<2 { await there.send() }
      for _ in 0..<2 { await back.receive() }
    }
    let second = Task {
      var received = 0
      while there.receiveNow() { received += 1 }
      for _ in 0..<2 { await back.send() }
      for _ in received..<2 { await there.receive() }
    }
    await first.value
    await second.value
  }

  /// A task checks a gate and waits; the gate opens in between.
  static let lostWakeup = Specimen(
    "lost wake-up",
    from: "semaphores for tasks that check and wait in two steps"
  ) { isRepaired, run in
    let gate = Gate(checksAgain: isRepaired)
    await withTaskGroup { group in
      group.addTask { await gate.pass() }
      group.addTask {
        await yield(9)
        await gate.open()
      }
    }
  }

  /// A waiting task is cancelled before its continuation exists.
  static let earlyCancellation = Specimen(
    "cancellation before the continuation exists",
    from:
      "wrappers of callbacks by withTaskCancellationHandler, as discussed for swift-evolution SE-0300 and SE-0304"
  ) { isRepaired, run in
    let answer = Answer(remembersCancellation: isRepaired)
    let task = Task { await answer.value() }
    await yield(5)
    task.cancel()
    await task.value
  }

  /// Two producers count down, and the last one finishes the stream. The count loses an update.
  static let unfinishedStream = Specimen(
    "a stream that is never finished",
    from: "AsyncStream with several producers and a count of those that are left"
  ) { isRepaired, run in
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let left = Count(2)
    for number in 0..<2 {
      Task.detached {
        await yield(number * 6)
        continuation.yield(number)
        if isRepaired {
          if await left.decrement() == 0 { continuation.finish() }
        } else {
          await left.set(await left.value - 1)
          if await left.value == 0 { continuation.finish() }
        }
      }
    }
    for await _ in stream {}
  }
}

/// Locks two locks. `after`: how often others may run before.
private func transfer(_ from: some TaskLock, _ to: some TaskLock, after: Int) async {
  await yield(after)
  await from.lock()
  await Task.yield()
  await to.lock()
  await to.unlock()
  await from.unlock()
}

/// A lock that tasks wait for without a thread, first come, first served.
private protocol TaskLock: Sendable {
  func lock() async
  func unlock() async
}

@MainActor private final class MainActorLock: TaskLock {
  private var isLocked = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  @MainActor func lock() async {
    guard isLocked else {
      isLocked = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  @MainActor func unlock() async {
    if waiting.isEmpty { isLocked = false } else { waiting.removeFirst().resume() }
  }
}

private actor ActorLock: TaskLock {
  private var isLocked = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func lock() async {
    guard isLocked else {
      isLocked = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func unlock() {
    if waiting.isEmpty { isLocked = false } else { waiting.removeFirst().resume() }
  }
}

/// A channel without values.
@MainActor private final class Channel {
  private let capacity: Int
  private var count = 0
  private var senders: [CheckedContinuation<Void, Never>] = []
  private var receivers: [CheckedContinuation<Void, Never>] = []

  init(capacity: Int) { self.capacity = capacity }

  func send() async {
    if !receivers.isEmpty { return receivers.removeFirst().resume() }
    if count < capacity {
      count += 1
      return
    }
    await withCheckedContinuation { senders.append($0) }
  }

  func receiveNow() -> Bool {
    guard count > 0 else { return false }
    // The value of a waiting sender takes the free place.
    if senders.isEmpty { count -= 1 } else { senders.removeFirst().resume() }
    return true
  }

  func receive() async {
    if !receiveNow() { await withCheckedContinuation { receivers.append($0) } }
  }
}

private actor Gate {
  private let checksAgain: Bool
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(checksAgain: Bool) { self.checksAgain = checksAgain }

  func open() {
    isOpen = true
    for task in waiting { task.resume() }
    waiting = []
  }

  nonisolated func pass() async {
    if await isOpen { return }
    await withCheckedContinuation { continuation in Task { await add(continuation) } }
  }

  private func add(_ continuation: CheckedContinuation<Void, Never>) {
    if checksAgain, isOpen { return continuation.resume() }
    waiting.append(continuation)
  }
}

@MainActor private final class Answer {
  private let remembersCancellation: Bool
  private var isCancelled = false
  private var continuation: CheckedContinuation<Void, Never>?

  init(remembersCancellation: Bool) { self.remembersCancellation = remembersCancellation }

  func value() async {
    await withTaskCancellationHandler {
      // The request is prepared.
      await Task.yield()
      await withCheckedContinuation { continuation in
        if remembersCancellation, isCancelled { return continuation.resume() }
        self.continuation = continuation
      }
    } onCancel: {
      Task { @MainActor in cancel() }
    }
  }

  private func cancel() {
    isCancelled = true
    continuation?.resume()
    continuation = nil
  }
}

actor Count {
  private(set) var value: Int
  init(_ value: Int) { self.value = value }
  func set(_ value: Int) { self.value = value }
  func decrement() -> Int {
    value -= 1
    return value
  }
}
