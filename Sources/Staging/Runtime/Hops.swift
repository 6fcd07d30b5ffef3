import CVirtualTime

/// The state of hops on a stage: moves of tasks from one executor to another.
///
/// By default, a task continues on an idle actor at once, without a job. On a stage that chooses
/// the next step, each hop is a job: the runtime continues at once only on a thread that may switch
/// executors, and the jobs of such a stage run on threads that may not. An actor runs one message
/// at a time.
struct Hops {
  /// A message that may run instead of the first one of its actor.
  struct Alternative {
    /// The index of the actor's job among the ready jobs.
    let place: Int
    let message: UnownedJob
  }

  /// Tasks that hopped to an actor from nonisolated code, or woke there, and wait in its mailbox.
  /// Such an arrival may be delayed, so later messages may run first. If a task hops away from an
  /// actor, it occupies the actor until it arrives at the other executor. The tasks that it resumes
  /// arrive at that moment.
  private var arrivals: [UInt] = []
  /// The job that continues the previous one: in the default schedule, its task would continue at
  /// once.
  private(set) var continuation: ReadyJob?
  /// Whether the chain of continuations began with an actor's job. The actor's next message follows
  /// such a chain.
  private(set) var beganOnActor = false
  /// Whether the previous job put its task into a mailbox that already had messages.
  private(set) var hasJoinedMailbox = false
  /// Whether the previous job put its task into a mailbox.
  private(set) var hasEnteredMailbox = false
  private(set) var alternatives: [Alternative] = []
  /// The number of `alternatives`. It is read before each step, and reading the array would count references.
  private(set) var alternativeCount = 0
  /// Whether the stage has run the job of an actor. If not, there are no mailboxes.
  var hasMetActors = false

  /// Resets the state before a job runs.
  mutating func begin(_ job: ReadyJob, isFirst: Bool, isOnActor: Bool) {
    if !isFirst || continuation != job { beganOnActor = isOnActor }
    end()
  }

  /// Clears the state that the previous job left.
  mutating func end() {
    continuation = nil
    hasJoinedMailbox = false
    hasEnteredMailbox = false
  }

  mutating func forget(_ message: UnownedJob) { arrivals.removeAll { $0 == message.address } }

  mutating func arrive(_ task: UInt) { arrivals.append(task) }

  mutating func enterMailbox(joining: Bool) {
    hasEnteredMailbox = true
    hasJoinedMailbox = joining
  }

  mutating func `continue`(by job: ReadyJob) { continuation = job }

  /// Returns the message that runs first in the default schedule: the oldest of those with the
  /// highest priority.
  static func first(of mailbox: Mailbox) -> UnownedJob? {
    if let only = mailbox.only { return only }
    return mailbox.messages.min { rank($0) < rank($1) }
  }

  /// Finds the messages that may come before the first one of their actor.
  mutating func findAlternatives(_ ready: borrowing Ring<ReadyJob>) {
    guard hasMetActors else { return }
    alternatives.removeAll(keepingCapacity: true)
    defer { alternativeCount = alternatives.count }
    for place in 0..<ready.count {
      guard let mailbox = Mailbox(of: ready[place]), mailbox.only == nil else { continue }
      // In the order in which the actor would run them: if a message may be delayed, the next one
      // may run first.
      let messages = mailbox.messages.enumerated()
        .map { (rank: Self.rank($1), place: $0, message: $1) }
        .sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }
      for (earlier, later) in zip(messages, messages.dropFirst()) {
        guard arrivals.contains(earlier.message.address) else { break }
        alternatives.append(Alternative(place: place, message: later.message))
      }
    }
  }

  /// Returns the rank of a message's priority; lower ranks run first. As `getPriorityBucketIndex`
  /// in the runtime.
  private static func rank(_ message: UnownedJob) -> Int {
    switch Runtime.priority(of: message) {
    case 0x1A...: 0
    case 0x16...: 1
    case 0x12...: 2
    case 0x0A...: 3
    default: 4
    }
  }
}

extension StageExecutor {
  /// Finds the alternative messages. Call it before each choice.
  func findAlternatives() {
    if hopsAreApart { hops.findAlternatives(ready) }
  }

  /// Runs a ready job, or one message of an actor, so that every hop is a job.
  ///
  /// - Parameters:
  ///   - place: the index of the job.
  ///   - alternative: a message that comes before the first one of the actor; nil for the first one.
  func runApart(_ place: Int, message alternative: UnownedJob? = nil) {
    let isFirst = place == 0 && alternative == nil
    let job = ready.remove(at: place)
    if let mailbox = Mailbox(of: job),
      let message = alternative ?? Hops.first(of: mailbox),
      !mailbox.isEnded(by: message)
    {
      hops.begin(job, isFirst: isFirst, isOnActor: true)
      return passOn(message, of: mailbox, job) ? () : run(message, of: mailbox, by: job)
    }
    hops.begin(job, isFirst: isFirst, isOnActor: false)
    if job.isBlock { return wakeApart { run(job) } }
    let count = ready.count
    let switches = switches
    if job.onMain || !Runtime.isTask(job.job) {
      let task = job.job.address
      if job.isContinuation { wakeApart { run(job) } } else { run(job) }
      if job.onMain, switches == self.switches {
        followHop(of: task, since: count, mayContinue: false)
      }
      tasks?.finish(task)
    } else {
      if trace != nil { trace?.note(job, at: nanoseconds) }
      let task = job.job.address
      let locks = cvt_locks_of_thread()
      beginJob()
      job.job.runSynchronously(
        isolatedTo: Runtime.genericExecutor,
        taskExecutor: defaultExecutor
      )
      noteLock(since: locks, of: task)
      if switches == self.switches {
        followHop(of: task, since: count, mayContinue: true, isOnActor: false)
      }
      tasks?.finish(task)
    }
  }

  /// Runs a message, and releases its actor if no message is left.
  private func run(_ message: UnownedJob, of mailbox: Mailbox, by job: ReadyJob) {
    if trace != nil { trace?.note(job, at: nanoseconds) }
    // A message does not retain its actor, and the actor must outlive the message's job.
    let actor = mailbox.object.retain()
    defer { actor.release() }
    // A task may be created directly on its actor. Then the stage meets it here for the first time.
    if !registry.isOlder(Runtime.taskNumber(of: message)) { remember(message) }
    mailbox.take(message)
    hops.forget(message)
    let count = ready.count
    let task = message.address
    let isTask = Runtime.isTask(message)
    let switches = switches
    cvt_begin_job()
    if isTask { tasks?.history.noteEntry(of: message, into: mailbox) }
    let locks = cvt_locks_of_thread()
    message.runSynchronously(on: mailbox.executor)
    if isTask { noteLock(since: locks, of: task) }
    // A job without a task is freed by now, and its address may be in use again.
    if isTask, switches == self.switches {
      followHop(of: task, since: count, mayContinue: true, isOnActor: true)
    }
    if mailbox.isEmpty {
      job.job.runSynchronously(on: Runtime.genericExecutor)
    } else if hops.beganOnActor, hops.continuation == nil {
      ready.prepend(job)
    } else {
      ready.append(job)
    }
    tasks?.finish(task)
  }

  /// Gives an actor to another stage if its next message belongs to that stage.
  ///
  /// - Returns: whether the actor was given to another stage.
  private func passOn(_ message: UnownedJob, of mailbox: Mailbox, _ job: ReadyJob) -> Bool {
    let task = Runtime.taskNumber(of: message)
    guard Runtime.isTask(message), !registry.containsHere(task),
      let other = StageRegistry.openStage(of: task)
    else { return false }
    let name = mailbox.typeName
    hops.forget(message)
    intervene(.sharedActor(name))
    other.inbox.post(.actor(job.job, name: name))
    return true
  }

  /// Finds the executor to which a task hopped when it ran. The task may be freed, so only its
  /// address is compared. A task is freed at the very end of its job, so no job that was made
  /// during the step has the same address.
  ///
  /// - Parameters:
  ///   - task: the address of its job.
  ///   - count: the number of ready jobs before the step.
  ///   - mayContinue: whether the task would continue at once on an idle executor.
  ///   - isOnActor: whether it ran on an actor other than the main actor.
  private func followHop(
    of task: UInt,
    since count: Int,
    mayContinue: Bool,
    isOnActor: Bool = false
  ) {
    for place in count..<ready.count {
      let job = ready[place]
      if job.job.address == task {
        if mayContinue, isOnActor, !job.onMain { continueFirst(place) }
        return
      }
      if Mailbox(of: job)?.last?.address == task {
        enterMailbox(task, joining: false, mayBeDelayed: mayContinue && !isOnActor)
        if mayContinue { continueFirst(place) }
        return
      }
    }
    guard hops.hasMetActors else { return }
    for place in 0..<count where Mailbox(of: ready[place])?.last?.address == task {
      return enterMailbox(task, joining: true, mayBeDelayed: mayContinue && !isOnActor)
    }
  }

  private func enterMailbox(_ task: UInt, joining: Bool, mayBeDelayed: Bool) {
    hops.enterMailbox(joining: joining)
    if mayBeDelayed { hops.arrive(task) }
  }

  /// Wakes a task, which may have to wait for an actor afterwards.
  func wakeApart(_ wake: () -> Void) {
    guard hopsAreApart else { return wake() }
    let before = lastMessages()
    wake()
    for message in lastMessages() where !before.contains(message) { hops.arrive(message) }
  }

  /// Returns the address of the last message in each mailbox.
  private func lastMessages() -> [UInt] {
    guard hops.hasMetActors else { return [] }
    return (0..<ready.count).compactMap { Mailbox(of: ready[$0])?.last?.address }
  }

  /// Returns the number of messages in mailboxes.
  func waitingMessages() -> Int {
    guard hops.hasMetActors else { return 0 }
    return (0..<ready.count).reduce(0) { $0 + (Mailbox(of: ready[$1])?.count ?? 0) }
  }

  private func continueFirst(_ place: Int) {
    ready.moveToFront(place)
    hops.continue(by: ready[0])
  }
}
