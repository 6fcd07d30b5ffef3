import CVirtualTime

/// A task or closure that waits for an instant. Each payload is one word, so a sleeper has two.
enum Sleeper {
  /// A slot without a sleeper; `next` is the next free slot.
  case free(next: UInt32)
  /// A slot for a sleep that has not begun, or that was cancelled before it began.
  case reserved(cancelled: Bool)
  /// A task that sleeps on the stage's own clock.
  case task(SuspendedTask)
  /// A task in `Task.sleep`.
  case runtime(RuntimeSleep)
  /// A task of another stage or thread that sleeps on the stage's own clock.
  case outside(OutsideSleep)
  /// A closure.
  case scheduled(Scheduled)
}

/// A task that waits to be resumed, once. It is stored as a word, because the runtime would read
/// the layout of the generic continuation type at each move.
struct SuspendedTask {
  private let bits: UInt

  init(_ continuation: UnsafeContinuation<Void, any Error>) {
    bits = unsafeBitCast(continuation, to: UInt.self)
  }

  private var continuation: UnsafeContinuation<Void, any Error> {
    unsafeBitCast(bits, to: UnsafeContinuation<Void, any Error>.self)
  }

  /// The task of the continuation: the runtime stores the task in its place.
  var job: UnownedJob { unsafeBitCast(bits, to: UnownedJob.self) }

  func wake() { continuation.resume() }

  /// Prefetches the memory that waking reads: the task and its stack.
  func fetch() { cvt_prefetch(UnsafeRawPointer(bitPattern: bits), 1024) }

  func cancel() { continuation.resume(throwing: CancellationError()) }
}

/// A job of `Task.sleep`, and the task that sleeps.
final class RuntimeSleep {
  let job: UnownedJob
  private let sleeping: UnsafeCurrentTask?

  /// Retains the sleeping task; it is nil if its sleep cannot be cancelled.
  init(job: UnownedJob, sleeping: UnsafeCurrentTask?) {
    self.job = job
    self.sleeping = sleeping
  }

  /// Whether the sleep was cancelled, so that its job wakes no task. Only the end and the
  /// cancellation of a sleep resume its task, so the sleep of a cancelled task has ended.
  var isOver: Bool { sleeping?.isCancelled == true }

  /// The task that sleeps, as a job.
  var sleepingJob: UnownedJob? { sleeping.map { unsafeBitCast($0, to: UnownedJob.self) } }

  func cancel() { sleeping?.cancel() }
}

/// Identifies a sleeper. It stays unique after the sleeper is removed.
struct SleeperID {
  let slot: UInt32
  let sequence: UInt64
}

/// The sleepers of a stage, and their alarms.
///
/// Cancelling frees the sleeper's slot at once but leaves its alarm in the heap, without effect.
/// When more than half of the alarms are of this kind, they are removed together.
///
/// Not copyable, so that reads do not count references.
struct Sleepers: ~Copyable {
  private struct SleeperSlot {
    var sleeper: Sleeper
    /// The number of the sleeper in this slot. An alarm with another number has no sleeper any
    /// more.
    var sequence: UInt64
  }

  private static let none = UInt32.max
  private var places: ContiguousArray<SleeperSlot> = []
  private var firstFree = Sleepers.none
  private var heap = SleepHeap()
  /// Number of alarms in the heap whose sleepers are removed.
  private var lost = 0
  private(set) var lastSequence: UInt64 = 0

  /// Puts an alarm back that was taken out.
  mutating func putBack(_ alarm: Alarm) { heap.push(alarm) }

  /// Whether there are alarms whose sleepers are removed.
  var hasLost: Bool { lost > 0 }

  // MARK: Going to sleep

  mutating func reserve() -> SleeperID {
    lastSequence += 1
    let slot = takePlace()
    places[Int(slot)] = SleeperSlot(sleeper: .reserved(cancelled: false), sequence: lastSequence)
    return SleeperID(slot: slot, sequence: lastSequence)
  }

  /// Puts a sleeper into a reserved slot. Returns false if it was cancelled before; the slot is
  /// free then.
  mutating func park(_ sleeper: Sleeper, in place: SleeperID, at instant: Int64) -> Bool {
    if case .reserved(cancelled: true) = places[Int(place.slot)].sleeper {
      release(place.slot)
      return false
    }
    places[Int(place.slot)].sleeper = sleeper
    heap.push(Alarm(at: instant, sequence: place.sequence, slot: place.slot))
    return true
  }

  @discardableResult
  mutating func add(_ sleeper: Sleeper, at instant: Int64) -> SleeperID {
    lastSequence += 1
    let slot = takePlace()
    places[Int(slot)] = SleeperSlot(sleeper: sleeper, sequence: lastSequence)
    heap.push(Alarm(at: instant, sequence: lastSequence, slot: slot))
    return SleeperID(slot: slot, sequence: lastSequence)
  }

  /// Removes a sleeper before its instant. Returns nil if it is removed already, or has not begun
  /// to sleep; in the second case it never begins.
  mutating func cancel(_ id: SleeperID) -> Sleeper? {
    let index = Int(id.slot)
    guard places[index].sequence == id.sequence else { return nil }
    if case .reserved = places[index].sleeper {
      places[index].sleeper = .reserved(cancelled: true)
      return nil
    }
    let sleeper = places[index].sleeper
    release(id.slot)
    lost += 1
    sweepIfWorthwhile()
    return sleeper
  }

  // MARK: Waking

  /// Returns the earliest alarm that still has a sleeper.
  mutating func first() -> Alarm? {
    while let alarm = heap.first {
      if isAwaited(alarm) { return alarm }
      _ = heap.popFirst()
      lost -= 1
    }
    return nil
  }

  /// Removes the earliest alarm from the heap; its sleeper stays until `take`.
  mutating func popFirst() -> Alarm? {
    guard first() != nil else { return nil }
    return heap.popFirst()
  }

  /// Prefetches the memory of the sleeper that probably wakes next. With a million tasks that wake
  /// in an order unlike that of their creation, this halves the time of a wake-up.
  func fetchNext() {
    guard let alarm = heap.first, case .task(let task) = places[Int(alarm.slot)].sleeper else {
      return
    }
    task.fetch()
  }

  /// Removes the sleeper of an alarm that `popFirst` returned; nil if it was cancelled since.
  mutating func take(_ alarm: Alarm) -> Sleeper? {
    guard isAwaited(alarm) else {
      lost -= 1
      return nil
    }
    let sleeper = places[Int(alarm.slot)].sleeper
    release(alarm.slot)
    return sleeper
  }

  func isAwaited(_ alarm: Alarm) -> Bool {
    places[Int(alarm.slot)].sequence == alarm.sequence
  }

  func sleeper(of alarm: Alarm) -> Sleeper? {
    isAwaited(alarm) ? places[Int(alarm.slot)].sleeper : nil
  }

  /// Returns whether an alarm only wakes a task.
  func onlyWakes(_ alarm: Alarm) -> Bool {
    guard isAwaited(alarm) else { return false }
    switch places[Int(alarm.slot)].sleeper {
    case .task, .runtime: return true
    case .scheduled(let scheduled): return scheduled.onlyWakes
    case .free, .reserved, .outside: return false
    }
  }

  /// Returns the task that waits for an alarm, as a job; nil if no task does.
  func task(of alarm: Alarm) -> UnownedJob? {
    guard isAwaited(alarm) else { return nil }
    switch places[Int(alarm.slot)].sleeper {
    case .task(let task): return task.job
    case .runtime(let sleep): return sleep.sleepingJob
    case .free, .reserved, .outside, .scheduled: return nil
    }
  }

  /// Returns false if no alarm is due. Takes constant time.
  func mayBeDue(at instant: Int64) -> Bool { heap.earliest <= instant }

  /// A copy of the heap, to read the alarms in order.
  var alarms: SleepHeap { heap }

  /// Whether all that happens at an alarm is that a cancelled work item is taken from its queue.
  func isPointless(_ alarm: Alarm) -> Bool {
    guard case .scheduled(let scheduled)? = sleeper(of: alarm) else { return false }
    return scheduled.isPointless
  }

  // MARK: Places

  private mutating func takePlace() -> UInt32 {
    if case .free(let next)? = firstFree == Self.none ? nil : places[Int(firstFree)].sleeper {
      defer { firstFree = next }
      return firstFree
    }
    // Many stages are short, and each would copy its first few sleepers at every growth.
    if places.isEmpty { places.reserveCapacity(16) }
    places.append(SleeperSlot(sleeper: .free(next: Self.none), sequence: 0))
    return UInt32(places.count - 1)
  }

  private mutating func release(_ slot: UInt32) {
    places[Int(slot)] = SleeperSlot(sleeper: .free(next: firstFree), sequence: 0)
    firstFree = slot
  }

  private mutating func sweepIfWorthwhile() {
    guard lost > 64, lost > heap.count / 2 else { return }
    let before = heap.count
    let places = places
    heap.removeAll { places[Int($0.slot)].sequence != $0.sequence }
    lost -= before - heap.count
  }
}
