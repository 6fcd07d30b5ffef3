import Dispatch
import Exploring
import Foundation
import Synchronization
import Testing

@testable import RehearsalTesting

/// Explored code that crashes, or ends its process.
@Suite struct ExploredCrashTests {
  private static func words(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  // MARK: Searching

  /// What is recorded.
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
  func `a crash is an issue with the shortest schedule, and ends nothing`(
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
        which ends the tests, and shows where in the code it is
        """
      )
    )
  }

  @Test func `a crash of the plain run is an issue`() async throws {
    let text = try await issue {
      try await explore { run in
        run.note("before")
        preconditionFailure("never")
      }
    }

    #expect(text.contains("\nin the plain run already, so it takes no special schedule\n"))
    #expect(text.contains("0.000s  before"))
  }

  @Test func `a stack that overflows is an issue`() async throws {
    let text = try await issue {
      try await explore { run in
        func depth(_ number: Int) -> Int { number == 0 ? 0 : 1 + depth(number + 1) }
        _ = depth(run.choose([0, 1]))
      }
    }

    #expect(text.hasPrefix("no run crashes: it crashed, by a stack that overflowed\n"))
    #expect(text.contains("by schedule '1:1'"))
  }

  /// Makes who plays a scenario.
  private static func player(
    _ scenario: @escaping @MainActor @Sendable (ExploredRun) async throws -> Void
  ) -> ScenarioPlayer {
    ScenarioPlayer(
      limit: 10_000,
      mayLeaveWork: false,
      notice: RunNotice(at: #_sourceLocation, isCrashIsolated: true),
      scenario
    )
  }

  @Test func `what a crash leaves locked does not hold up who makes its schedule short`() {
    let schedule = Schedule([1, 1])
    let lock = DispatchSemaphore(value: 0)
    let players = Counter()
    let executor = ThreadExecutor(limitInMilliseconds: 1) {
      players.next() == 1
        ? Self.player { run in _ = (run.choose([0, 1]), run.choose([0, 1])) }
        : Self.player { _ in lock.wait() }
    }
    _ = executor.player.play(ReplayScheduler(schedule))
    let search = ScenarioSearch(schedules: 10, strategy: .random, seed: 7, stopAfter: nil)

    var findings = executor.findings(of: search, crashedBy: SIGTRAP)
    Exploration(search.plan, in: executor).finish(&findings)
    lock.signal()

    #expect(findings.failures.map(\.rule) == ["no run crashes"])
    #expect(findings.failures.map(\.schedule) == [schedule])
    #expect(findings.failures.first?.outcome.failure?.what == "it crashed, by a trap")
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
  }

  @Test func `a crash that chance makes is said to be one`() async throws {
    let runs = Counter()
    let text = try await issue {
      try await explore { run in
        _ = run.choose([0, 1])
        precondition(runs.next() != 2)
      }
    }

    #expect(text.hasPrefix("no run crashes: it crashed, by "))
    #expect(text.contains("but not when it was done again"))
  }

  @Test func `an expectation that failed before the crash is what is wrong`() async throws {
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

  @Test func `who waits for what a crash holds is told of the crash`() async throws {
    let first = try await issue {
      try await explore { run in
        let isBroken = run.choose([false, true])
        _ = run.choose([1, 2, 3])
        await Self.write(isBroken)
      }
    }
    #expect(first.hasPrefix("no run crashes: it crashed, by "))
    #expect(first.contains("explore(replaying: \"1:1\")"))
    #expect(!first.contains("real chance"))
    #expect(first.contains("a run waits, as for a lock or an actor"))

    let second = try await issue { try await explore { _ in await Self.write(false) } }
    #expect(second.hasPrefix("the scenario returns: "))
    #expect(second.contains("perhaps for an actor: a run of what is explored at "))
  }

  @Test func `a crash while a failure is made short is told beside it`() async throws {
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

  @Test func `a run that waits for ever, as others do, is none that waits for a crash`()
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
    #expect(!text.contains("a run waits, as for a lock or an actor"))
  }

  // MARK: Ending

  @Test func `a crash that is replayed ends the process, and is told`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await explore(replaying: "2:2") { run in
        let values = [1, 2, 3]
        _ = run.choose([0, 1])
        _ = values[run.choose([0, 1, 3])]
      }
    }

    let words = Self.words(result)
    #expect(words.contains("error: the tests crashed in a run of what is explored at "))
    #expect(words.contains("Tests/ExploredCrashTests.swift:"))
    #expect(words.contains("\n  to replay it: try await explore(replaying: \"2:2\") { … }\n"))
  }

  @Test func `a bad access ends the process, since it may have written anywhere`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await explore { run in
        guard run.choose([false, true]) else { return }
        UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
      }
    }

    #expect(Self.words(result).contains("explore(replaying: \"1:1\")"))
  }

  @Test func `memory that is not as it should be ends the process`() async {
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

  @Test func `a crash that keeps others waiting ends the tests, once it is told`() async {
    let words = Mutex("")
    // What is told there is an issue here.
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
    #expect(text.contains("error: the tests end here, since they would wait for ever: "))
    #expect(text.contains("Tests/ExploredCrashTests.swift:"))
  }

  private struct Trap: CustomStringConvertible {
    let isSet: Bool

    var description: String {
      precondition(!isSet)
      return ""
    }
  }

  @Test func `a crash while something is printed ends the process, since nobody could print again`()
    async
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await explore { run in print(Trap(isSet: run.choose([false, true]))) }
    }

    #expect(Self.words(result).contains("explore(replaying: \"1:1\")"))
  }

  @Test func `an exit by a thread that a run has made fails, and is told`() async {
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
      words.contains("error: exit(0) ended the tests, perhaps in a run of what is explored at ")
    )
    #expect(words.contains("explore(replaying: \"1:1\")"))
  }

  @Test func `an exit is told, and fails whatever was asked for`() async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent])
    {
      try await explore { run in if run.choose([false, true]) { exit(0) } }
    }

    #expect(
      Self.words(result).contains("error: exit(0) ended the tests in a run of what is explored at ")
    )
    #expect(Self.words(result).contains("explore(replaying: \"1:1\")"))
  }

  @Test func `an exit without handlers fails, too`() async {
    let results = [
      await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
        try await explore { run in if run.choose([false, true]) { _exit(0) } }
      },
      await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
        try await explore { run in if run.choose([false, true]) { quick_exit(0) } }
      },
    ]

    for (result, call) in zip(results, ["_exit(0)", "quick_exit()"]) {
      let words = Self.words(result)
      #expect(
        words.contains("error: \(call) ended the tests in a run of what is explored at ")
      )
      #expect(words.contains("explore(replaying: \"1:1\")"))
    }
  }

  @Test func `what ends behind a search is none of its runs`() async {
    let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent])
    {
      try await explore { run in _ = run.choose([false, true]) }
      exit(0)
    }

    #expect(!Self.words(result).contains("error: "))
  }
}
