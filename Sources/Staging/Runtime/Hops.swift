/// What a stage knows about hops, the moves of tasks from one executor to another.
///
/// By default a task continues on an idle actor at once, without a job. On a stage that chooses what comes next,
/// each hop is a job: the runtime continues at once only on a thread that may switch executors, and no job of
/// such a stage may. An actor runs one message at a time.
struct Hops {
  /// A message that may run instead of the first one of its actor.
  struct Alternative {
    /// The place of the actor's job among those that are ready.
    let place: Int
    let message: UnownedJob
  }

  /// Tasks that wait in a mailbox after they hopped to its actor from nonisolated code, or woke there. Such an arrival
  /// may be delayed, so later messages may come first. If a task hops away from an actor, the actor keeps it until it
  /// arrives at the other executor, and the tasks that it resumes arrive at that moment.
  private var arrivals: [UInt] = []
  /// The job that continues the latest one: without choice its task would have continued at once.
  private(set) var continuation: ReadyJob?
  /// Whether the chain of such jobs began with an actor's job, so that the actor's next message follows it.
  private(set) var beganOnActor = false
  /// Whether the latest job has put its task into the mailbox of an actor that had messages before.
  private(set) var hasJoinedMailbox = false
  /// Whether the latest job has put its task into a mailbox.
  private(set) var hasEnteredMailbox = false
  var alternatives: [Alternative] = []
  /// Whether the stage has met the job of an actor. If not, there are no mailboxes.
  var hasMetActors = false

  /// Prepares for a job.
  mutating func begin(_ job: ReadyJob, isFirst: Bool, isOnActor: Bool) {
    if !isFirst || continuation != job { beganOnActor = isOnActor }
    end()
  }

  /// Forgets what the latest job did.
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

  /// The message that comes first without choice: of those with the highest priority the one that came first.
  static func first(of mailbox: Mailbox) -> UnownedJob? {
    if let only = mailbox.only { return only }
    return mailbox.messages.min { rank($0) < rank($1) }
  }

  /// Finds the messages that may come before the first one of their actor.
  mutating func findAlternatives(_ ready: borrowing Ring<ReadyJob>) {
    guard hasMetActors else { return }
    alternatives.removeAll(keepingCapacity: true)
    for place in 0..<ready.count {
      guard let mailbox = Mailbox(of: ready[place]), mailbox.only == nil else { continue }
      // In the order of the actor: a message that may be delayed lets the next one come first.
      let messages = mailbox.messages.enumerated()
        .map { (rank: Self.rank($1), place: $0, message: $1) }
        .sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }
      for (earlier, later) in zip(messages, messages.dropFirst()) {
        guard arrivals.contains(earlier.message.address) else { break }
        alternatives.append(Alternative(place: place, message: later.message))
      }
    }
  }

  /// The queue of an actor into which a message goes by its priority; lower ones come first. As in
  /// `getPriorityBucketIndex` of the runtime.
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
  /// Finds what may run now. Whoever chooses has to ask for this first.
  func findAlternatives() {
    if hopsAreApart { hops.findAlternatives(ready) }
  }

  /// Runs one job, or one message of an actor, so that no hop goes by without a job.
  func runApart(_ choice: Int) {
    let alternative = choice < ready.count ? nil : hops.alternatives[choice - ready.count]
    let job = ready.remove(at: alternative?.place ?? choice)
    if let mailbox = Mailbox(of: job),
      let message = alternative?.message ?? Hops.first(of: mailbox),
      !mailbox.isEnded(by: message)
    {
      hops.begin(job, isFirst: choice == 0, isOnActor: true)
      return passOn(message, of: mailbox, job) ? () : run(message, of: mailbox, by: job)
    }
    hops.begin(job, isFirst: choice == 0, isOnActor: false)
    let count = ready.count
    if job.onMain || !Runtime.isTask(job.job) {
      let task = job.job.address
      if Runtime.isContinuation(job.job) { wakeApart { run(job) } } else { run(job) }
      if job.onMain { followHop(of: task, since: count, mayContinue: false) }
      tasks?.finish(task)
    } else {
      if trace != nil { trace?.note(job, at: nanoseconds) }
      let task = job.job.address
      jobsRun &+= 1
      job.job.runSynchronously(
        isolatedTo: Runtime.genericExecutor,
        taskExecutor: Runtime.defaultExecutor
      )
      followHop(of: task, since: count, mayContinue: true, isOnActor: false)
      tasks?.finish(task)
    }
  }

  /// Runs a message, and lets its actor go when there is no other.
  private func run(_ message: UnownedJob, of mailbox: Mailbox, by job: ReadyJob) {
    if trace != nil { trace?.note(job, at: nanoseconds) }
    // Messages keep their actor, which must not go before its job has run.
    let actor = mailbox.object.retain()
    defer { actor.release() }
    // A task may be created on its actor, and then the stage sees it here for the first time.
    if !registry.isOlder(Runtime.taskNumber(of: message)) { remember(message) }
    mailbox.take(message)
    hops.forget(message)
    let count = ready.count
    let task = message.address
    let isTask = Runtime.isTask(message)
    message.runSynchronously(on: mailbox.executor)
    // A job that is no task is gone by now, and its address may belong to something else.
    if isTask { followHop(of: task, since: count, mayContinue: true, isOnActor: true) }
    if mailbox.isEmpty {
      job.job.runSynchronously(on: Runtime.genericExecutor)
    } else if hops.beganOnActor, hops.continuation == nil {
      ready.prepend(job)
    } else {
      ready.append(job)
    }
    tasks?.finish(task)
  }

  /// Gives an actor to another stage if its next message is from there.
  ///
  /// - Returns: whether the actor went to another stage.
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

  /// Finds where a task has gone that has run. Its job may be gone, and only its address is compared: a task that comes to
  /// its end goes as the last thing that its job does, so no job that the step has made has the same address.
  ///
  /// - Parameters:
  ///   - task: the address of its job.
  ///   - count: how many jobs were ready before those that it made.
  ///   - mayContinue: whether it would have continued at once on an idle executor.
  ///   - isOnActor: whether it ran on an actor that is not the main one.
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

  /// Wakes a task. The task may wait for an actor afterwards.
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

  /// Number of messages that wait in mailboxes.
  func waitingMessages() -> Int {
    guard hops.hasMetActors else { return 0 }
    return (0..<ready.count).reduce(0) { $0 + (Mailbox(of: ready[$1])?.count ?? 0) }
  }

  private func continueFirst(_ place: Int) {
    ready.moveToFront(place)
    hops.continue(by: ready[0])
  }
}
