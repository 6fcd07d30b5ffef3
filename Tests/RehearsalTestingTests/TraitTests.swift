import Exploring
import Foundation
import RehearsalTesting
import Staging
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tests with `.rehearsed` or `.explored`.
@Suite struct TraitTests {
  /// Performs a function as the body of a test with a trait, and returns the recorded issues with their lines; with
  /// `warnings`, only the warnings.
  private func issues(
    _ trait: RehearsalTrait,
    warnings: Bool = false,
    _ body: @concurrent @Sendable () async throws -> Void
  ) async throws -> [(line: Int?, text: String)] {
    let issues = Mutex<[(line: Int?, text: String)]>([])
    let test = try #require(Test.current)
    try await withKnownIssue(isIntermittent: true) {
      try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
    } matching: { issue in
      guard case .unconditional = issue.kind, issue.isFailure != warnings else { return false }
      issues.withLock { $0.append((issue.sourceLocation?.line, "\(issue.comments.first ?? "")")) }
      return true
    }
    return issues.withLock(\.self)
  }

  @MainActor private final class Screen {
    var shown = ""
    func ask(_ text: String) { Task { shown = text } }
  }

  // MARK: Runs

  @Test(.rehearsed) func `an hour takes no time`() async throws {
    let clock = ContinuousClock()
    let start = clock.now
    try await Task.sleep(for: .seconds(3_600))
    #expect(start.duration(to: clock.now) == .seconds(3_600))
  }

  @Test func `every schedule runs`() async throws {
    let seen = Mutex<[String]>([])
    let issues = try await issues(.explored) {
      let screen = Screen()
      await screen.ask("a")
      await screen.ask("b")
      try await Task.sleep(for: .seconds(1))
      let shown = await screen.shown
      seen.withLock { $0.append(shown) }
    }
    #expect(issues.isEmpty)
    #expect(Set(seen.withLock(\.self)) == ["a", "b"])
  }

  @Test func `one run without a search`() async throws {
    let runs = Atomic(0)
    let issues = try await issues(.rehearsed) {
      await withTaskGroup { group in for _ in 0..<3 { group.addTask {} } }
      runs.wrappingAdd(1, ordering: .relaxed)
    }
    #expect(issues.isEmpty)
    #expect(runs.load(ordering: .relaxed) == 1)
  }

  #if os(Linux) && canImport(Glibc)
  @Test func `a test that waits for a suspended queue of operations names it`() async throws {
    let issues = try await issues(.rehearsed) {
      await withUnsafeContinuation { answer in
        let queue = OperationQueue()
        queue.isSuspended = true
        queue.addOperation { answer.resume() }
      }
    }
    let text = issues.map(\.text).joined()
    #expect(text.contains("OperationQueue is suspended with 1 operation"), "\(text)")
    #expect(text.contains("added in closure in TraitTests."))
  }

  @Test func `what a handler of Dispatch gives to the main queue runs in the test`() async throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data([1]))
    let warnings = try await issues(.rehearsed, warnings: true) {
      let isInTest = await withCheckedContinuation { answer in
        DispatchIO.read(
          fromFileDescriptor: pipe.fileHandleForReading.fileDescriptor,
          maxLength: 1,
          runningHandlerOn: .global()
        ) { _, _ in
          DispatchQueue.main.async {
            answer.resume(returning: Stage.current != nil && Thread.isMainThread)
          }
        }
      }
      #expect(isInTest)
    }
    #expect(
      warnings.map(\.text).contains {
        $0.hasPrefix("DispatchQueue.main.async by another thread in TraitTests.")
          && $0.contains("outside of virtual time")
      },
      "\(warnings)"
    )
  }

  /// An asynchronous operation that no code finishes.
  private final class Upload: Operation, @unchecked Sendable {
    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { true }
    override var isFinished: Bool { false }
    override func start() {}
  }

  @Test func `a test that waits for an operation which never finishes names it`() async throws {
    let issues = try await issues(.rehearsed) {
      await withUnsafeContinuation { answer in
        let upload = Upload()
        upload.completionBlock = { answer.resume() }
        OperationQueue().addOperation(upload)
      }
    }
    let text = issues.map(\.text).joined()
    #expect(text.contains("an operation of class 'Upload' of OperationQueue, added in "), "\(text)")
    #expect(text.contains("has started and not finished"))
  }
  #endif

  @Test(.explored, arguments: [1, 2, 3])
  func `each argument has its own search`(seconds: Int) async throws {
    let sum = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<2 { group.addTask { seconds } }
      return await group.reduce(0, +)
    }
    #expect(sum == 2 * seconds)
  }

  @Test(.explored) func `confirmations and known issues belong to their run`() async throws {
    await confirmation(expectedCount: 2) { confirm in
      await withTaskGroup { group in for _ in 0..<2 { group.addTask { confirm() } } }
    }
    withKnownIssue { #expect(Bool(false)) }
  }

  // MARK: Failures

  @Test func `a failure is an issue at its line, with the trait that replays it`() async throws {
    let race: @concurrent @Sendable () async throws -> Void = {
      let screen = Screen()
      await screen.ask("old")
      await screen.ask("new")
      try await Task.sleep(for: .seconds(1))
      let shown = await screen.shown
      #expect(shown == "new")
    }
    let line = #line - 2
    let issues = try await issues(.explored, race)
    #expect(issues.map(\.line) == [line])
    let text = try #require(issues.first?.text)
    let replay = try #require(
      text.firstMatch(of: /@Test\(\.explored\(replaying: "([^"]+)"\)\)$/)
    )
    #expect(text.contains("cause: "))

    let again = try await self.issues(.explored(replaying: String(replay.1)), race)
    #expect(again.map(\.line) == [line])
    #expect(try await self.issues(.rehearsed, race).isEmpty)
  }

  @Test func `a thrown error, and a test that never ends, are issues`() async throws {
    let thrown = try await issues(.rehearsed) { throw CocoaError(.fileNoSuchFile) }
    #expect(thrown.count == 1)
    #expect(thrown.first?.text.contains("CocoaError") == true)

    let endless = try await issues(.explored) {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    #expect(endless.count == 1)
    #expect(endless.first?.text.contains("TraitTests.swift") == true)
  }

  @Test func `a crash is an issue, and other tests continue`() async throws {
    let issues = try await issues(.explored) {
      let screen = Screen()
      await screen.ask("old")
      await screen.ask("new")
      try await Task.sleep(for: .seconds(1))
      let shown = await screen.shown
      precondition(shown == "new")
    }
    #expect(issues.count == 1)
    #expect(issues.first?.text.hasPrefix("no run crashes: it crashed, by ") == true)
    #expect(issues.first?.text.contains("@Test(.explored(replaying: ") == true)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [RehearsalTrait.rehearsed, .explored, .explored(mayLeaveWork: true)]
  )
  func `a time limit counts virtual time`(trait: RehearsalTrait) async throws {
    let late: [@concurrent @Sendable () async throws -> Void] = [
      { try await Task.sleep(for: .seconds(61)) },
      {
        try await Task.sleep(for: .seconds(61))
        throw CancellationError()
      },
      { while true { try await Task.sleep(for: .milliseconds(100)) } },
    ]
    for body in late {
      let issues = try await issues(trait, body)
      #expect(issues.count == 1)
      let text =
        "the test ends within its time limit: it has not ended after 60.0 seconds of virtual time"
      #expect(issues.first?.text.hasPrefix(text) == true)
    }
    #expect(try await self.issues(trait) { try await Task.sleep(for: .seconds(60)) }.isEmpty)
  }

  @Test(.timeLimit(.minutes(1))) func `a time limit is for the test, and not for what it leaves`()
    async throws
  {
    let body: @concurrent @Sendable () async throws -> Void = {
      Task { try await Task.sleep(for: .seconds(90)) }
      try await Task.sleep(for: .seconds(59))
    }
    #expect(try await issues(.rehearsed, body).isEmpty)
    #expect(try await issues(.explored(mayLeaveWork: true), body).isEmpty)
  }

  @Test func `a crash of a single run is an issue, and other tests continue`() async throws {
    let issues = try await issues(.rehearsed) {
      let screen = Screen()
      await screen.ask("old")
      let shown = await screen.shown
      precondition(shown == "new")
    }
    #expect(issues.count == 1)
    let text = issues.first?.text ?? ""
    #expect(text.hasPrefix("no run crashes: it crashed, by "), "\(text)")
    #expect(text.contains("with '@Test(.explored(replaying: \"\"))' the crash ends the tests"))
  }

  @Test func `work that is left is an issue, unless it may be`() async throws {
    let body: @concurrent @Sendable () async throws -> Void = {
      Task { try await Task.sleep(for: .seconds(9)) }
    }
    #expect(try await issues(.explored, body).count == 1)
    #expect(try await issues(.explored(mayLeaveWork: true), body).isEmpty)
    #expect(try await issues(.rehearsed, body).isEmpty)
  }

  // MARK: Cancelled tests

  /// Named as the error of `Test.cancel`.
  private struct SkipInfo: Error {}

  /// A test that cancels itself, and its issues.
  private final class CancelledTest: Sendable {
    private let task = Mutex<Task<Void, any Error>?>(nil)
    private let issues = Mutex<[String]>([])

    func cancel() { task.withLock { $0?.cancel() } }

    /// Returns the issues of the test.
    func issues(
      _ trait: RehearsalTrait,
      _ body: @escaping @concurrent @Sendable (CancelledTest) async throws -> Void
    ) async throws -> [String] {
      let test = try #require(Test.current)
      let testCase = Test.Case.current
      let begin = AsyncStream<Void>.makeStream()
      let work = Task {
        for await _ in begin.stream {}
        try await withKnownIssue(isIntermittent: true) {
          try await trait.provideScope(for: test, testCase: testCase) { try await body(self) }
        } matching: { issue in
          if issue.error is CancellationError { return true }
          self.issues.withLock { $0.append("\(issue.kind) \(issue.comments.first ?? "")") }
          return true
        }
      }
      task.withLock { $0 = work }
      begin.continuation.finish()
      try await work.value
      return issues.withLock(\.self)
    }
  }

  @Test func `failures before the cancellation of a test count`() async throws {
    for trait in [RehearsalTrait.rehearsed, .explored] {
      let failed = try await CancelledTest().issues(trait) { test in
        #expect(Bool(false))
        test.cancel()
        throw SkipInfo()
      }
      let skipped = try await CancelledTest().issues(trait) { test in
        test.cancel()
        throw SkipInfo()
      }

      #expect(failed.count == 1)
      #expect(failed.first?.contains("Bool(false)") == true, "\(failed)")
      #expect(skipped == [])
      let thrown = try await CancelledTest().issues(trait) { _ in throw SkipInfo() }
      #expect(thrown.count == 1, "without a cancellation, the error is a failure")
    }
  }

  @Test func `a search that a cancellation ends is named`() async throws {
    let issues = try await CancelledTest().issues(.explored) { test in
      let order = await withTaskGroup(of: Int.self) { group in
        for number in 0..<2 { group.addTask { number } }
        return await group.reduce(into: [Int]()) { $0.append($1) }
      }
      guard order == [1, 0] else { return }
      test.cancel()
      throw SkipInfo()
    }

    #expect(issues.count == 1)
    #expect(issues.first?.contains("the test was cancelled after ") == true, "\(issues)")
  }

  @Test func `a cancellation in the default schedule is named if there are others`() async throws {
    let issues = try await CancelledTest().issues(.explored) { test in
      await withTaskGroup { group in for _ in 0..<2 { group.addTask {} } }
      test.cancel()
      throw SkipInfo()
    }

    #expect(issues.count == 1)
    let text = "the test was cancelled after 1 distinct schedule: the others were not tried"
    #expect(issues.first?.contains(text) == true, "\(issues)")
  }

  // MARK: Code that does not return

  /// Has an element at once, always.
  private struct Endless: AsyncSequence {
    struct AsyncIterator: AsyncIteratorProtocol {
      func next() async -> Int? { 1 }
    }
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
  }

  @Test(.rehearsed) func `a loop without a suspension can be cancelled after a sleep`() async throws
  {
    let task = Task { for await _ in Endless() where Task.isCancelled { break } }
    try await Task.sleep(for: .seconds(1))
    task.cancel()
    await task.value
  }

  @Test(.explored(schedules: 50)) func `a loop without a suspension can be cancelled`() async {
    let task = Task { for await _ in Endless() where Task.isCancelled { break } }
    await Task.yield()
    task.cancel()
    await task.value
  }

  @Test func `a loop that nothing ends is an issue with its line`() async throws {
    for trait in [RehearsalTrait.rehearsed, .explored] {
      let line = #line + 2
      let issues = try await issues(trait) {
        for await _ in Endless() {}
      }
      let text = try #require(issues.first?.text)
      #expect(issues.count == 1)
      #expect(text.hasPrefix("no thread blocks forever: a loop in "))
      #expect(
        text.contains("never ends: it never suspends its task, and nothing else is left to do")
      )
      #expect(text.contains("TraitTests.swift:\(line)"))
    }
  }

  @MainActor private static func step() async {}

  /// On several threads, too, code of the main actor could not end it.
  @Test func `a loop that keeps the main actor is an issue`() async throws {
    let issues = try await issues(.rehearsed) { @MainActor in
      let task = Task { @MainActor in while !Task.isCancelled { await Self.step() } }
      Task { @MainActor in
        try await Task.sleep(for: .seconds(1))
        task.cancel()
      }
      await task.value
    }
    #expect(issues.count == 1)
    #expect(issues.first?.text.hasPrefix("no thread blocks forever: a loop in ") == true)
  }

  @Test func `a test that calls exit is an issue`() async throws {
    for trait in [RehearsalTrait.rehearsed, .explored, .explored(replaying: "")] {
      let texts = try await issues(trait) { exit(0) }.map(\.text)
      #expect(texts.count == 1)
      #expect(texts.first?.hasPrefix("no run ends the process: it called exit(0)") == true)
    }
  }

  #if canImport(FoundationNetworking)
  @Test func `a request to a server is named`() async throws {
    let warnings = try await issues(.rehearsed, warnings: true) {
      // The answer does not matter: nothing listens there.
      guard let url = URL(string: "http://127.0.0.1:9/") else { return }
      URLSession.shared.dataTask(with: url) { _, _, _ in }.resume()
    }
    #expect(
      warnings.map(\.text).contains {
        $0.hasPrefix("a request of URLSession") && $0.contains("outside of virtual time")
      }
    )
  }

  #if os(Linux) && canImport(Glibc)
  @Test func `what the handler of a request gives to the main queue runs in the test`() async throws
  {
    let warnings = try await issues(.rehearsed, warnings: true) {
      guard let url = URL(string: "http://127.0.0.1:9/") else { return }
      let session = URLSession(configuration: .ephemeral)
      let isInTest = await withCheckedContinuation { answer in
        session.dataTask(with: url) { _, _, _ in
          DispatchQueue.main.async { answer.resume(returning: Stage.current != nil) }
        }.resume()
      }
      #expect(isInTest)
    }
    #expect(
      warnings.map(\.text).contains {
        $0.hasPrefix("DispatchQueue.main.async by another thread in TraitTests.")
      },
      "\(warnings)"
    )
  }
  #endif
  #endif

  // MARK: Wrong use

  @Test func `a test with only one schedule is a warning`() async throws {
    let warnings = try await issues(.explored, warnings: true) { #expect(Bool(true)) }
    #expect(warnings.count == 1)
    #expect(warnings.first?.text.hasPrefix("'.explored' has nothing to vary") == true)
    #expect(try await issues(.rehearsed, warnings: true) {}.isEmpty)
  }

  @Test(Warnings("'.explored' is the trait of a test without 'async'"), .explored)
  func `a search of a test without async is a warning`() {
    Task {}
  }

  @Test(Warnings("'.rehearsed' is the trait of a test without 'async'"), .rehearsed)
  func `a run of a test without async is a warning`() throws {}

  @Test(Warnings(), .rehearsed) func `a run of a test with async is none`() async {}

  // The trait of a suite is around those of the suites in it, so their warnings come first.
  @Suite(
    SuiteIssues(
      warnings:
        "'.explored' is the trait of a suite with tests without 'async': 'd(number:)'. Their ",
      "'.explored' is the trait of a suite with tests without 'async': 'a()', 'b()'. Their "
    ),
    .explored
  )
  struct Inherited {
    @Test(Warnings()) func b() {}
    @Test(Warnings()) func a() {}
    @Test(Warnings()) func c() async {
      await withTaskGroup { group in for _ in 0..<2 { group.addTask {} } }
    }

    @Suite struct Inner {
      @Test(Warnings(), arguments: [1, 2]) func d(number: Int) { #expect(number > 0) }
    }
  }

  @Test func `a schedule that stays after the repair is a warning`() async throws {
    let body: @concurrent @Sendable () async throws -> Void = { #expect(Bool(true)) }
    let replaying = try await issues(.explored(replaying: ""), warnings: true, body)
    #expect(
      replaying.map(\.text) == [
        """
        the test ran under the default schedule only, because of 'replaying': remove it after you have repaired the failure
        """
      ]
    )
    #expect(try await issues(.rehearsed, warnings: true, body).isEmpty)
  }

  @Test func `a schedule of another test is not replayed`() async throws {
    // This test has no decision, so the schedule does not fit.
    let body: @concurrent @Sendable () async throws -> Void = {}
    #expect(try await issues(.explored(replaying: "5:1"), body).count == 1)
    #expect(try await issues(.explored(replaying: "5:1", in: "another"), body).isEmpty)
    let name = "a schedule of another test is not replayed"
    #expect(try await issues(.explored(replaying: "5:1", in: name), body).count == 1)
  }

  @Test func `a name of no argument is one warning`() async throws {
    let trait: RehearsalTrait = .explored(replaying: "1:1", in: "61")
    let warnings = try await issues(trait, warnings: true) {}
    #expect(
      warnings.map(\.text) == [
        "'replaying' is not for all arguments of the test: the others ran under the default schedule only"
      ]
    )
    #expect(try await issues(trait, warnings: true) {}.isEmpty)
  }

  @Test func `a budget of zero is an issue`() async throws {
    let texts = try await issues(.explored(schedules: 0)) {}.map(\.text)
    #expect(texts == ["'schedules' is 0, so nothing is explored"])
  }

  @Test func `a limit of zero is an issue`() async throws {
    let texts = try await issues(.explored(limit: 0)) {}.map(\.text)
    #expect(texts == ["'limit' is 0, but it is at least 1 instant"])
    let others = try await issues(.explored(stopAfter: 0)) {}.map(\.text)
    #expect(others == ["'stopAfter' is 0, but it is at least 1 run"])
  }

  @Test(
    Errors("'.explored' and '.rehearsed' are traits of one test: keep one"),
    .explored,
    .rehearsed
  )
  func `two traits are an issue`() async {}

  @Suite(
    SuiteIssues(warnings: "'replaying' is for 'tihs', but no test or argument with this name ran"),
    .explored(replaying: "1:1", in: "tihs")
  )
  struct Misspelt {
    @Test func this() async {}
  }

  @Suite(
    SuiteIssues(warnings: "the test ran under the default schedule only"),
    .explored(replaying: "", in: "another")
  )
  struct Replayed {
    @Test func this() async {}
    @Test func another() async {}
  }

  @Suite(
    Errors("'.rehearsed' and '.explored' are traits of one suite: keep one"),
    .rehearsed,
    .explored
  )
  struct Several {
    @Test func `a test in it runs`() async {
      await withTaskGroup { group in for _ in 0..<2 { group.addTask {} } }
    }
  }

  @Test func `a schedule that is none is an issue`() async throws {
    let texts = try await issues(.explored(replaying: "x")) {}.map(\.text)
    #expect(texts.count == 1 && texts.first?.hasPrefix("'x' is not a schedule") == true)
  }

  @Test func `a search within a search is an issue`() async throws {
    let issues = try await issues(.explored) { try await explore { _ in } }
    #expect(issues.count == 1)
    #expect(issues.first?.text.contains("remove one of the two") == true)
  }
}

/// The trait of a suite holds for its tests, and that of a test replaces it.
@Suite(.explored) struct SuiteTraitTests {
  private static let runs = Atomic(0)

  @Test func `the time is virtual`() async throws {
    try await Task.sleep(for: .seconds(86_400))
  }

  @Test(.rehearsed) func `the trait of the test holds`() async throws {
    await withTaskGroup { group in for _ in 0..<3 { group.addTask {} } }
    #expect(Self.runs.wrappingAdd(1, ordering: .relaxed).newValue == 1)
  }

  struct Inner {
    @Test(arguments: 1...2) func `the trait of the outer suite holds`(days: Int) async throws {
      try await Task.sleep(for: .seconds(86_400 * days))
    }
  }
}

/// Expects the warnings of each test that it is the trait of.
private struct Warnings: TestTrait, SuiteTrait, TestScoping {
  let beginnings: [String]
  let isRecursive = true

  init(_ beginnings: String...) { self.beginnings = beginnings }

  init(_ beginnings: [String]) { self.beginnings = beginnings }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let warnings = Mutex<[String]>([])
    try await withKnownIssue(isIntermittent: true) {
      try await function()
    } matching: { issue in
      guard !issue.isFailure else { return false }
      warnings.withLock { $0.append("\(issue.comments.first ?? "")") }
      return true
    }
    let found = warnings.withLock(\.self)
    #expect(found.count == beginnings.count)
    #expect(zip(found, beginnings).allSatisfy { $0.hasPrefix($1) })
  }
}

/// Expects the warnings of a suite, without those of its tests.
private struct SuiteIssues: SuiteTrait, TestScoping {
  let warnings: [String]

  init(warnings: String...) { self.warnings = warnings }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { test.isSuite ? self : nil }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await Warnings(warnings).provideScope(for: test, testCase: testCase, performing: function)
  }
}

/// Takes the issues of a test or a suite, which must have these texts.
private struct Errors: TestTrait, SuiteTrait, TestScoping {
  let texts: [String]

  init(_ texts: String...) { self.texts = texts }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    test.isSuite || testCase != nil ? self : nil
  }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let errors = Mutex<[String]>([])
    try await withKnownIssue(isIntermittent: true) {
      try await function()
    } matching: { issue in
      guard issue.isFailure else { return false }
      errors.withLock { $0.append("\(issue.comments.first ?? "")") }
      return true
    }
    #expect(errors.withLock(\.self) == texts)
  }
}
