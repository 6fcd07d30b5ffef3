/// Runs loads and processes for one slot: carries out what the machine decides, and owns the tasks.
///
/// A driver belongs to the actor, main or other, that creates and calls it; it is not `Sendable`.
/// Blocks, `onInterrupt` and the observer run on that actor too. Without an actor, everything must
/// happen on one thread, as it does on a stage.
///
/// A task that runs a block keeps its driver alive until the block ends.
public final class LoadDriver<State: LifecycleState> {
  @usableFromInline
  var machine: LoadMachine<State>
  @usableFromInline
  let clock: any Clock<Duration>
  /// Where the state lives, if not here.
  @usableFromInline
  let home: StateHome<State>?
  @usableFromInline
  let slot: LoadSlot?

  @usableFromInline
  var running = AttemptTable<Running>()
  /// The blocks of attempts that wait for their turn, as closures that start them.
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

  /// Interrupts are due by `clock`. Drivers with the same `slot` share the place of their stored
  /// task, under policies that have one; other policies ignore it.
  @inlinable
  public convenience init(
    _ initial: State = .resting,
    policy: LoadingPolicy = .latest,
    clock: any Clock<Duration> = ContinuousClock(),
    slot: LoadSlot? = nil
  ) {
    self.init(initial, home: nil, policy: policy, clock: clock, slot: slot)
  }

  /// A driver whose state is always `state`: attempts run and are observed, and every write, theirs
  /// or by hand, is ignored.
  @inlinable
  public static func constant(
    _ state: State,
    policy: LoadingPolicy = .latest,
    clock: any Clock<Duration> = ContinuousClock(),
    slot: LoadSlot? = nil
  ) -> LoadDriver {
    LoadDriver(state, home: nil, policy: policy, clock: clock, slot: slot, isConstant: true)
  }

  /// A driver whose state is somebody else's property, such as an observable one.
  ///
  /// What is written there past the driver is noticed at the latest when an attempt yields or ends.
  ///
  /// - Parameters:
  ///   - policy: how it behaves where there is a choice.
  ///   - clock: by which interrupts are due.
  ///   - slot: where it shares the place of its stored task; see `LoadSlot`.
  ///   - read: the property; nil once its owner is gone. It must not retain the driver's owner.
  ///   - write: writes the property, each time that the state is written, also with an equal one.
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

  /// The state as it is now. Where it lives in somebody else's property it is read from there, and
  /// what was written there by hand is noticed.
  @inlinable
  public var state: State {
    refresh()
    return machine.state
  }

  /// The state, and the newest attempt that is in flight and neither replaced nor cancelled.
  @inlinable
  public var snapshot: Snapshot<State> {
    refresh()
    return machine.snapshot
  }

  /// Applies to what comes next; attempts in flight go on.
  @inlinable
  public var policy: LoadingPolicy {
    get { machine.policy }
    set { machine.policy = newValue }
  }

  /// The last loaded value, which a reload or an error does not take away, as far as the policy
  /// keeps it.
  @inlinable
  public var kept: State.Output? {
    refresh()
    return machine.kept
  }

  /// The attempts whose blocks have not ended, also cancelled and replaced ones, oldest first.
  @inlinable
  public var liveAttempts: [Attempt] { machine.liveAttempts }

  /// How many attempts there have been.
  @inlinable
  public var attemptCount: Int { machine.attemptCount }

  /// Called for everything that happens, at once and on the driver's isolation. It may call the
  /// driver; what it causes follows when all observations of the present event are made.
  public var observer: ((LoadObservation<State>) -> Void)? {
    didSet { machine.isObserved = observer != nil }
  }

  /// Cancels what is in flight, as far as the policy reaches it; the policy says where that lands.
  @inlinable
  public func cancel() {
    send(.cancel)
  }

  /// Cancels what is in flight, as far as the policy reaches it, and returns to the resting state.
  @inlinable
  public func reset() {
    send(.reset)
  }

  /// Writes the state by hand. The policy says what that does to what is in flight.
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

  /// Takes note of a state that was written past the driver, unless the driver is writing itself.
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

  /// Carries the effects out in order. What they cause in turn, by an observer or a property's
  /// `didSet`, comes after them.
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
        case .claimSlot: slot?.claim(for: self)
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
