package import Synchronization

/// A requirement of a search on the toolchain, the platform and the link options, and the test whether it is met.
package enum SearchNeed: Sendable {
  /// Each hop of a task between executors can be a separate job.
  case hops
  /// The stage notices steps that cancel a task, run a job at once, or give work to other threads.
  case effects
  /// Other jobs can run when code locks or unlocks a lock of the C library.
  case locks
  /// The same for a `Mutex`.
  case mutexes

  /// The needs that a test treats as unmet. Set it before the first search of the process. It is an
  /// array, because a test program fills it before it makes hashing deterministic.
  package static let missingInTest = Mutex<[SearchNeed]>([])

  var isMissingInTest: Bool { Self.missingInTest.withLock { $0.contains(self) } }
}

extension Runtime {
  /// Whether each hop of a task between executors can be a job. This depends on the layout of jobs
  /// and default actors (`CRuntimeLayout.h`), and on the rules for switching executors without a job,
  /// so it is tried once.
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
  /// Runs the only task, which hops to an actor and back, and compares each job with the expected
  /// one.
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
