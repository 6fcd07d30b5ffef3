/// Runs the loads and processes of one slot: carries out the machine's effects, and owns the tasks.
///
/// A driver belongs to the actor that creates and calls it, the main actor or another one; it is
/// not `Sendable`. Blocks, `onInterrupt` and the observer also run on that actor. Without an actor,
/// all calls must come from one thread, as on a stage.
///
/// A task that runs a block keeps its driver alive until the block ends.
public final class LoadDriver<State: LifecycleState> {
  @usableFromInline
  var machine: LoadMachine<State>
  @usableFromInline
  let clock: any Clock<Duration>
  /// The storage of the state, if it is outside of the driver.
  @usableFromInline
  let home: StateHome<State>?
  @usableFromInline
  let slot: LoadSlot?

  @usableFromInline
  var running = AttemptTable<Running>()
  /// The blocks of attempts that wait to start, as closures.
  @usableFromInline
  var parked: [(attempt: Attempt, launch: () -> Void)] = []
  @usableFromInline
  var waiters: [Attempt: [AttemptWaiter]] = [:]
  @usableFromInline
  var isCarryingOut = false
  @usableFromInline
  var backlog: [LoadMachine<State>.Effect] = []

  /// The tasks of an attempt whose block runs.
  @usableFromInline
  struct Running {
    @usableFromInline
    let task: Task<Void, Never>
    @usableFromInline
    let timer: Task<Void, Never>?

    @inlinable
    init(task: Task<Void, Never>, timer: Task<Void, Never>?) {
      self.task = task
      self.timer = timer
    }
  }

  /// Makes a driver. `clock` measures interrupts. Drivers with the same `slot` share one stored
  /// task, under policies with a stored task; other policies ignore the slot.
  @inlinable
  public convenience init(
    _ initial: State = .resting,
    policy: LoadingPolicy = .latest,
    clock: any Clock<Duration> = ContinuousClock(),
    slot: LoadSlot? = nil
  ) {
    self.init(initial, home: nil, policy: policy, clock: clock, slot: slot)
  }

  /// Makes a driver whose state is always `state`: attempts run and are observed, but no write
  /// changes the state.
  @inlinable
  public static func constant(
    _ state: State,
    policy: LoadingPolicy = .latest,
    clock: any Clock<Duration> = ContinuousClock(),
    slot: LoadSlot? = nil
  ) -> LoadDriver {
    LoadDriver(state, home: nil, policy: policy, clock: clock, slot: slot, isConstant: true)
  }

  /// Makes a driver whose state is stored outside of it, for example in an observable property.
  ///
  /// The driver notices a direct write to the property when an attempt yields or ends, or earlier.
  ///
  /// - Parameters:
  ///   - policy: the behaviour where loads have a choice.
  ///   - clock: measures interrupts.
  ///   - slot: the place of the stored task, if drivers share it; see `LoadSlot`.
  ///   - read: reads the property; nil after its owner is released. It must not retain the driver's
  ///     owner.
  ///   - write: writes the property, at each write of the state, also of an equal one.
  public convenience init(
    policy: LoadingPolicy = .latest,
    clock: any Clock<Duration> = ContinuousClock(),
    slot: LoadSlot? = nil,
    reading read: @escaping () -> State?,
    writing write: @escaping (State) -> Void
  ) {
    let home = StateHome(read: read, write: write)
    self.init(read() ?? .resting, home: home, policy: policy, clock: clock, slot: slot)
  }

  @inlinable
  init(
    _ initial: State,
    home: StateHome<State>?,
    policy: LoadingPolicy,
    clock: any Clock<Duration>,
    slot: LoadSlot?,
    isConstant: Bool = false
  ) {
    machine = LoadMachine(initial, policy: policy, isConstant: isConstant)
    self.home = home
    self.clock = clock
    self.slot = slot
  }

  /// The current state. If it is stored outside of the driver, reading it also notices direct
  /// writes.
  @inlinable
  public var state: State {
    refresh()
    return machine.state
  }

  /// The state, and the newest attempt in flight that is neither replaced nor cancelled.
  @inlinable
  public var snapshot: Snapshot<State> {
    refresh()
    return machine.snapshot
  }

  /// The policy for future events; attempts in flight continue.
  @inlinable
  public var policy: LoadingPolicy {
    get { machine.policy }
    set { machine.policy = newValue }
  }

  /// The last loaded value, which survives reloads and errors if the policy says so.
  @inlinable
  public var kept: State.Output? {
    refresh()
    return machine.kept
  }

  /// The attempts whose blocks have not ended, including cancelled and replaced ones, oldest first.
  @inlinable
  public var liveAttempts: [Attempt] { machine.liveAttempts }

  /// The number of attempts so far.
  @inlinable
  public var attemptCount: Int { machine.attemptCount }

  /// Called for every event, at once and on the driver's isolation. It may call the driver; effects
  /// of such calls follow after all observations of the present event.
  public var observer: ((LoadObservation<State>) -> Void)? {
    didSet { machine.isObserved = observer != nil }
  }

  /// Cancels the attempts in flight that the policy reaches; the policy determines the state after
  /// that.
  @inlinable
  public func cancel() {
    send(.cancel)
  }

  /// Cancels the attempts in flight that the policy reaches, and returns to the resting state.
  @inlinable
  public func reset() {
    send(.reset)
  }

  /// Writes the state directly. The policy determines the effect on attempts in flight.
  @inlinable
  public func set(_ state: State) {
    send(.set(state))
  }

  // MARK: Carrying out

  @inlinable
  func send(_ event: LoadMachine<State>.Event) {
    refresh()
    carryOut(machine.handle(event))
  }

  /// Adopts a state that was written directly, unless the driver itself is writing.
  @inlinable
  func refresh() {
    guard let home, !isCarryingOut, let state = home.read() else { return }
    let isNews = machine.cancelsOnWrite && home.isNews(state)
    home.known = state
    if isNews {
      carryOut(machine.handle(.found(state)))
    } else {
      machine.adopt(state)
    }
  }

  /// Carries out effects in order. Effects that an observer or a property's `didSet` causes
  /// meanwhile come after them.
  @inlinable
  func carryOut(_ effects: [LoadMachine<State>.Effect]) {
    if isCarryingOut {
      backlog += effects
      return
    }
    isCarryingOut = true
    var next = effects
    repeat {
      for effect in next {
        switch effect {
        case .begin(let attempt): unpark(attempt)?()
        case .discard(let attempt): _ = unpark(attempt)
        case .enqueue, .join, .refuse: break  // For the start that caused it; see `Placement`.
        case .cancel(let attempt): stopTasks(of: attempt)
        case .write(let state): home?.put(state)
        case .observe(let observation): observer?(observation)
        case .release(let attempt): release(attempt)
        case .clearSlot(let cancelling): slot?.clear(by: self, cancelling: cancelling)
        }
      }
      next = backlog
      backlog = []
    } while !next.isEmpty
    isCarryingOut = false
  }

  @inlinable
  func unpark(_ attempt: Attempt) -> (() -> Void)? {
    guard let index = parked.firstIndex(where: { $0.attempt == attempt }) else { return nil }
    return parked.remove(at: index).launch
  }

  @inlinable
  func stopTasks(of attempt: Attempt) {
    guard let tasks = running[attempt] else { return }
    tasks.timer?.cancel()
    tasks.task.cancel()
  }

  @inlinable
  func release(_ attempt: Attempt) {
    for waiter in waiters.removeValue(forKey: attempt) ?? [] { waiter.resume(.over) }
  }
}

extension LoadDriver: LoadSlotHolder {
  @inlinable
  func displace(cancelling: Bool) {
    send(.displace(cancelling: cancelling))
  }
}
