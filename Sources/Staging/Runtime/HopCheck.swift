package import Synchronization

/// Something that a search needs of the toolchain, the platform and the link options of its program.
package enum SearchNeed: Sendable {
  /// Each hop of a task between executors can be a job of its own.
  case hops
  /// Steps that cancel a task, run a job at once or give work to other threads are noticed.
  case effects

  /// The needs that a test says are not met; to be set before the first search of the process. No set: a test program fills
  /// it before it makes hashing deterministic.
  package static let missingInTest = Mutex<[SearchNeed]>([])

  var isMissingInTest: Bool { Self.missingInTest.withLock { $0.contains(self) } }
}

extension Runtime {
  /// Whether each hop of a task between executors can be a job of its own. It relies on the layout of jobs and
  /// default actors (ActorMessages.c) and on who may switch executors without a job, so it is tried once.
  static let canKeepHopsApart: Bool = {
    if SearchNeed.hops.isMissingInTest { return false }
    let stage = StageExecutor(order: .firstInFirstOut, keepsTrace: false)
    let probe = HopProbe()
    return stage.drive {
      defer { while let job = stage.ready.popFirst() { stage.run(job) } }
      Task.detached { await probe.visit() }
      return stage.hops(to: probe)
    }
  }()
}

private actor HopProbe {
  nonisolated let visits = Atomic<Int>(0)

  @concurrent nonisolated func visit() async {
    await enter()
    await leave()
  }

  private func enter() { visits.add(1, ordering: .relaxed) }

  @concurrent nonisolated private func leave() async { visits.add(1, ordering: .relaxed) }
}

extension StageExecutor {
  /// Runs the only task, which hops to an actor and back, and compares each job with what has to come.
  fileprivate func hops(to probe: HopProbe) -> Bool {
    guard let start = ready.popFirst()?.job, Runtime.isTask(start) else { return false }
    let task = start.address
    start.runSynchronously(
      isolatedTo: Runtime.genericExecutor,
      taskExecutor: Runtime.defaultExecutor
    )
    guard ready.count == 1, let mailbox = Mailbox(of: ready[0]),
      mailbox.object.toOpaque() == Unmanaged.passUnretained(probe).toOpaque(),
      let message = mailbox.only, message.address == task,
      let job = ready.popFirst()
    else { return false }
    mailbox.take(message)
    message.runSynchronously(on: mailbox.executor)
    let hasLeft = ready.count == 1 && ready[0].job.address == task && mailbox.isEmpty
    job.job.runSynchronously(on: Runtime.genericExecutor)
    return hasLeft && probe.visits.load(ordering: .relaxed) == 1
  }
}
