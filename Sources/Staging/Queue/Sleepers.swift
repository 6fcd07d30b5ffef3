import CVirtualTime

/// Somebody who waits for an instant. Every payload is one word, so that a sleeper is two.
enum Sleeper {
  /// A place without a sleeper; `next` is the next such place.
  case free(next: UInt32)
  /// A place for a sleep that is about to begin, or that was cancelled before it did.
  case reserved(cancelled: Bool)
  /// A task that sleeps on the stage's own clock.
  case task(SuspendedTask)
  /// A task in `Task.sleep`.
  case runtime(RuntimeSleep)
  /// A task from elsewhere that sleeps on the stage's own clock.
  case outside(OutsideSleep)
  /// A closure.
  case scheduled(Scheduled)
}

/// A task that waits to be resumed, once. (A plain word: the generic type that it stands for would have
/// the runtime look at its layout whenever it is moved.)
struct SuspendedTask {
  private let bits: UInt

  init(_ continuation: UnsafeContinuation<Void, any Error>) {
    bits = unsafeBitCast(continuation, to: UInt.self)
  }

  private var continuation: UnsafeContinuation<Void, any Error> {
    unsafeBitCast(bits, to: UnsafeContinuation<Void, any Error>.self)
  }

  /// The task behind the continuation, which is what the runtime keeps in its place.
  var job: UnownedJob { unsafeBitCast(bits, to: UnownedJob.self) }

  func wake() { continuation.resume() }

  /// Asks the processor for the memory that waking will touch: the task, and the stack behind it.
  func fetch() { cvt_prefetch(UnsafeRawPointer(bitPattern: bits), 1024) }

  func cancel() { continuation.resume(throwing: CancellationError()) }
}

/// A job made by `Task.sleep`, and the task that sleeps.
final class RuntimeSleep {
  let job: UnownedJob
  private let sleeping: UnsafeCurrentTask?

  /// Keeps the sleeping task alive; it is nil if its sleep cannot be cancelled.
  init(job: UnownedJob, sleeping: UnsafeCurrentTask?) {
    self.job = job
    self.sleeping = sleeping
  }

  /// Whether the sleep was cancelled, so that the job will wake nobody. Nothing else than its end or
  /// its cancellation wakes a task out of `Task.sleep`, so the sleep of a cancelled task is over.
  var isOver: Bool { sleeping?.isCancelled == true }

  /// The task that sleeps, as a job.
  var sleepingJob: UnownedJob? { sleeping.map { unsafeBitCast($0, to: UnownedJob.self) } }

  func cancel() { sleeping?.cancel() }
}

/// Where a sleeper is kept. Stays valid, and names nobody else, after the sleeper is gone.
struct SleeperID {
  let slot: UInt32
  let sequence: UInt64
}

/// Those who wait for an instant, and their alarms.
///
/// Cancelling empties the sleeper's place at once and leaves its alarm in the heap, where it counts
/// for nothing; when more than half of the alarms are such, they are swept out.
///
/// There is one on a stage, and no copies: who only reads would count references to do so.
struct Sleepers: ~Copyable {
  private struct SleeperSlot {
    var sleeper: Sleeper
    /// Whose place it is. An alarm with another number has lost its sleeper.
    var sequence: UInt64
  }

  private static let none = UInt32.max
  private var places: ContiguousArray<SleeperSlot> = []
  private var firstFree = Sleepers.none
  private var heap = SleepHeap()
  /// Alarms in the heap that have lost their sleeper.
  private var lost = 0
  private(set) var lastSequence: UInt64 = 0

  /// Lets an alarm wait again that was taken out.
  mutating func putBack(_ alarm: Alarm) { heap.push(alarm) }

  /// Whether there are alarms that have lost their sleeper.
  var hasLost: Bool { lost > 0 }

  // MARK: Going to sleep

  mutating func reserve() -> SleeperID {
    lastSequence += 1
    let slot = takePlace()
    places[Int(slot)] = SleeperSlot(sleeper: .reserved(cancelled: false), sequence: lastSequence)
    return SleeperID(slot: slot, sequence: lastSequence)
  }

  /// Sets the alarm of a reserved place. False when it was cancelled before; the place is free then.
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

  /// Takes out a sleeper before its time; nil when it is gone already, or has not begun to sleep, in
  /// which case it will not.
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

  /// The earliest alarm whose sleeper is still there.
  mutating func first() -> Alarm? {
    while let alarm = heap.first {
      if isAwaited(alarm) { return alarm }
      _ = heap.popFirst()
      lost -= 1
    }
    return nil
  }

  /// Takes the earliest alarm out of the heap; its sleeper stays until `take`.
  mutating func popFirst() -> Alarm? {
    guard first() != nil else { return nil }
    return heap.popFirst()
  }

  /// Asks the processor for the memory of whoever probably wakes next. Among a million tasks that wake in
  /// no order of their making this halves the time of a wake.
  func fetchNext() {
    guard let alarm = heap.first, case .task(let task) = places[Int(alarm.slot)].sleeper else {
      return
    }
    task.fetch()
  }

  /// Takes out the sleeper of an alarm that `popFirst` returned; nil when it was cancelled since.
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

  /// Whether waking whoever waits for an alarm is to wake a task and nothing else.
  func onlyWakes(_ alarm: Alarm) -> Bool {
    guard isAwaited(alarm) else { return false }
    switch places[Int(alarm.slot)].sleeper {
    case .task, .runtime: return true
    case .scheduled(let scheduled): return scheduled.onlyWakes
    case .free, .reserved, .outside: return false
    }
  }

  /// The task that waits for an alarm, as a job; nil where that is something else.
  func task(of alarm: Alarm) -> UnownedJob? {
    guard isAwaited(alarm) else { return nil }
    switch places[Int(alarm.slot)].sleeper {
    case .task(let task): return task.job
    case .runtime(let sleep): return sleep.sleepingJob
    case .free, .reserved, .outside, .scheduled: return nil
    }
  }

  /// False where nobody's instant has come; it costs next to nothing.
  func mayBeDue(at instant: Int64) -> Bool { heap.earliest <= instant }

  /// A copy of the heap, to look at alarms in order.
  var alarms: SleepHeap { heap }

  // MARK: Places

  private mutating func takePlace() -> UInt32 {
    if case .free(let next)? = firstFree == Self.none ? nil : places[Int(firstFree)].sleeper {
      defer { firstFree = next }
      return firstFree
    }
    // Many stages are short, and all of them would move their first few sleepers again and again.
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
