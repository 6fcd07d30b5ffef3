import Exploring
import Scenes

extension Specimen {
  /// Each candidate becomes the leader if there is none.
  static let twoLeaders = Specimen(
    "two leaders",
    from: "check, then act, across an await of an actor; nesevis/exhaust has it as a lost update"
  ) { isRepaired, run in
    let office = Office()
    await withTaskGroup { group in
      for number in 0..<2 {
        group.addTask {
          await yield(number * 6)
          if isRepaired {
            guard await office.run() else { return }
          } else {
            if await office.isTaken { return }
            // It prepares for the office.
            await Task.yield()
            await office.take()
          }
        }
      }
    }
    run.check(await office.elections == 1, "there is one leader")
  }

  /// A pool closes an idle connection after a second, and leases it at that instant.
  static let idleSlot = Specimen(
    "a slot that is leased while its idle timer fires",
    from: "connection pools, such as that of async-http-client"
  ) { isRepaired, run in
    let pool = Pool(checksCancellation: isRepaired)
    let first = pool.lease()
    pool.giveBack(first)
    try await Task.sleep(for: run.choose([.milliseconds(500), .seconds(1)]))
    let slot = pool.lease()
    try await Task.sleep(for: .milliseconds(100))
    run.check(!pool.closed.contains(slot), "a leased slot is open")
  }

  /// A detector asks two nodes in two rounds. An answer to the first round counts for the second one.
  static let lateAnswer = Specimen(
    "a crashed node that counts as alive",
    from: "the failure detector of the tutorials of the P language and of microsoft/coyote"
  ) { isRepaired, run in
    let detector = Detector(checksRound: isRepaired)
    var crashed: Set<Int> = []
    for round in 0..<2 {
      detector.begin(round)
      for node in 0..<2 where !crashed.contains(node) {
        let delay = run.choose([Duration.milliseconds(100), .milliseconds(1_500)])
        Task {
          try await Task.sleep(for: delay)
          detector.answered(node, round)
        }
        if round == 0, run.choose([false, true]) { crashed.insert(node) }
      }
      try await Task.sleep(for: .seconds(1))
    }
    run.check(detector.alive.isDisjoint(with: crashed), "a crashed node is not alive")
    await run.settle()
  }

  /// A log is closed after twenty steps, before another task has written its only entry.
  static let earlyEnd = Specimen(
    "one step after twenty others",
    from:
      "S. Burckhardt et al., 'A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs', 2010: a bug of depth 1"
  ) { isRepaired, run in
    let log = Log()
    let closing = Task {
      await yield(20)
      if !isRepaired { log.close() }
    }
    let writing = Task { log.write() }
    await writing.value
    await closing.value
    log.close()
    run.check(log.lost == 0, "no entry is lost")
  }

  /// Three short tasks begin when a long one is nearly over.
  static let lateTasks = Specimen(
    "short tasks after a long one",
    from:
      "K. Sen, 'Effective Random Testing of Concurrent Programs', 2007, and the selectively uniform walks of 2025: tasks of different lengths"
  ) { isRepaired, run in
    let log = Log()
    let long = Task {
      await yield(15)
      if !isRepaired { log.close() }
      await yield(5)
    }
    for _ in 0..<2 {
      Task {
        await Task.yield()
        log.write()
      }
    }
    await long.value
    await run.settle()
    run.check(log.lost < 2, "not all entries are lost")
  }

  /// A task creates a child late, and the child ends before another task has made its fifth step.
  static let lateChild = Specimen(
    "a child that overtakes",
    from: "the same: tasks that are created late"
  ) { isRepaired, run in
    let log = Log()
    let other = Task {
      await yield(5)
      log.write()
      await yield(5)
    }
    let parent = Task {
      await yield(6)
      await Task {
        await yield(6)
        if !isRepaired { log.close() }
      }.value
    }
    await other.value
    await parent.value
    run.check(log.lost == 0, "no entry is lost")
  }
}

private actor Office {
  private(set) var isTaken = false
  private(set) var elections = 0

  func take() {
    isTaken = true
    elections += 1
  }

  func run() -> Bool {
    if isTaken { return false }
    take()
    return true
  }
}

@MainActor private final class Pool {
  private let checksCancellation: Bool
  private var idle: (slot: Int, timer: Task<Void, Never>)?
  private var count = 0
  private(set) var closed: Set<Int> = []

  init(checksCancellation: Bool) { self.checksCancellation = checksCancellation }

  func lease() -> Int {
    if let (slot, timer) = idle {
      timer.cancel()
      idle = nil
      return slot
    }
    count += 1
    return count
  }

  func giveBack(_ slot: Int) {
    let timer = Task {
      do { try await Task.sleep(for: .seconds(1)) } catch { return }
      // The task may be cancelled after its sleep has ended.
      if checksCancellation, Task.isCancelled { return }
      closed.insert(slot)
      idle = nil
    }
    idle = (slot, timer)
  }
}

@MainActor private final class Detector {
  private let checksRound: Bool
  private var round = 0
  private(set) var alive: Set<Int> = []

  init(checksRound: Bool) { self.checksRound = checksRound }

  func begin(_ round: Int) {
    self.round = round
    alive = []
  }

  func answered(_ node: Int, _ round: Int) {
    if checksRound, round != self.round { return }
    alive.insert(node)
  }
}

@MainActor private final class Log {
  private var isClosed = false
  private(set) var lost = 0

  func close() { isClosed = true }
  func write() { if isClosed { lost += 1 } }
}
