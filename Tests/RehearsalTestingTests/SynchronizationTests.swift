import Exploring
import RehearsalTesting
import Staging
import Synchronization
import Testing

/// Locks, channels and latches for scenarios.
@Suite struct SynchronizationTests {
  private static let strategies: [Strategy] = [
    .exhaustive, .random, .pct(changes: 3), .pos, .urw, .surw, .mixed(changes: 3),
  ]

  /// The number of tasks that hold a lock.
  private final class Holders: Sendable {
    private let count = Mutex(0)

    func enter() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }

    func leave() { count.withLock { $0 -= 1 } }
  }

  // MARK: AsyncLock

  /// Takes two locks in two tasks.
  private static func takeTwo(
    _ first: AsyncLock,
    _ second: AsyncLock,
    reversed: Bool,
    detached: Bool
  ) async throws {
    let orders = [(first, second), reversed ? (second, first) : (first, second)]
    let tasks = orders.enumerated().map { number, locks in
      let body = { @Sendable in
        try await locks.0.withLock { try await locks.1.withLock {} }
      }
      let name = ["deposit", "transfer"][number]
      return detached
        ? Task.detached(name: name, operation: body) : Task(name: name, operation: body)
    }
    for task in tasks { try await task.value }
  }

  @Test(arguments: strategies, [false, true])
  func `two locks in opposite orders are a deadlock`(strategy: Strategy, detached: Bool)
    async throws
  {
    let issues = try await recordedIssues {
      try await explore(strategy: strategy) { _ in
        let (accounts, log) = (AsyncLock("accounts"), AsyncLock("log"))
        try await Self.takeTwo(accounts, log, reversed: true, detached: detached)
      }
    }

    let text = try #require(issues.first?.text)
    #expect(issues.count == 1)
    #expect(text.hasPrefix("the scenario returns: "), "\(text)")
    #expect(text.contains("'deposit' waits for AsyncLock 'log', which 'transfer' holds\n"))
    #expect(text.contains("'transfer' waits for AsyncLock 'accounts', which 'deposit' holds\n"))
    #expect(
      text.contains("\ndeadlock: 'deposit' waits for 'transfer', 'transfer' waits for 'deposit'\n")
    )
  }

  @Test(arguments: [false, true])
  func `two locks in one order pass all schedules`(detached: Bool) async throws {
    let findings = try await explore(strategy: .exhaustive) { _ in
      let (accounts, log) = (AsyncLock("accounts"), AsyncLock("log"))
      try await Self.takeTwo(accounts, log, reversed: false, detached: detached)
    }

    #expect(findings.end == .complete)
    #expect(findings.runs > 10)
  }

  @Test(arguments: strategies)
  func `a lock holds back other tasks while its task awaits`(strategy: Strategy) async throws {
    let findings = try await explore(schedules: 1_000, strategy: strategy) { run in
      let lock = AsyncLock()
      let holders = Holders()
      let tasks = (0..<2).map { _ in
        Task.detached {
          try await lock.withLock {
            run.check(holders.enter() == 1, "one task holds the lock")
            await Task.yield()
            holders.leave()
          }
        }
      }
      for task in tasks { try await task.value }
    }

    #expect(findings.failures.isEmpty)
  }

  @Test(arguments: [false, true])
  func `an update without the lock is lost, and with it it is not`(isLocked: Bool) async throws {
    let issues = try await recordedIssues {
      try await explore { run in
        let lock = AsyncLock()
        let balance = Mutex(0)
        let add = { @Sendable () async throws in
          let before = balance.withLock(\.self)
          await Task.yield()
          balance.withLock { $0 = before + 1 }
        }
        let tasks = (0..<2).map { _ in
          Task {
            if isLocked { try await lock.withLock { try await add() } } else { try await add() }
          }
        }
        for task in tasks { try await task.value }
        run.check(balance.withLock(\.self) == 2, "no update is lost")
      }
    }

    #expect(issues.isEmpty == isLocked)
  }

  @Test func `tasks get a lock in the order in which they asked for it`() async throws {
    try await explore { run in
      let lock = AsyncLock()
      try await lock.withLock {
        for number in 1...3 {
          Task { try await lock.withLock { run.note("\(number)") } }
          try await Task.sleep(for: .seconds(1))
        }
      }
      // The tasks that wait come first.
      try await lock.withLock { run.note("4") }
      #expect(run.notes.map(\.text) == ["1", "2", "3", "4"])
    }
  }

  @Test func `a task that asks for the lock that it holds waits forever`() async throws {
    let issues = try await recordedIssues {
      try await explore { _ in
        let lock = AsyncLock()
        try await lock.withLock { try await lock.withLock {} }
      }
    }

    let text = try #require(issues.first?.text)
    let lock = "the AsyncLock of SynchronizationTests.swift:\(#line - 6)"
    #expect(text.contains("task 1 waits for \(lock), which task 1 holds\n"), "\(text)")
    #expect(text.contains("\ndeadlock: task 1 waits for itself\n"))
  }

  @Test(arguments: strategies)
  func `a task that is cancelled while it waits does not get the lock, and others do`(
    strategy: Strategy
  ) async throws {
    try await explore(schedules: 1_000, strategy: strategy) { run in
      let lock = AsyncLock()
      let tasks = (0..<3).map { number in
        Task { try await lock.withLock { await Task.yield() } }
      }
      tasks[1].cancel()
      for (number, task) in tasks.enumerated() {
        switch await task.result {
        case .success: break
        case .failure(let error):
          run.check(number == 1 && error is CancellationError, "only this one")
        }
      }
      try await lock.withLock {}
    }
  }

  @Test func `a cancelled task does not get a free lock`() async throws {
    try await explore { run in
      let lock = AsyncLock()
      let task = Task { try await lock.withLock { run.note("held") } }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await lock.withLock {}
      #expect(run.notes.isEmpty)
    }
  }

  @Test(arguments: strategies)
  func `a task that was cancelled before it has the lock does not run its body`(
    strategy: Strategy
  ) async throws {
    try await explore(schedules: 1_000, strategy: strategy) { run in
      let lock = AsyncLock()
      let task = Mutex<Task<Void, any Error>?>(nil)
      let first = Task {
        try await lock.withLock {
          task.withLock { $0 = Task { try await lock.withLock { run.note("held") } } }
          await Task.yield()
          task.withLock { $0?.cancel() }
        }
      }
      try await first.value
      let made = task.withLock { $0 }
      let second = try #require(made)
      await #expect(throws: CancellationError.self) { try await second.value }
      try await lock.withLock {}
      run.check(run.notes.isEmpty, "a cancelled task does not run its body")
    }
  }

  @Test(arguments: strategies)
  func `a task that was cancelled on its way to an open latch throws`(
    strategy: Strategy
  ) async throws {
    try await explore(schedules: 1_000, strategy: strategy) { run in
      let latch = Latch()
      latch.open()
      let isCancelled = Mutex(false)
      let task = Task {
        try await latch.wait()
        run.check(!isCancelled.withLock { $0 }, "a cancelled task does not continue")
      }
      await Task.yield()
      isCancelled.withLock { $0 = true }
      task.cancel()
      _ = await task.result
    }
  }

  @Test func `a body that throws or is cancelled releases the lock`() async throws {
    try await explore { _ in
      let lock = AsyncLock()
      let task = Task { try await lock.withLock { try await Task.sleep(for: .seconds(9)) } }
      try await Task.sleep(for: .seconds(1))
      task.cancel()
      #expect(try await lock.withLock { 1 } == 1)
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `withLock runs its body in the isolation of the caller`() async throws {
    try await explore { @MainActor _ in
      let lock = AsyncLock()
      var count = 0
      try await lock.withLock {
        MainActor.assertIsolated()
        count += 1
      }
      #expect(count == 1)
    }
  }

  @Test func `a lock works in real time without a stage`() async throws {
    let lock = AsyncLock()
    let holders = Holders()
    try await withThrowingTaskGroup { group in
      for number in 0..<100 {
        group.addTask {
          for _ in 0..<100 {
            try await lock.withLock {
              #expect(holders.enter() == 1)
              await Task.yield()
              holders.leave()
            }
          }
        }
        // Cancelled tasks wait, too.
        let task = Task { try await lock.withLock {} }
        if number.isMultiple(of: 2) { task.cancel() }
      }
      try await group.waitForAll()
    }
    try await lock.withLock {}
  }

  /// The example of docs/explore-function.md.
  @Test func `a search names the locks of tasks that have not ended`() async throws {
    let issues = try await recordedIssues {
      try await explore { run in
        let (accounts, log) = (AsyncLock("accounts"), AsyncLock("log"))
        Task(name: "deposit") {
          try await accounts.withLock { try await log.withLock { run.note("deposit") } }
        }
        Task(name: "transfer") {
          try await log.withLock { try await accounts.withLock { run.note("transfer") } }
        }
        await run.waitForAllTasks()
      }
    }

    let lines = issues.first?.text.split(separator: "\n") ?? []
    #expect(
      lines.first?.hasPrefix(
        "'run.waitForAllTasks' waits forever: nothing is left to do, and 2 tasks have not ended: "
      )
        == true
    )
    #expect(
      lines.filter { $0.contains("'transfer'") }.dropFirst() == [
        "'deposit' waits for AsyncLock 'log', which 'transfer' holds",
        "'transfer' waits for AsyncLock 'accounts', which 'deposit' holds",
        "deadlock: 'deposit' waits for 'transfer', 'transfer' waits for 'deposit'",
      ],
      "\(lines)"
    )
  }

  @Test func `a task that waits for all tasks while it holds a lock is named`() async throws {
    let issues = try await recordedIssues {
      try await explore { run in
        let lock = AsyncLock("log")
        try await lock.withLock {
          Task(name: "writer") { try await lock.withLock {} }
          await run.waitForAllTasks()
        }
      }
    }

    let text = issues.first?.text ?? ""
    #expect(text.contains("'writer' waits for AsyncLock 'log', which task 1 holds\n"), "\(text)")
    #expect(text.contains("task 1 waits for all other tasks\n"), "\(text)")
  }

  // MARK: Latch

  @Test func `a latch lets all tasks continue after open`() async throws {
    let findings = try await explore(strategy: .exhaustive) { run in
      let latch = Latch()
      let tasks = (0..<2).map { number in
        Task.detached {
          try await latch.wait()
          run.check(latch.isOpen, "the latch is open")
        }
      }
      let opener = Task.detached { latch.open() }
      for task in tasks { try await task.value }
      await opener.value
      try await latch.wait()
    }

    #expect(findings.end == .complete)
  }

  @Test func `a latch with a count opens at the last countDown`() async throws {
    try await explore { run in
      let latch = Latch(count: 2)
      for _ in 0..<2 {
        #expect(!latch.isOpen)
        Task { latch.countDown() }
        try await Task.sleep(for: .seconds(1))
      }
      #expect(latch.isOpen)
      latch.countDown()
      latch.open()
      #expect(latch.isOpen && Latch(count: 0).isOpen)
    }
  }

  @Test func `open opens a latch whatever its count is`() {
    let latch = Latch(count: 3)
    latch.open()
    #expect(latch.isOpen)
  }

  @Test func `a latch that nothing opens is named, with its count`() async throws {
    let issues = try await recordedIssues {
      try await explore { _ in
        let latch = Latch("ready", count: 3)
        Task { latch.countDown() }
        try await latch.wait()
      }
    }

    #expect(
      issues.first?.text.contains(
        "task 1 waits for Latch 'ready', which needs 2 calls of 'countDown', or one of 'open'\n"
      ) == true,
      "\(issues)"
    )
  }

  @Test(arguments: strategies)
  func `a task that is cancelled while it waits for a latch throws`(strategy: Strategy) async throws
  {
    try await explore(schedules: 200, strategy: strategy) { run in
      let latch = Latch()
      let task = Task { try await latch.wait() }
      await Task.yield()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      latch.open()
      try await latch.wait()
    }
  }

  @Test func `a negative count ends the process`() async {
    await #expect(processExitsWith: .failure) { _ = Latch(count: -1) }
    await #expect(processExitsWith: .failure) { _ = BoundedChannel<Int>(capacity: -1) }
  }

  // MARK: BoundedChannel

  @Test(arguments: [0, 1, 2])
  func `all elements arrive in order`(capacity: Int) async throws {
    let findings = try await explore(schedules: 2_000, strategy: .exhaustive) { _ in
      let channel = BoundedChannel<Int>(capacity: capacity)
      let sender = Task.detached {
        for number in 1...2 { try await channel.send(number) }
        channel.finish()
      }
      var received: [Int] = []
      for await number in channel { received.append(number) }
      try await sender.value
      #expect(received == [1, 2])
    }

    #expect(findings.end == .complete)
  }

  @Test(arguments: strategies)
  func `each element goes to one of several receivers`(strategy: Strategy) async throws {
    try await explore(schedules: 200, strategy: strategy) { _ in
      let channel = BoundedChannel<Int>(capacity: 1)
      let receivers = (0..<2).map { _ in
        Task {
          var sum = 0
          for await number in channel { sum += number }
          return sum
        }
      }
      for number in [1, 10, 100] { try await channel.send(number) }
      channel.finish()
      var sum = 0
      for receiver in receivers { sum += await receiver.value }
      #expect(sum == 111)
    }
  }

  @Test(arguments: [(0, 0), (1, 1), (3, 3)])
  func `send waits for a receiver once the buffer is full`(capacity: Int, sent: Int) async throws {
    try await explore { _ in
      let channel = BoundedChannel<Int>(capacity: capacity)
      let count = Mutex(0)
      let sender = Task {
        for number in 1...5 {
          try await channel.send(number)
          count.withLock { $0 += 1 }
        }
      }
      try await Task.sleep(for: .seconds(1))
      #expect(count.withLock(\.self) == sent)
      var iterator = channel.makeAsyncIterator()
      #expect(await iterator.next() == 1)
      try await Task.sleep(for: .seconds(1))
      #expect(count.withLock(\.self) == sent + 1)
      sender.cancel()
      await #expect(throws: CancellationError.self) { try await sender.value }
    }
  }

  @Test func `elements that were sent before finish still arrive`() async throws {
    try await explore { _ in
      let channel = BoundedChannel<Int>(capacity: 1)
      let sender = Task { for number in 1...2 { try await channel.send(number) } }
      try await Task.sleep(for: .seconds(1))
      channel.finish()
      channel.finish()
      var received: [Int] = []
      for await number in channel { received.append(number) }
      #expect(received == [1, 2])
      try await sender.value
    }
  }

  @Test func `send after finish throws`() async throws {
    try await explore { _ in
      let channel = BoundedChannel<Int>(capacity: 1)
      channel.finish()
      await #expect(throws: ChannelFinished()) { try await channel.send(1) }
      for await _ in channel { Issue.record("no element was sent") }
    }
  }

  @Test(arguments: strategies)
  func `an element of a cancelled send does not arrive`(strategy: Strategy) async throws {
    try await explore(schedules: 500, strategy: strategy) { run in
      let channel = BoundedChannel<Int>()
      let cancelled = Task { try await channel.send(1) }
      let other = Task { try await channel.send(2) }
      let receiver = Task {
        var received: [Int] = []
        for await number in channel { received.append(number) }
        return received
      }
      await Task.yield()
      cancelled.cancel()
      let wasSent = (try? await cancelled.value) != nil
      try await other.value
      channel.finish()
      let received = await receiver.value.sorted()
      run.check(
        received == (wasSent ? [1, 2] : [2]),
        "no element is lost or sent in spite of the error"
      )
    }
  }

  @Test(arguments: strategies)
  func `a cancelled receiver gets nil, and takes no element`(strategy: Strategy) async throws {
    try await explore(schedules: 500, strategy: strategy) { run in
      let channel = BoundedChannel<Int>(capacity: 1)
      let receivers = (0..<2).map { _ in
        Task { () -> Int? in
          var iterator = channel.makeAsyncIterator()
          return await iterator.next()
        }
      }
      await Task.yield()
      receivers[0].cancel()
      let first = await receivers[0].value
      try await channel.send(1)
      let second = await receivers[1].value
      run.check(first == nil && second == 1, "the element arrives", "\(String(describing: first))")
    }
  }

  @Test func `tasks that wait for a channel are named`() async throws {
    let sending = try await recordedIssues {
      try await explore { _ in try await BoundedChannel<Int>("jobs").send(1) }
    }
    let receiving = try await recordedIssues {
      try await explore { _ in for await _ in BoundedChannel<Int>("jobs") {} }
    }

    #expect(
      sending.first?.text.contains(
        "task 1 waits for a task that receives from BoundedChannel 'jobs'\n"
      ) == true,
      "\(sending)"
    )
    #expect(
      receiving.first?.text.contains("task 1 waits for an element of BoundedChannel 'jobs'\n")
        == true,
      "\(receiving)"
    )
    #expect(sending.count == 1 && receiving.count == 1)
  }

  @Test func `a channel works in real time without a stage`() async throws {
    let channel = BoundedChannel<Int>(capacity: 2)
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var sum = 0
          for await number in channel { sum += number }
          return sum
        }
      }
      try await withThrowingTaskGroup { senders in
        for _ in 0..<4 {
          senders.addTask { for number in 1...100 { try await channel.send(number) } }
        }
        try await senders.waitForAll()
      }
      channel.finish()
      return try await group.reduce(0, +)
    }
    #expect(sum == 4 * 5_050)
  }
}
