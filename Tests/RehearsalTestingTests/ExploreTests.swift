import Dispatch
import Exploring
import Foundation
import Loading
import MockHTTP
import Observation
import RehearsalTesting
import Staging
import Synchronization
import Testing

/// Exploration in tests of Swift Testing.
@Suite struct ExploreTests {
  /// A recorded issue.
  private struct Told: Equatable {
    let line: Int?
    let text: String
  }

  /// Returns the recorded issues, without failed expectations inside of runs.
  private func issues(_ body: () async throws -> Void) async throws -> [Told] {
    let issues = Mutex<[Told]>([])
    try await withKnownIssue(isIntermittent: true) {
      try await body()
    } matching: { issue in
      guard case .unconditional = issue.kind else { return false }
      let told = Told(line: issue.sourceLocation?.line, text: "\(issue.comments.first ?? "")")
      issues.withLock { $0.append(told) }
      return true
    }
    return issues.withLock(\.self)
  }

  /// A search with a bug: it shows the answer that arrives last, even if it is the answer to an old question.
  @MainActor private final class Search {
    private(set) var shown = ""

    func ask(_ question: String, _ run: ExploredRun) {
      Task {
        try await Task.sleep(for: run.choose([.seconds(1), .seconds(4)]))
        shown = question
        run.note("shows '\(question)'")
      }
    }
  }

  @MainActor private static func askTwice(_ run: ExploredRun) async throws -> String {
    let search = Search()
    for question in ["sw", "swift"] {
      search.ask(question, run)
      try await Task.sleep(for: .seconds(2))
    }
    await run.settle()
    return search.shown
  }

  // MARK: Generated operations

  @MainActor @Test func `generated operations that fail are an issue at the line of the search`()
    async throws
  {
    let line = #line + 2
    let issues = try await issues {
      try await explore(generating: 4, schedules: 500) { run in
        var isOpen = false
        return [
          GeneratedOperation("open") { isOpen = true },
          GeneratedOperation("enter") { run.check(!isOpen, "nobody enters an open door") },
        ]
      }
    }

    #expect(issues.count == 1)
    #expect(issues.first?.text.contains("nobody enters an open door") == true)
    #expect(issues.first.map { $0.line ?? 0 > line } == true)
  }

  @MainActor @Test func `generated operations that hold are no issue`() async throws {
    let findings = try await explore(generating: 4, schedules: 100) { run in
      [GeneratedOperation("wait") { try await Task.sleep(for: .seconds(1)) }]
    }

    #expect(findings.runs == 101)
    #expect(findings.failures.isEmpty)
  }

  @MainActor @Test(arguments: [0, 2]) func `operations that cannot be generated are an issue`(
    most: Int
  ) async throws {
    let issues = try await issues {
      try await explore(generating: most, schedules: 10) { _ in
        most > 0 ? [] : [GeneratedOperation("a") {}]
      }
    }

    #expect(issues.count == 1)
    #expect(issues.first?.text.contains("nothing can be generated, because ") == true, "\(issues)")
  }

  @MainActor @Test func `a condition that never holds is an issue`() async throws {
    let issues = try await issues {
      try await explore(generating: 2, schedules: 20) { _ in
        [GeneratedOperation("a", when: { false }) {}]
      }
    }

    #expect(
      issues.map(\.text) == [
        "not tried, because no run asked for it: the operation 'a'; check its condition"
      ]
    )
  }

  @MainActor @Test func `too many orders of overlapping operations are an issue`() async throws {
    let issues = try await issues {
      try await explore(generating: 14, against: StackModel(), schedules: 200) { run in
        (1...14).map { number in
          ComparedOperation("push \(number)", atMost: 1, model: { $0.values.append(number) }) {
            try await Task.sleep(for: .seconds(100))
          }
        }
      }
    }

    let text = issues.first?.text ?? ""
    #expect(
      text.contains("too many orders to compare them with the reference model\ngenerate"),
      "\(text)"
    )
  }

  private struct StackModel: Hashable {
    var values: [Int] = []
  }

  /// Returns a stack's operations; the broken one returns the oldest value.
  @MainActor private static func operations(isBroken: Bool) -> [ComparedOperation<StackModel>] {
    var values: [Int] = []
    let push = {
      values.append(2)
      try await Task.sleep(for: .seconds(1))
    }
    let pop = { isBroken && !values.isEmpty ? values.removeFirst() : values.popLast() }
    return [
      ComparedOperation("push 1", model: { $0.values.append(1) }, { values.append(1) }),
      ComparedOperation("push 2", model: { $0.values.append(2) }, push),
      ComparedOperation("pop", model: { $0.values.popLast() }, pop),
      .last("values", model: { $0.values }, { values }),
    ]
  }

  @MainActor @Test func `operations that are like their model are no issue`() async throws {
    let findings = try await explore(generating: 6, against: StackModel(), schedules: 300) { _ in
      Self.operations(isBroken: false)
    }

    #expect(findings.failures.isEmpty)
  }

  @MainActor @Test func `a result that differs from the model is an issue`() async throws {
    let issues = try await issues {
      try await explore(generating: 6, against: StackModel(), schedules: 500) { _ in
        Self.operations(isBroken: true)
      }
    }

    #expect(issues.count == 1)
    let text = issues.first?.text ?? ""
    #expect(text.contains("an order of the operations explains their results"), "\(text)")
    #expect(text.contains(": the reference model says "), "\(text)")
  }

  @MainActor @Test func `a model in another state is an issue without operations`() async throws {
    let issues = try await issues {
      try await explore(generating: 1, against: StackModel(values: [1]), schedules: 1) { _ in
        Self.operations(isBroken: false)
      }
    }

    let text = issues.first?.text ?? ""
    #expect(text.contains("'values': the reference model says [1], the code []"), "\(text)")
    #expect(
      text.contains("check that the reference model begins in the state of the code"),
      "\(text)"
    )
  }

  @MainActor @Test func `a model that crashes is named`() async throws {
    let issues = try await issues {
      try await explore(generating: 2, against: StackModel(), schedules: 100) { _ in
        [ComparedOperation("pop", model: { $0.values.removeLast() }) { 1 }]
      }
    }

    let text = issues.first?.text ?? ""
    #expect(text.contains("the reference model performs 'pop'"), "\(text)")
  }

  // MARK: Searching

  @MainActor @Test func `a scenario that holds in all runs records no issue`() async throws {
    let findings = try await explore { run in
      let shown = try await Self.askTwice(run)
      #expect(shown == "sw" || shown == "swift")
    }

    #expect(findings.end == .complete)
    #expect(findings.runs > 4)
  }

  @Test func `until ends a search at a bound of the probability of a new behaviour`() async throws {
    let findings = try await explore(strategy: .random, until: 0.2) { run in
      run.note("\(run.choose([1, 2, 3]))")
    }

    #expect(findings.end == .newBehaviourUnlikely)
    #expect(findings.newBehaviour.map { $0.upperBound <= 0.2 } == true)
    #expect(findings.runs == 101)
  }

  @Test(arguments: [(0.0, "above 0"), (1.5, "below 1"), (.nan, "above 0")])
  func `a limit that is no probability is an issue`(until: Double, text: String) async throws {
    let issues = try await issues { try await explore(schedules: 3, until: until) { _ in } }

    #expect(issues.count == 1)
    #expect(issues.first?.text.contains(text) == true)
  }

  @Test func `a limit for a systematic search is an issue`() async throws {
    let issues = try await issues {
      try await explore(strategy: .exhaustive, until: 0.01) { _ in }
    }

    #expect(issues.map(\.text.description).count == 1)
    #expect(issues.first?.text.hasPrefix("'until' needs random runs") == true)
  }

  @Test func `a sometimes that holds in no run is an issue at its line`() async throws {
    let line = #line + 4
    let issues = try await issues {
      try await explore(strategy: .exhaustive) { run in
        let shown = try await Self.askTwice(run)
        run.sometimes(shown == "", "nothing is shown")
        run.sometimes(shown == "sw", "an old answer is shown")
      }
    }

    #expect(issues.map(\.line) == [line])
    #expect(
      issues.first?.text.hasPrefix("sometimes 'nothing is shown' held in none of ") == true
    )
  }

  @Test func `a sometimes is no second issue if a failure ends the search`() async throws {
    let issues = try await issues {
      try await explore { run in
        run.sometimes(false, "never")
        run.check(false, "always")
      }
    }

    #expect(issues.count == 1)
    #expect(issues.first?.text.contains("always") == true)
  }

  @Test
  func `a violated check is one issue at its line, with a schedule and the notes`()
    async throws
  {
    let line = #line + 4
    let issues = try await issues {
      try await explore { run in
        let shown = try await Self.askTwice(run)
        run.check(shown == "swift", "the latest question is answered", "'\(shown)' is shown")
      }
    }

    #expect(
      issues == [
        Told(
          line: line,
          text: """
            the latest question is answered: 'sw' is shown; cause: 'choose' at ExploreTests.swift:40 is 4s, \
            so ExploreTests.askTwice() at ExploreTests.swift:51 (next line: ExploreTests.swift:52) (task 1) ran before closure in \
            ExploreTests.Search.ask() at ExploreTests.swift:40 (next line: ExploreTests.swift:41) (task 2); with 1s the nearest run passes (there: 'swift' is shown)
            by schedule 'v1:1', found in run 5, seed 2
            -    1.000s  shows 'sw'
                 3.000s  shows 'swift'
            +    4.000s  shows 'sw'
            to replay it: try await explore(replaying: "v1:1") { … }
            """
        )
      ]
    )
  }

  @Test(arguments: [Strategy.random, .pct(changes: 2), .exhaustive])
  func `a failed expectation is one issue at its line, with every strategy`(
    strategy: Strategy
  ) async throws {
    let line = #line + 4
    let issues = try await issues {
      try await explore(strategy: strategy) { run in
        let shown = try await Self.askTwice(run)
        #expect(shown == "swift")
      }
    }

    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.text.contains("'v1:1'") == true)
    #expect(issues.first?.text.contains(", seed ") == (strategy != .exhaustive))
  }

  @Test func `the seed of a failed run finds the failure again`() async throws {
    func issue(seed: UInt64, schedules: Int) async throws -> Told? {
      try await issues {
        try await explore(schedules: schedules, strategy: .random, seed: seed) { run in
          run.check(run.choose(Array(0..<50)) != 17, "never 17")
        }
      }
      .first
    }
    let text = try #require(try await issue(seed: 0, schedules: 10_000)?.text)
    let seed = try #require(text.split(separator: ", seed ").last?.prefix { $0.isNumber })

    let again = try await issue(seed: #require(UInt64(seed)), schedules: 1)

    #expect(again != nil)
  }

  @Test func `a failed requirement is recorded once`() async throws {
    let line = #line + 2
    let issues = try await issues {
      try await explore { run in try #require(run.choose([true, false])) }
    }

    #expect(issues.map(\.line) == [line])
  }

  @Test func `a known issue is not a failure`() async throws {
    let findings = try await explore { _ in withKnownIssue { #expect(Bool(false)) } }

    #expect(findings.failures.isEmpty)
  }

  @Test func `a known issue around a search ends it, and is listed`() async throws {
    let matched = Mutex<[Told]>([])
    let findings = Mutex<Findings?>(nil)
    let line = #line + 4
    try await withKnownIssue {
      let found = try await explore { run in
        let shown = try await Self.askTwice(run)
        #expect(shown == "swift")
      }
      findings.withLock { $0 = found }
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      matched.withLock { $0.append(Told(line: issue.sourceLocation?.line, text: text)) }
      return true
    }

    #expect(findings.withLock(\.self)?.runs == 5)
    #expect(findings.withLock(\.self)?.end == .failure)
    #expect(matched.withLock(\.self).map(\.line) == [line])
    #expect(matched.withLock(\.self).first?.text.contains("by schedule 'v1:1'") == true)
  }

  @Test func `an error that a scenario throws can be a known issue`() async throws {
    struct Refused: Error {}
    let findings = Mutex<Findings?>(nil)
    await withKnownIssue {
      let found = try await explore { run in if run.choose([false, true]) { throw Refused() } }
      findings.withLock { $0 = found }
    }

    #expect(findings.withLock(\.self)?.end == .failure)
  }

  @Test func `a warning in a scenario is listed once, and is not a failure`() async throws {
    let trait = Listed()
    let test = try #require(Test.current)
    try await trait.handling.provideScope(for: test, testCase: Test.Case.current) {
      let findings = try await explore { run in
        _ = run.choose([1, 2, 3])
        Issue.record("slow", severity: .warning)
        withKnownIssue("later") { #expect(Bool(false)) }
      }
      #expect(findings.failures.isEmpty)
      #expect(findings.runs == 4)
    }

    #expect(trait.comments.withLock(\.self) == ["slow", ""])
  }

  @Test func `warnings of one line with other texts are listed, too`() async throws {
    let trait = Listed()
    let test = try #require(Test.current)
    try await trait.handling.provideScope(for: test, testCase: Test.Case.current) {
      try await explore { run in
        let number = run.choose([1, 2, 3])
        Issue.record("number \(number)", severity: .warning)
      }
    }

    #expect(trait.comments.withLock(\.self).sorted() == ["number 1", "number 2", "number 3"])
  }

  @Test func `work outside of virtual time is a warning`() async throws {
    let trait = Listed()
    let test = try #require(Test.current)
    try await trait.handling.provideScope(for: test, testCase: Test.Case.current) {
      try await explore { _ in Thread.detachNewThread {} }
    }

    let comments = trait.comments.withLock(\.self)
    #expect(comments.count == 1)
    #expect(comments.first?.hasPrefix("Thread in ExploreTests.") == true)
  }

  @Test func `a value that no run asks for is a warning`() async throws {
    let trait = Listed()
    let test = try #require(Test.current)
    try await trait.handling.provideScope(for: test, testCase: Test.Case.current) {
      let findings = try await explore { _ in
        let server = MockServer()
        server.add(.get("/a", ScriptedAnswer.status(200).or(503)))
      }
      #expect(findings.end == .partial)
    }

    #expect(
      trait.comments.withLock(\.self)
        == ["not tried, because no run asked for it: the alternatives of answer 1 of GET /a"]
    )
  }

  @Test func `what no schedule varies is a warning`() async throws {
    let trait = Listed()
    let test = try #require(Test.current)
    try await trait.handling.provideScope(for: test, testCase: Test.Case.current) {
      let findings = try await explore { _ in _ = Stage().settle() }
      #expect(findings.end == .partial)
    }

    let comments = trait.comments.withLock(\.self)
    #expect(comments.count == 1)
    #expect(
      comments.first?.hasPrefix("no schedule varies the order of the jobs of another stage in ")
        == true
    )
  }

  /// A search that its own run cancels.
  private final class CancelledSearch: Sendable {
    let task = Mutex<Task<Void, any Error>?>(nil)
    func cancel() { task.withLock { $0?.cancel() } }
  }

  @Test func `a search that is cancelled in its first run is a warning`() async throws {
    let search = CancelledSearch()
    let issues = try await recordedIssues {
      let begin = AsyncStream<Void>.makeStream()
      let task = Task {
        for await _ in begin.stream {}
        try await explore { _ in
          search.cancel()
          await withTaskGroup { group in for _ in 0..<2 { group.addTask {} } }
        }
      }
      search.task.withLock { $0 = task }
      begin.continuation.finish()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    #expect(issues.count == 1, "\(issues)")
    #expect(issues.first?.text.hasPrefix("the test was cancelled after 1 ") == true, "\(issues)")
  }

  @Test func `a search that leaves schedules out prints how far it came`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      try await explore(schedules: 1, strategy: .random) { _ in
        await withTaskGroup { group in for _ in 0..<3 { group.addTask {} } }
      }
      try await explore(strategy: .exhaustive) { _ in }
    }
    let text = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    #expect(
      text.contains(/explore at ExploreTests\.swift:\d+ ran under \d schedules?; there are more\./),
      "\(text)"
    )
    #expect(text.matches(of: /explore at ExploreTests/).count == 1, "\(text)")
  }

  @Test func `a toolchain without hops as scheduling points is a warning`() async throws {
    let trait = Listed()
    let test = try #require(Test.current)
    try await trait.handling.provideScope(for: test, testCase: Test.Case.current) {
      await #expect(processExitsWith: .success) {
        SearchNeed.missingInTest.withLock { $0 = [.hops] }
        let findings = try await explore(strategy: .exhaustive) { _ in }
        #expect(findings.end == .partial)
      }
    }

    let comments = trait.comments.withLock(\.self)
    #expect(comments.count == 1)
    #expect(comments.first?.hasPrefix("hops between executors are not scheduling points") == true)
  }

  @Test func `a program that does not notice effects on other tasks is a warning`() async throws {
    let trait = Listed()
    let test = try #require(Test.current)
    try await trait.handling.provideScope(for: test, testCase: Test.Case.current) {
      await #expect(processExitsWith: .success) {
        SearchNeed.missingInTest.withLock { $0 = [.effects] }
        let findings = try await explore(strategy: .exhaustive) { _ in }
        #expect(findings.end == .partial)
      }
    }

    let comments = trait.comments.withLock(\.self)
    #expect(comments.count == 1)
    #expect(comments.first?.hasPrefix("this program does not notice code that cancels") == true)
  }

  @Test func `a program without scheduling points at locks is a warning`() async throws {
    let trait = Listed()
    let test = try #require(Test.current)
    try await trait.handling.provideScope(for: test, testCase: Test.Case.current) {
      await #expect(processExitsWith: .success) {
        SearchNeed.missingInTest.withLock { $0 = [.locks] }
        let findings = try await explore(strategy: .exhaustive, preempting: .locks) { _ in }
        #expect(findings.end == .partial)
      }
    }

    let comments = trait.comments.withLock(\.self)
    #expect(comments.count == 1)
    #expect(comments.first?.hasPrefix("'preempt locks' has no effect") == true)
  }

  private actor Box {
    func touch() {}
  }

  /// State that tasks share without an actor.
  private final class Words: Sendable {
    private let words = Mutex<[Int]>([])
    func add(_ word: Int) { words.withLock { $0.append(word) } }
    var all: [Int] { words.withLock(\.self) }
  }

  private static func addTwo() async -> [Int] {
    let (box, words) = (Box(), Words())
    await withTaskGroup { group in
      for word in 0..<2 {
        group.addTask {
          words.add(word)
          await box.touch()
        }
      }
    }
    return words.all
  }

  @Test
  func
    `random runs find races on state in a lock, which the systematic search excludes`()
    async throws
  {
    let issues = try await issues {
      try await explore { run in run.check(await Self.addTwo() == [0, 1], "in order") }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.text.hasPrefix("in order; cause: ") == true)

    let findings = try await explore(schedules: 200) { run in run.note("\(await Self.addTwo())") }
    #expect(findings.behaviours == 2)
    #expect(findings.end == .budget)
  }

  private final class Letters: Sendable {
    let text = Mutex("")
  }

  @Test func `a search with few random runs does not rely on actors`() async throws {
    let findings = try await explore(schedules: 2) { run in
      let letters = Letters()
      for pair in ["aA", "bB"] {
        Task.detached {
          for letter in pair {
            try? await Task.sleep(for: .seconds(1))
            letters.text.withLock { $0.append(letter) }
          }
        }
      }
      await run.settle()
    }
    #expect(findings.assumesIsolation)
    #expect(findings.end == .partial)
  }

  @Test func `a run that never settles is an issue after ten thousand behaviours, too`()
    async throws
  {
    let values = Array(0..<15)
    let issues = try await issues {
      try await explore(schedules: 11_000, strategy: .exhaustive) { run in
        let chosen = (0..<4).map { _ in run.choose(values) }
        run.note("\(chosen)")
        if chosen == [3, 0, 0, 3] { while true { try await Task.sleep(for: .seconds(1)) } }
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.text.contains("never settles") == true, "\(issues.map(\.text))")
  }

  @Test func `a seed that no other follows is an issue`() async throws {
    let issues = try await issues { try await explore(strategy: .random, seed: .max) { _ in } }
    #expect(
      issues.map(\.text) == [
        "'seed' is 18446744073709551615, and no 10000 seeds follow it; use a smaller one"
      ]
    )
  }

  @Test func `tasks that share state only through actors are explored completely`() async throws {
    let findings = try await explore { _ in
      let box = Box()
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { await box.touch() } }
      }
    }
    #expect(findings.end == .complete)
    #expect(findings.assumesIsolation)
  }

  /// The comments of the issues that Swift Testing lists.
  private final class Listed: Sendable {
    let comments = Mutex<[String]>([])

    var handling: IssueHandlingTrait {
      .compactMapIssues { issue in
        self.comments.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
        return nil
      }
    }
  }

  @Test func `an error of a scenario is an issue at the call of explore`() async throws {
    struct Refused: Error {}
    let line = #line + 2
    let issues = try await issues {
      try await explore { run in if run.choose([false, true]) { throw Refused() } }
    }

    #expect(issues.map(\.line) == [line])
    #expect(
      issues.first?.text.hasPrefix(
        "the scenario throws no error: Refused(); cause: 'choose' at ExploreTests.swift:\(line) is true; with false "
      ) == true
    )
  }

  @Test func `an issue says that the default schedule fails`() async throws {
    let issues = try await issues { try await explore { $0.check(false, "never") } }

    #expect(
      issues.map(\.text) == [
        """
        never
        in the default schedule, so every schedule may fail
        to replay it: try await explore(replaying: "") { … }
        """
      ]
    )
  }

  @Test func `a scenario that waits forever is an issue`() async throws {
    let issues = try await issues {
      try await explore { _ in
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }

    #expect(issues.first?.text.hasPrefix("the scenario returns: ") == true)
  }

  @Test func `work that is left at the end is an issue, unless it is allowed`() async throws {
    let scenario = { @MainActor @Sendable (_: ExploredRun) in
      _ = Task { try await Task.sleep(for: .seconds(1)) }
    }
    let issues = try await issues { try await explore(scenario) }

    #expect(issues.first?.text.hasPrefix("no work is left at the end: ") == true)
    try await explore(mayLeaveWork: true, scenario)
  }

  @Test func `an unawaited task that waits forever is an issue, unless it is allowed`()
    async throws
  {
    let scenario = { @MainActor @Sendable (_: ExploredRun) in
      _ = Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
    let issues = try await issues { try await explore(scenario) }

    #expect(issues.first?.text.contains("if this is intended, use 'mayLeaveWork: true'") == true)
    try await explore(mayLeaveWork: true, scenario)
  }

  private static let runs = Atomic(0)

  @Test func `a nondeterministic note is an issue`() async throws {
    let issues = try await issues {
      try await explore(strategy: .random) { run in
        run.note("run \(Self.runs.add(1, ordering: .relaxed).newValue)")
      }
    }

    #expect(issues.count == 1)
    #expect(issues.first?.text.contains("gave another result when it ran again") == true)
  }

  @Test func `the issue shows the notes in which two equal runs differ`() async throws {
    let issues = try await issues {
      try await explore { run in
        run.note("begins")
        run.note("run \(Self.runs.add(1, ordering: .relaxed).newValue)")
      }
    }

    let lines = issues.first?.text.split(separator: "\n") ?? []
    #expect(lines.dropFirst().first == "two runs:")
    #expect(lines.filter { $0.hasPrefix("-") || $0.hasPrefix("+") }.count == 2)
  }

  @Test func `the issue names the first step in which two equal runs differ`() async throws {
    let issues = try await issues {
      try await explore { run in
        let number = Self.runs.add(1, ordering: .relaxed).newValue
        try await Task.sleep(for: .seconds(number))
        run.note("run \(number)")
      }
    }

    let lines = issues.first?.text.split(separator: "\n") ?? []
    #expect(lines.dropFirst().first?.hasPrefix("job ") == true, "\(lines)")
    #expect(lines.dropFirst().first?.contains(": the first run ") == true)
  }

  @Test(arguments: [nil, Strategy.exhaustive])
  func `a nondeterministic number of choices is an issue and ends the search`(
    strategy: Strategy?
  ) async throws {
    let runs = Counter()
    let issues = try await issues {
      try await explore(strategy: strategy) { run in
        _ = run.choose([1, 2])
        let count = 1 + runs.next() % 5
        _ = run.choose(Array(0..<count))
        _ = run.choose(Array(0..<5))
      }
    }

    #expect(issues.count == 1)
    #expect(issues.first?.text.contains("gave another result when it ran again") == true)
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
  }

  @Test func `a failure by state of earlier runs says that the default schedule had passed`()
    async throws
  {
    let runs = Counter()
    let issues = try await issues {
      try await explore { run in
        _ = run.choose([1, 2, 3, 4, 5, 6])
        run.check(runs.next() < 4, "few")
      }
    }

    #expect(issues.first?.text.contains("the default schedule, which had passed before") == true)
  }

  @Test func `explore throws an error outside of a test`() async {
    let task = Task.detached { try await explore { _ in } }

    await #expect(throws: (any Error).self) { try await task.value }
  }

  @Test func `a scenario that never settles is an issue and ends the search`() async throws {
    let issues = try await issues {
      let findings = try await explore(limit: 100, mayLeaveWork: true) { _ in
        Task { while !Task.isCancelled { try await Task.sleep(for: .seconds(1)) } }
      }
      #expect(findings.runs == 1)
    }

    #expect(issues.count == 1)
    #expect(issues.first?.text.contains("more than 100 instants") == true)
  }

  @Test(arguments: [0, -1]) func `a search without runs is an issue`(schedules: Int) async throws {
    let issues = try await issues { try await explore(schedules: schedules) { _ in } }

    #expect(issues.map(\.text) == ["'schedules' is \(schedules), so nothing is explored"])
  }

  // MARK: Replaying

  @Test func `a replayed schedule fails in the same way`() async throws {
    let line = #line + 4
    let issues = try await issues {
      try await explore(replaying: "2:1") { run in
        let shown = try await Self.askTwice(run)
        #expect(shown == "swift")
      }
    }

    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.text.hasSuffix("+    4.000s  shows 'sw'") == true)
    try await explore(replaying: "") { run in
      let shown = try await Self.askTwice(run)
      #expect(shown == "swift")
    }
  }

  @Test func `a replayed schedule that passes has a warning`() async throws {
    let issues = try await issues {
      try await explore(replaying: "") { run in
        let shown = try await Self.askTwice(run)
        #expect(shown == "swift")
      }
      try await explore(replaying: "", generating: 2) { _ in [GeneratedOperation("none") {}] }
      try await explore(replaying: "", generating: 2, against: 0) { _ in
        [ComparedOperation("none", model: { _ in }) {}]
      }
    }

    let text =
      "the scenario ran under the default schedule only, because of 'replaying': remove it after you have repaired the failure"
    #expect(issues.map(\.text) == [text, text, text])
  }

  @Test(arguments: [
    ("1:2", "scheduling point 1 has 2 choices"), ("2:1", "the run ends after 1 scheduling point\n"),
    ("t2@1:t1", "there is no task t2\n"), ("t1@1:t2", "task t2 cannot run before t1@1\n"),
    ("v1:2", "value 1 has 2 choices, 0 to 1\n"), ("v3:1", "the run has only 1 value\n"),
  ])
  func `a schedule that does not fit is an issue`(schedule: String, reason: String) async throws {
    let issues = try await issues {
      try await explore(replaying: schedule) { run in _ = run.choose([1, 2]) }
    }

    #expect(issues.count == 1)
    #expect(issues.first?.text.contains("'\(schedule)' does not fit: \(reason)") == true)
  }

  @Test func `an invalid schedule is an issue`() async throws {
    let issues = try await issues { try await explore(replaying: "once") { _ in } }

    #expect(issues.first?.text.hasPrefix("'once' is not a schedule") == true)
    let text = try await self.issues { try await explore(replaying: "1:1 t1:4") { _ in } }.first?
      .text
    #expect(
      text?.hasPrefix("'1:1 t1:4' is not a schedule because of 't1:4'; examples are ") == true
    )
  }

  // MARK: Loadables

  @MainActor @Observable final class Profile: LoadableSupport {
    var name: LoadableState<String> = .absent

    func load(_ text: String, _ run: ExploredRun) {
      load(\.name) {
        try await Task.sleep(for: run.choose([.seconds(1), .seconds(2), .seconds(3)]))
        return text
      }
    }
  }

  @Test func `a loadable shows the latest request under every schedule`() async throws {
    let findings = try await explore { run in
      let profile = Profile()
      profile.load("Ada", run)
      try await Task.sleep(for: .seconds(run.choose([1, 2])))
      profile.load("Grace", run)
      await run.settle()
      #expect(profile.name == .loaded("Grace"))
    }

    #expect(findings.end == .complete)
    #expect(findings.runs > 20)
  }
}
