import Dispatch
import Exploring
import Foundation
import Synchronization
import Testing

@testable import RehearsalTesting

/// Explored code that crashes or ends its process.
@Suite struct ExploredCrashTests {
  private static func words(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  // MARK: Searching

  /// Returns the text of the only recorded issue.
  private func issue(_ body: () async throws -> Void) async throws -> String {
    let issues = Mutex<[String]>([])
    try await withKnownIssue {
      try await body()
    } matching: { issue in
      guard case .unconditional = issue.kind else { return false }
      issues.withLock { $0.append("\(issue.comments.first ?? "")") }
      return true
    }
    let all = issues.withLock(\.self)
    #expect(all.count == 1)
    return all.first ?? ""
  }

  @Test(arguments: [nil, Strategy.random, .pct(changes: 2), .exhaustive])
  func `a crash is an issue with the shortest schedule, and other tests continue`(
    strategy: Strategy?
  ) async throws {
    let text = try await issue {
      let findings = try await explore(strategy: strategy) { run in
        let values = [1, 2, 3]
        run.note("first \(run.choose([0, 1]))")
        let index = run.choose([0, 1, 3])
        run.note("index \(index)")
        _ = values[index]
        _ = run.choose([0, 1])
      }
      #expect(findings.end == .failure)
      #expect(findings.failures.first?.schedule == Schedule([0, 2]))
    }

    let lines = text.split(separator: "\n")
    #expect(lines.first?.hasPrefix("no run crashes: it crashed, by ") == true)
    #expect(lines.dropFirst().first?.hasPrefix("by schedule '2:2', found in run ") == true)
    #expect(
      text.hasSuffix(
        """
           0.000s  first 0
        -    0.000s  index 0
        +    0.000s  index 3
        to replay it: try await explore(replaying: "2:2") { … }
        the replay ends the tests, and shows the line of the crash
        """
      )
    )
  }

  @Test func `a crash in the default schedule is an issue`() async throws {
    let text = try await issue {
      try await explore { run in
        run.note("before")
        preconditionFailure("never")
      }
    }

    #expect(text.contains("\nin the default schedule, so every schedule may fail\n"))
    #expect(text.contains("0.000s  before"))
  }

  @Test func `a stack overflow is an issue`() async throws {
    let text = try await issue {
      try await explore { run in
        func depth(_ number: Int) -> Int { number == 0 ? 0 : 1 + depth(number + 1) }
        _ = depth(run.choose([0, 1]))
      }
    }

    #expect(text.hasPrefix("no run crashes: it crashed, by a stack that overflowed"))
    // A function that calls itself is named once.
    #expect(text.components(separatedBy: "depth()").count <= 2, "\(text)")
    #expect(text.contains("by schedule '1:1'"))
  }

  /// Returns a player.
  private static func player(
    _ scenario: @escaping @MainActor @Sendable (ExploredRun) async throws -> Void
  ) -> ScenarioPlayer {
    ScenarioPlayer(
      limit: 10_000,
      mayLeaveWork: false,
      notice: RunNotice(at: "here", isCrashIsolated: true),
      scenario
    )
  }

  @Test func `a run that takes long is a warning`() {
    let player = Self.player { _ in }
    #expect(player.gaps == [])
    player.notice.wasSlow.store(true, ordering: .relaxed)
    #expect(player.gaps.map { $0.hasPrefix("a run took 5 seconds or more of real time") } == [true])
  }

  #if os(Linux)
  @Test func `a crash of a block on another queue is an issue with its schedule`() async throws {
    let text = try await issue {
      let findings = try await explore { run in
        let values = [1, 2, 3]
        let index = run.choose([0, 3])
        DispatchQueue.global().async { _ = values[index] }
      }
      #expect(findings.end == .failure)
      #expect(findings.failures.first?.schedule == Schedule([1]))
    }
    #expect(text.hasPrefix("no run crashes: it crashed, by "))
  }
  #endif

  @Test func `a lock of a crashed thread does not block shrinking`() {
    let schedule = Schedule([1, 1])
    let lock = NSLock()
    lock.lock()
    let players = Counter()
    let executor = ThreadExecutor(limitInMilliseconds: 1) {
      players.next() == 1
        ? Self.player { run in _ = (run.choose([0, 1]), run.choose([0, 1])) }
        : Self.player { _ in lock.withLock {} }
    }
    _ = executor.player.play(ReplayScheduler(schedule))
    let search = ScenarioSearch(schedules: 10, strategy: .random, seed: 7, stopAfter: nil)

    var findings = executor.findings(of: search, stoppedBy: .crash(SIGTRAP))
    Exploration(search.plan, in: executor).finish(&findings)
    lock.unlock()

    #expect(findings.failures.map(\.rule) == ["no run crashes"])
    #expect(findings.failures.map(\.schedule) == [schedule])
    #expect(findings.failures.first?.outcome.failure?.what == "it crashed, by a trap")
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
  }

  @Test func `an issue says that a crash is nondeterministic`() async throws {
    let runs = Counter()
    let text = try await issue {
      try await explore { run in
        _ = run.choose([0, 1])
        precondition(runs.next() != 2)
      }
    }

    #expect(text.hasPrefix("no run crashes: it crashed, by "))
    #expect(text.contains("but not when it ran again"))
  }

  @Test func `an expectation that failed before the crash is the failure`() async throws {
    let text = try await issue {
      try await explore { run in
        let count = run.choose([3, 1])
        #expect(count == 3, "the list is complete")
        _ = [1, 2, 3][count == 3 ? 0 : 7]
      }
    }

    #expect(text.hasPrefix("ExploredCrashTests.swift:"))
    #expect(text.contains("the list is complete; then it crashed, by "))
    #expect(text.contains("\nby schedule '1:1'"))
  }

  @globalActor private actor Database {
    static let shared = Database()
  }

  @Database private static func write(_ isBroken: Bool) { precondition(!isBroken) }

  @Test func `an issue of a task that waits for a crashed actor names the crash`() async throws {
    let first = try await issue {
      try await explore(strategy: .exhaustive) { run in
        let isBroken = run.choose([false, true])
        _ = run.choose([1, 2, 3])
        await Self.write(isBroken)
      }
    }
    #expect(first.hasPrefix("no run crashes: it crashed, by "))
    #expect(first.contains("explore(replaying: \"1:1\")"))
    #expect(!first.contains("but not when it ran again"))
    #expect(first.contains("a run waits, probably for a lock or an actor"))

    let second = try await issue { try await explore { _ in await Self.write(false) } }
    #expect(second.hasPrefix("the scenario returns: "))
    #expect(second.contains("perhaps it waits for an actor of the crashed run of 'explore' at "))
  }

  @Test func `a crash during shrinking is another issue`() async throws {
    let issues = Mutex<[String]>([])
    try await withKnownIssue {
      try await explore(strategy: .random, seed: 40) { run in
        let (first, second) = (run.choose(Array(0..<20)), run.choose(Array(0..<20)))
        run.check(first < 2 || second < 2, "one is small")
        precondition(first < 2 || second > 0)
      }
    } matching: { issue in
      issues.withLock { $0.append("\(issue.comments.first ?? "")") }
      return true
    }

    let texts = issues.withLock(\.self)
    #expect(texts.count == 2)
    #expect(texts.first?.hasPrefix("one is small\nby schedule '1:2 2:2', found in run ") == true)
    #expect(texts.last?.hasPrefix("no run crashes: it crashed, by ") == true)
    #expect(texts.last?.contains("\nby schedule '1:2'\n") == true)
  }

  @Test func `a run that waits forever for another reason does not count as blocked by a crash`()
    async throws
  {
    let text = try await issue {
      try await explore(strategy: .random, seed: 6) { run in
        let (first, second) = (run.choose([0, 1, 2]), run.choose([0, 1, 2]))
        precondition(first < 2 || second < 2)
        if first == 1, second == 2 {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
      }
    }

    #expect(text.hasPrefix("no run crashes: it crashed, by "))
    #expect(text.contains("\nby schedule '1:2 2:2', "))
    #expect(!text.contains("a run waits, probably for a lock or an actor"))
  }

  // MARK: Ending

  @Test func `a replayed crash ends the process, and standard error names the schedule`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await explore(replaying: "2:2") { run in
        let values = [1, 2, 3]
        _ = run.choose([0, 1])
        _ = values[run.choose([0, 1, 3])]
      }
    }

    let words = Self.words(result)
    #expect(
      words.contains(
        "error: the tests crashed in a run of RehearsalTestingTests/ExploredCrashTests.swift:"
      )
    )
    #expect(words.contains("Tests/ExploredCrashTests.swift:"))
    #expect(words.contains("\n  to replay it: try await explore(replaying: \"2:2\") { … }\n"))
  }

  @Test func `an invalid memory access ends the process, because it may have damaged memory`() async
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await explore { run in
        guard run.choose([false, true]) else { return }
        UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
      }
    }

    #expect(Self.words(result).contains("explore(replaying: \"1:1\")"))
  }

  @Test func `damaged heap memory ends the process`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await explore { run in
        guard run.choose([false, true]) else { return }
        let memory = malloc(2_000)
        let other = malloc(2_000)
        free(memory)
        free(memory)
        free(other)
      }
    }

    #expect(Self.words(result).contains("error: the tests crashed"))
  }

  private static let madeOnce: Int = {
    precondition(isToBeMade.load(ordering: .relaxed) == 0)
    return 1
  }()

  private static let isToBeMade = Atomic(0)

  @Test func `a crash that blocks other tests ends the process after its issue`() async {
    let words = Mutex("")
    // The issue of the exit test is also an issue of this test.
    await withKnownIssue {
      let result = await #expect(
        processExitsWith: .exitCode(1),
        observing: [\.standardErrorContent]
      ) {
        try await explore { run in
          guard run.choose([false, true]) else { return }
          Self.isToBeMade.store(1, ordering: .relaxed)
          _ = Self.madeOnce
        }
      }
      words.withLock { $0 = Self.words(result) }
    } matching: { issue in
      "\(issue.comments.first ?? "")".hasPrefix("no run crashes: it crashed, by ")
    }

    let text = words.withLock(\.self)
    #expect(text.contains("error: the tests end here, because they would wait forever for "))
    #expect(text.contains("Tests/ExploredCrashTests.swift:"))
  }

  private struct Trap: CustomStringConvertible {
    let isSet: Bool

    var description: String {
      precondition(!isSet)
      return ""
    }
  }

  @Test func `a crash inside print ends the process, because its lock would block every print`()
    async
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await explore { run in print(Trap(isSet: run.choose([false, true]))) }
    }

    #expect(Self.words(result).contains("explore(replaying: \"1:1\")"))
  }

  @Test func `a call of exit in another thread of a run ends the process with an error`() async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent])
    {
      try await explore { run in
        guard run.choose([false, true]) else { return }
        DispatchQueue(label: "other").sync { Thread.detachNewThread { exit(0) } }
        DispatchSemaphore(value: 0).wait()
      }
    }

    let words = Self.words(result)
    #expect(
      words.contains(
        "error: exit(0) ended the tests, perhaps in a run of RehearsalTestingTests/ExploredCrashTests.swift:"
      )
    )
    #expect(words.contains("explore(replaying: \"1:1\")"))
  }

  @Test func `a run that ends the process is an issue, and other tests continue`() async throws {
    let calls: [(String, @Sendable () -> Void)] = [
      ("exit(0)", { exit(0) }), ("exit(3)", { exit(3) }), ("_exit(0)", { _exit(0) }),
      ("quick_exit(0)", { quick_exit(0) }),
    ]
    for (name, call) in calls {
      let text = try await issue {
        try await explore { run in if run.choose([false, true]) { call() } }
      }
      #expect(text.hasPrefix("no run ends the process: it called \(name)\nby schedule '1:1'"))
      #expect(text.hasSuffix("to replay it: try await explore(replaying: \"1:1\") { … }"))
    }
  }

  @Test func `a call of exit after a search is not an error`() async {
    let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent])
    {
      try await explore { run in _ = run.choose([false, true]) }
      exit(0)
    }

    #expect(!Self.words(result).contains("error: "))
  }
}
