/// The protocol of the schedulers that decide the next step of a stage, if several are possible. Used on the thread
/// that drives the stage.
package protocol JobScheduler: AnyObject {
  /// Returns the index of the next step, of at least two.
  func choose(_ turn: Turn) -> Int

  /// Returns the index of one of several values that code on the stage leaves open.
  func choose(among count: Int) -> Int

  /// Chooses a duration that begins `start` after the present instant.
  ///
  /// - Parameters:
  ///   - range: the shortest and the longest duration.
  ///   - drawn: the default; nil for the shortest.
  ///   - start: the beginning of the duration, counted from the present instant.
  ///   - stage: the stage of the calling code.
  /// - Returns: a duration in the range, or the default.
  func choose(
    _ range: ClosedRange<Duration>,
    drawn: Duration?,
    from start: Duration,
    on stage: Stage
  ) -> Duration

  /// Called before a choice that does not offer all values: some lie between two steps of a range,
  /// or beyond its ends.
  func willLeaveValuesOut()

  /// Called when code on the stage draws a random number. Its sequence is the same in each run.
  func hasDrawnRandomNumber()

  /// Registers values that code on the stage leaves open. At the end of the run `values` returns them as text, and
  /// whether the run asked for each.
  func addOpenValues(_ values: @escaping () -> [(text: String, isAsked: Bool)])

  /// Whether the run keeps texts for a report, so that `noteEffect` and `noteValue` are to be called.
  var keepsTexts: Bool { get }

  /// Notes what the current step does, for a report.
  func noteEffect(_ effect: StepEffect)

  /// Notes the value that code of the run got by the latest choice of a value, for a report.
  func noteValue(_ value: ChosenValue)

  /// Whether `willDo` is to be called for every step, including steps without an alternative; also `hasDone`, if the
  /// scheduler uses effects or keeps texts. Read once.
  var wantsSteps: Bool { get }

  /// Whether `hasDone` needs the effect of a step. Read once.
  var usesEffects: Bool { get }

  /// Called when the running task suspends itself for others: by `Task.yield()`, or by a sleep that
  /// ends at this instant.
  func hasYielded(task: UInt64)

  /// Called before each step.
  func willDo(_ choice: Int, _ turn: Turn)

  /// Called after each step with its effect, if the scheduler uses effects; with `ran` if it only keeps texts. `wasChosen`:
  /// several steps were possible.
  func hasDone(_ step: Step, wasChosen: Bool)

  /// Called when code depends on earlier steps that resumed tasks, if those tasks have not run
  /// since. Such steps are not independent.
  ///
  /// - Parameter onlyClaimed: whether only steps that `claimMove` declared independent are meant.
  func movesMatter(onlyClaimed: Bool)
}

extension JobScheduler {
  package func hasYielded(task: UInt64) {}
  package func movesMatter(onlyClaimed: Bool) {}
  package func willLeaveValuesOut() {}
  package func hasDrawnRandomNumber() {}
  package var usesEffects: Bool { true }
  package var keepsTexts: Bool { false }
  package func noteEffect(_ effect: StepEffect) {}
  package func noteValue(_ value: ChosenValue) {}
  package func addOpenValues(_ values: @escaping () -> [(text: String, isAsked: Bool)]) {}

  package func choose(among count: Int) -> Int { 0 }

  package func choose(
    _ range: ClosedRange<Duration>,
    drawn: Duration?,
    from start: Duration,
    on stage: Stage
  ) -> Duration { drawn ?? range.lowerBound }
}

/// The possible steps of a stage: run a ready job, run a message of an actor before its first one,
/// or wake a due sleeper. Steps are numbered in this order; sleepers that have waited too long come
/// first. Valid only during the scheduler's call.
package struct Turn {
  // Unmanaged, because a scheduler looks at every possible step, and reference counting would take
  // half of the time.
  private let executor: Unmanaged<StageExecutor>
  /// Whether only the ready jobs at the indices in `startable` may run.
  private let hasUnstartable: Bool
  private let readyJobs: Int
  private let messages: Int
  /// Number of sleepers that come before and after the jobs. One of them is 0.
  private let sleepersFirst: Int
  private let sleepersLast: Int
  /// Number of possible steps.
  package let count: Int

  /// Inlined, because it is called before each step, and would count a reference to the executor.
  @inline(__always)
  init(executor: StageExecutor) {
    self.executor = .passUnretained(executor)
    hasUnstartable = executor.startable != nil
    readyJobs = hasUnstartable ? executor.startable?.count ?? 0 : executor.ready.count
    messages = executor.hops.alternativeCount
    let sleepers = executor.due.count
    sleepersFirst = executor.haveSleepersWaited ? sleepers : 0
    sleepersLast = sleepers - sleepersFirst
    count = readyJobs + messages + sleepers
  }

  /// The place of the job or the sleeper of a step in the stage.
  enum Place {
    /// An index of `ready`.
    case ready(Int)
    /// An index of `alternatives`.
    case message(Int)
    /// An index of `due`.
    case sleeper(Int)
  }

  func place(_ index: Int) -> Place {
    let job = index - sleepersFirst
    if job < 0 { return .sleeper(index) }
    if job < readyJobs { return .ready(hasUnstartable ? startable(job) : job) }
    let message = job - readyJobs
    return message < messages ? .message(message) : .sleeper(message - messages)
  }

  private func startable(_ job: Int) -> Int {
    executor._withUnsafeGuaranteedRef { $0.startable?[job] ?? job }
  }

  /// Returns the ready job that a step runs, or whose message it runs; nil for sleepers.
  private func readyJob(_ index: Int) -> ReadyJob? {
    executor._withUnsafeGuaranteedRef { stage in
      switch place(index) {
      case .ready(let place): stage.ready[place]
      case .message(let number): stage.ready[stage.hops.alternatives[number].place]
      case .sleeper: nil
      }
    }
  }

  /// Returns the name of the type of the actor whose code a step runs; nil if it runs code of the main actor or of none.
  func actorName(_ index: Int) -> String? { readyJob(index).flatMap { Mailbox(of: $0)?.typeName } }

  private func alarm(_ index: Int) -> Alarm? {
    guard case .sleeper(let number) = place(index) else { return nil }
    return executor._withUnsafeGuaranteedRef { $0.due[number] }
  }

  /// Returns whether a step wakes a due sleeper.
  package func isSleeper(_ index: Int) -> Bool {
    if case .sleeper = place(index) { true } else { false }
  }

  /// Returns the sleeper that a step wakes; nil for other steps.
  func sleeper(_ index: Int) -> Sleeper? {
    alarm(index).flatMap { alarm in
      executor._withUnsafeGuaranteedRef { $0.sleepers.sleeper(of: alarm) }
    }
  }

  /// Returns the job of a step; for an actor, its message; nil for blocks and sleepers.
  private func job(_ index: Int) -> UnownedJob? {
    executor._withUnsafeGuaranteedRef { stage in
      switch place(index) {
      case .ready(let place):
        let ready = stage.ready[place]
        return ready.isBlock ? nil : stage.next(of: ready)
      case .message(let number):
        return stage.hops.alternatives[number].message
      case .sleeper:
        return nil
      }
    }
  }

  /// Returns whether a step only wakes a task.
  func isWaking(_ index: Int) -> Bool {
    executor._withUnsafeGuaranteedRef { stage in
      switch place(index) {
      case .ready(let place): stage.ready[place].isContinuation
      case .message: false
      case .sleeper(let number): stage.sleepers.onlyWakes(stage.due[number])
      }
    }
  }

  /// Returns whether a step runs main-actor code.
  func isOnMain(_ index: Int) -> Bool {
    executor._withUnsafeGuaranteedRef { stage in
      switch place(index) {
      case .ready(let place): stage.ready[place].onMain
      case .message: false
      case .sleeper(let number): !stage.sleepers.onlyWakes(stage.due[number])
      }
    }
  }

  /// What kind of code a step runs.
  package enum Code {
    /// Code that only wakes a sleeping task.
    case waking
    case nonisolated
    /// Code of an actor or a queue, including the main actor.
    case isolated
  }

  /// Returns what kind of code a step runs.
  package func code(_ index: Int) -> Code {
    executor._withUnsafeGuaranteedRef { stage in
      switch place(index) {
      case .ready(let place):
        let ready = stage.ready[place]
        return ready.onMain || ready.isActor || ready.isBlock ? .isolated : .nonisolated
      case .message: return .isolated
      case .sleeper(let number):
        return stage.sleepers.onlyWakes(stage.due[number]) ? .waking : .isolated
      }
    }
  }

  /// Returns a number of the actor or the queue whose code a step runs; nil if it runs code of none.
  package func executor(_ index: Int) -> UInt64? {
    executor._withUnsafeGuaranteedRef { stage in
      switch place(index) {
      case .ready(let place): Self.executor(of: stage.ready[place])
      case .message(let number):
        Self.executor(of: stage.ready[stage.hops.alternatives[number].place])
      case .sleeper(let number):
        stage.sleepers.onlyWakes(stage.due[number]) ? nil : Self.mainExecutor
      }
    }
  }

  private static func executor(of ready: ReadyJob) -> UInt64? {
    if ready.onMain { return mainExecutor }
    if let block = ready.block { return block.line | 1 << 63 }
    return Mailbox(of: ready).map { UInt64(UInt(bitPattern: $0.object.toOpaque())) }
  }

  private static var mainExecutor: UInt64 { 1 }

  /// What a step belongs to.
  package struct Owner {
    /// The number of the task that it resumes or continues after a yield, or else of its queue; nil if there is none.
    package let line: UInt64?
    /// As `Turn.executor`.
    package let executor: UInt64?
  }

  /// Returns what a step belongs to. Strategies ask this for each step.
  package func owner(_ index: Int) -> Owner {
    executor._withUnsafeGuaranteedRef { stage in
      switch place(index) {
      case .ready(let place):
        let ready = stage.ready[place]
        if !ready.isActor, !ready.isBlock, let task = Self.number(of: ready.job) {
          return Owner(line: task, executor: ready.onMain ? Self.mainExecutor : nil)
        }
      case .sleeper(let number):
        if let job = stage.sleepers.task(of: stage.due[number]), let task = Self.number(of: job) {
          return Owner(line: task, executor: nil)
        }
      case .message: break
      }
      return Owner(
        line: task(index) ?? yieldedTask(index) ?? queue(index),
        executor: executor(index)
      )
    }
  }

  /// Returns the runtime's number of the task that a step resumes; nil for closures and other jobs
  /// without a task. Comparable only within one run, because it depends on the other tasks of the
  /// process.
  package func task(_ index: Int) -> UInt64? {
    executor._withUnsafeGuaranteedRef { stage in
      switch place(index) {
      case .ready(let place): return stage.task(of: stage.ready[place])
      case .message(let number): return Self.number(of: stage.hops.alternatives[number].message)
      case .sleeper(let number):
        return stage.sleepers.task(of: stage.due[number]).flatMap(Self.number)
      }
    }
  }

  fileprivate static func number(of job: UnownedJob) -> UInt64? {
    Runtime.isTask(job) ? Runtime.taskNumber(of: job) : nil
  }

  /// Returns the number of the task that a step resumes, or whose code made the closure that it runs; nil if there is
  /// none. Tasks of closures are known only if the scheduler keeps texts.
  package func taskOrCreator(_ index: Int) -> UInt64? {
    if let task = task(index) { return task }
    guard case .scheduled(let scheduled)? = sleeper(index) else { return nil }
    return scheduled.creator
  }

  /// Returns a number of the serial Dispatch queue whose block a step runs; of the block if the queue is concurrent; nil
  /// for other steps. It is no number of a task.
  package func queue(_ index: Int) -> UInt64? { block(index).map { $0.line | 1 << 63 } }

  /// Returns the Dispatch block that a step runs; nil for other steps.
  func block(_ index: Int) -> QueuedBlock? { readyJob(index)?.block }

  /// Returns the job that a step runs or wakes, but no block; nil for closures.
  func taskJob(_ index: Int) -> UnownedJob? {
    if let alarm = alarm(index) {
      return executor._withUnsafeGuaranteedRef { $0.sleepers.task(of: alarm) }
    }
    return job(index)
  }

  /// Returns the registered task with a number of the runtime; nil if there is none.
  func task(numbered number: UInt64) -> UnownedJob? {
    executor._withUnsafeGuaranteedRef { $0.tasks?.task(numbered: number) }
  }

  /// Returns the number of a registered task; nil for others.
  func number(of task: UnownedJob) -> Int? {
    executor._withUnsafeGuaranteedRef { $0.tasks?.number(of: task) }
  }

  /// Returns the functions that created a task, the innermost first; empty if unknown.
  func creators(of task: UnownedJob) -> [SourceFrame] {
    executor._withUnsafeGuaranteedRef { $0.tasks?.creators(of: task) ?? [] }
  }

  /// Returns the task that a step resumes after a `Task.yield()`; nil for all other steps.
  package func yieldedTask(_ index: Int) -> UInt64? {
    executor._withUnsafeGuaranteedRef {
      // A task may have the address that a continuation had before.
      if $0.yields.isEmpty || !isSleeper(index) && !isWaking(index) { return nil }
      return $0.yields[id(index)]
    }
  }

  /// Returns a number that identifies a step as long as it is possible. No other possible step has
  /// the same number.
  package func id(_ index: Int) -> UInt64 {
    if let alarm = alarm(index) { return alarm.id }
    if let job = job(index) { return UInt64(job.address) }
    return readyJob(index)?.id ?? 0  // A block.
  }

  /// Returns the index of the step that takes the place of another one when that is done: the first one of its queue, as
  /// in `Ring.remove(at:)`. It is the same one if the queue is unknown.
  @inline(__always)
  package func firstOfQueue(of index: Int) -> Int {
    let job = index - sleepersFirst
    if job < 0 { return 0 }
    if job < readyJobs { return hasUnstartable ? index : sleepersFirst }
    return job < readyJobs + messages ? index : sleepersFirst + readyJobs + messages
  }

  /// Writes the numbers of all steps, as `id` returns them, in order.
  package func writeIDs(to ids: UnsafeMutablePointer<UInt64>) {
    executor._withUnsafeGuaranteedRef { stage in
      if sleepersFirst > 0 { stage.due.write(to: ids) { $0.id } }
      var next = ids + sleepersFirst
      func id(of ready: ReadyJob) -> UInt64 {
        ready.isActor ? UInt64(stage.next(of: ready).address) : ready.id
      }
      if hasUnstartable {
        for job in 0..<readyJobs { next[job] = id(of: stage.ready[startable(job)]) }
      } else {
        stage.ready.write(to: next, id)
      }
      next += readyJobs
      for number in 0..<messages {
        next[number] = UInt64(stage.hops.alternatives[number].message.address)
      }
      if sleepersLast > 0 { stage.due.write(to: next + messages) { $0.id } }
    }
  }

  /// The time of the stage, in nanoseconds.
  package var nanoseconds: Int64 { executor._withUnsafeGuaranteedRef { $0.nanoseconds } }

  /// Returns whether the task of a ready job is cancelled.
  package func isCancelled(_ index: Int) -> Bool {
    job(index).map { Runtime.isTask($0) && Runtime.isCancelled($0) } ?? false
  }
}

extension StageExecutor {
  /// Returns the runtime's number of the task that a ready job resumes; nil if it resumes none.
  func task(of ready: ReadyJob) -> UInt64? {
    ready.isBlock ? nil : Turn.number(of: ready.isActor ? next(of: ready) : ready.job)
  }

  /// Returns the job that a ready job runs first in the default schedule; for an actor, its message.
  fileprivate func next(of ready: ReadyJob) -> UnownedJob {
    guard hopsAreApart, let mailbox = Mailbox(of: ready) else { return ready.job }
    return Hops.first(of: mailbox) ?? ready.job
  }
}

/// How a step made a task ready.
package enum Move {
  /// No code of the task ran.
  case waking
  /// Code of the task ran.
  case running
  /// The job was declared independent by `claimMove`: until the task resumes, no other code depends
  /// on the job.
  case claim
}

/// The effect of one step.
package enum Step {
  /// The step only made a task ready, after a sleep or a hop between executors. Nothing else
  /// changed, as far as the stage knows.
  case moved(task: UInt64, by: Move)
  /// The step ran code of a task on the main actor. If the task `continues`, it went to sleep or to another executor; if
  /// not, it waits or has ended. Nothing else changed, as far as the stage knows; but the code may have changed state that it
  /// shares with others.
  case quiet(task: UInt64, continues: Bool)
  /// The step had other effects.
  case ran
}
