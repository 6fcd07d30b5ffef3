import Dispatch
import Foundation
import Synchronization
import Testing
import XCTest

@testable import RehearsalTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tests of XCTest in virtual time, which XCTest performs.
final class RehearsedXCTests: RehearsalTestCase {
  private var start: ContinuousClock.Instant?

  override func setUp() async throws {
    start = .now
    try await Task.sleep(for: .seconds(5))
  }

  func testTimeIsVirtual() async throws {
    try await Task.sleep(for: .seconds(100))
    XCTAssertEqual(start?.duration(to: .now), .seconds(105))
  }

  @MainActor func testOnTheMainActor() async throws {
    try await Task.sleep(for: .seconds(1))
    XCTAssertEqual(start?.duration(to: .now), .seconds(6))
  }

  func testAsynchronousExpectation() async {
    let start = Date()
    let isOver = expectation(description: "the task ends")
    Task {
      try? await Task.sleep(for: .seconds(20))
      isOver.fulfill()
    }
    await fulfillment(of: [isOver], timeout: 30)
    XCTAssertEqual(Date().timeIntervalSince(start), 20)

    let never = expectation(description: "nothing happens")
    never.isInverted = true
    await fulfillment(of: [never], timeout: 0.5)
    XCTAssertEqual(Date().timeIntervalSince(start), 20.5)
  }

  func testAnHour() async throws {
    try await Task.sleep(for: .seconds(3_600))
    XCTAssertEqual(start?.duration(to: .now), .seconds(3_605))
  }

  func testExpectation() {
    let isOver = expectation(description: "the block runs")
    DispatchQueue.main.asyncAfter(deadline: .now() + 30) { isOver.fulfill() }
    wait(for: [isOver], timeout: 60)
  }
}

/// Tests of XCTest under every schedule. Each run has an instance of its own.
final class ExploredXCTests: ExploredTestCase {
  private var values: [Int] = []

  override func setUp() async throws {
    XCTAssertEqual(values, [])
    values.append(0)
  }

  func testEachRunHasANewInstance() async {
    let sum = await withTaskGroup { group in
      for value in 1...2 { group.addTask { value } }
      return await group.reduce(0, +)
    }
    values.append(sum)
    XCTAssertEqual(values, [0, 3])
  }
}

/// Parts of tests of XCTest in virtual time.
final class ClosureXCTests: XCTestCase {
  func testRehearsed() async throws {
    try await rehearsed {
      let start = ContinuousClock.now
      try await Task.sleep(for: .seconds(3_600))
      XCTAssertEqual(start.duration(to: .now), .seconds(3_600))
    }
  }

  @MainActor func testExplored() async throws {
    var seen: Set<String> = []
    try await explored {
      let screen = Screen()
      for text in ["a", "b"] { screen.ask(text) }
      try await Task.sleep(for: .seconds(1))
      seen.insert(screen.shown)
    }
    XCTAssertEqual(seen, ["a", "b"])
  }
}

@MainActor private final class Screen {
  private(set) var shown = ""
  func ask(_ text: String) { Task { shown = text } }
}

/// How code of a run is called.
enum Caller: String, CaseIterable, Sendable {
  case task, detachedTask, queue, mainQueue, taskOfQueue, detachedTaskOfQueue, operation

  @MainActor func perform(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      let call = { @Sendable in
        body()
        done.resume()
      }
      switch self {
      case .task: Task { call() }
      case .detachedTask: Task.detached { call() }
      case .queue: DispatchQueue.global().async { call() }
      case .mainQueue: DispatchQueue.main.async { call() }
      case .taskOfQueue: DispatchQueue.global().async { Task { call() } }
      case .detachedTaskOfQueue: DispatchQueue.global().async { Task.detached { call() } }
      case .operation: OperationQueue().addOperation { call() }
      }
    }
  }
}

private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

@concurrent private func orderOfTwoTasks() async -> [Int] {
  await withTaskGroup(of: Int.self) { group in
    for number in 0..<2 { group.addTask { number } }
    return await group.reduce(into: []) { $0.append($1) }
  }
}

/// Tests that perform tests of XCTest, which cannot perform two at a time.
@Suite(.serialized) enum SerialXCTests {}

extension SerialXCTests {
  /// Failing tests of XCTest.
  @Suite struct RehearsalTestCaseTests {
    private final class Rehearsed: RehearsalTestCase {
      override var testRunClass: AnyClass? { Run.self }
    }

    private final class Explored: ExploredTestCase {
      override var testRunClass: AnyClass? { Run.self }
    }

    /// Is skipped before its tests, unless the tasks have the order of the default schedule.
    private final class SkippedInSetUp: ExploredTestCase {
      override var testRunClass: AnyClass? { Run.self }

      override func setUp() async throws {
        if await orderOfTwoTasks() == [1, 0] { throw XCTSkip("later") }
      }
    }

    /// Sets a value in `invokeTest`, as by `withDependencies`.
    private final class Configured: ExploredTestCase {
      override class var trait: RehearsalTrait { .explored(schedules: 20, limit: 50) }
      override var testRunClass: AnyClass? { Run.self }
      var isConfigured = false

      override func invokeTest() {
        isConfigured = true
        super.invokeTest()
      }

      func isConfiguredInEachRun() async {
        _ = await orderOfTwoTasks()
        XCTAssertTrue(isConfigured)
      }

      func polls() async throws {
        _ = await orderOfTwoTasks()
        for _ in 0..<100 { try await Task.sleep(for: .seconds(1)) }
      }
    }

    private final class Plain: XCTestCase {
      override var testRunClass: AnyClass? { Run.self }
    }

    private final class Run: XCTestCaseRun {
      var failures: [String] = []

      override func recordFailure(
        withDescription description: String,
        inFile filePath: String?,
        atLine lineNumber: Int,
        expected: Bool
      ) {
        failures.append(description)
      }
    }

    private func perform(_ body: @escaping @Sendable () async throws -> Void) -> Run {
      let test = Rehearsed(name: "test") { test in
        try asyncTest { (_: Rehearsed) in body }(test as! Rehearsed)()
      }
      test.run()
      return test.testRun as! Run
    }

    private static let race: @MainActor @Sendable () async throws -> Void = {
      let shown = try await latest()
      XCTAssertEqual(shown, "new")
    }

    @MainActor private static func latest() async throws -> String {
      let screen = Screen()
      screen.ask("old")
      screen.ask("new")
      try await Task.sleep(for: .seconds(1))
      return screen.shown
    }

    @Test func `a failing schedule is one failure, with the trait that replays it`() throws {
      let test = Explored(name: "test") { test in
        try asyncTest { (_: Explored) in Self.race }(test as! Explored)()
      }
      test.run()
      let failures = try #require(test.testRun as? Run).failures
      let text = try #require(failures.first)
      #expect(failures.count == 1)
      #expect(text.contains("XCTAssertEqual failed: (\"old\") is not equal to (\"new\")"))
      #expect(text.contains(" (both created at RehearsedXCTests.swift:"))
      #expect(
        text.contains(
          /to replay it: override class var trait: RehearsalTrait \{ \.explored\(replaying: "[0-9: -]+", in: "test"\) \}$/
        )
      )
    }

    @Test func `a transcript can fail a test of XCTest`() {
      let test = Plain(name: "test") { _ in failTestOfXCTest("a.transcript:1: output differs") }
      test.run()
      #expect(
        (test.testRun as? Run)?.failures.contains { $0.contains("a.transcript:1: output differs") }
          == true
      )
    }

    private func failures(
      of method: @escaping (Configured) -> () async throws -> Void
    ) -> [String] {
      let test = Configured(name: "test") { test in try asyncTest(method)(test as! Configured)() }
      test.run()
      return (test.testRun as? Run)?.failures ?? ["no run"]
    }

    @Test func `invokeTest of a class surrounds each run`() {
      #expect(failures(of: Configured.isConfiguredInEachRun) == [])
    }

    @Test func `a given limit holds in a test of XCTest`() {
      #expect(failures(of: Configured.polls).count == 1)
    }

    @Test func `a failing schedule of a closure is one failure, with the call that replays it`()
      throws
    {
      let test = Plain(name: "test") { test in
        try asyncTest { (test: Plain) in { try await test.explored { try await Self.race() } } }(
          test as! Plain
        )()
      }
      test.run()
      let failures = try #require(test.testRun as? Run).failures
      #expect(failures.count == 1)
      #expect(
        failures.first?.contains(
          /to replay it: try await explored\(replaying: "[0-9: -]+"\) \{ … \}$/
        )
          == true
      )
    }

    @Test(arguments: Caller.allCases)
    func `an expectation of Swift Testing fails a test of XCTest`(caller: Caller) throws {
      let body = { @MainActor @Sendable in await caller.perform { #expect(Bool(false), "no") } }
      let rehearsed = perform(body)
      #expect(rehearsed.failures.count == 1)
      #expect(rehearsed.failures.first?.contains("no") == true)
      let test = Explored(name: "test") { test in
        try asyncTest { (_: Explored) in
          {
            let order = await orderOfTwoTasks()
            await caller.perform { #expect(order == [0, 1], "no") }
          }
        }(test as! Explored)()
      }
      test.run()
      let failures = (test.testRun as? Run)?.failures ?? []
      #expect(failures.count == 1, "\(failures)")
      #expect(failures.first?.contains("to replay it") == true)
    }

    @Test func `a single run of a closure records each failure`() throws {
      let test = Plain(name: "test") { test in
        try asyncTest { (test: Plain) in
          {
            try await test.rehearsed {
              XCTAssertEqual(1, 2)
              XCTFail("no")
            }
          }
        }(test as! Plain)()
      }
      test.run()
      #expect(try #require(test.testRun as? Run).failures.count == 2)
    }

    @Test func `an async test that never ends is a failure, with what its task waits for`() throws {
      let failures = perform {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }.failures
      #expect(failures.count == 1)
      let text = try #require(failures.first)
      #expect(
        text.hasPrefix(
          "no thread blocks forever: nothing is left to do, and the test still waits: task "
        )
      )
      #expect(text.contains(" waits for a continuation that nothing has resumed\n  in "))
      #expect(text.contains("RehearsedXCTests.swift:"))
    }

    @Test func `a test that calls exit is a failure`() {
      let failures = perform { exit(0) }.failures
      #expect(failures == ["no run ends the process: it called exit(0)"])
    }

    @Test func `all failures of a test are recorded`() {
      let run = perform {
        XCTAssertEqual(1, 2)
        XCTFail("no")
        throw CocoaError(.fileNoSuchFile)
      }
      #expect(run.failures.count == 3)
    }

    @Test func `a blocking call that never ends is a failure`() {
      let test = Rehearsed(name: "test") { _ in DispatchSemaphore(value: 0).wait() }
      test.run()
      let failures = (test.testRun as? Run)?.failures
      #expect(failures?.count == 1)
      #expect(failures?.first?.contains("DispatchSemaphore.wait") == true)
    }

    @Test func `a blocking call of an async test is named`() {
      let failures = perform { wait(for: DispatchSemaphore(value: 0)) }.failures
      #expect(failures.count == 1)
      let text = failures.first ?? ""
      #expect(
        text.hasPrefix("no thread blocks forever: DispatchSemaphore.wait in wait()"),
        "\(text)"
      )
    }

    @Test func `a skipped test is reported`() {
      let run = perform { throw XCTSkip("later") }
      #expect(run.failures.isEmpty)
      #expect(run.hasBeenSkipped)
    }

    @Test func `a skipped test of an explored class is reported, and has no warning`() {
      let test = Explored(name: "test") { test in
        try asyncTest { (_: Explored) in { throw XCTSkip("later") } }(test as! Explored)()
      }
      test.run()
      let run = test.testRun as? Run
      #expect(run?.failures == [])
      #expect(run?.hasBeenSkipped == true)
      #expect(test.warnings.texts == [])
    }

    @Test func `a test that is skipped in some schedules has a warning`() {
      let test = Explored(name: "test") { test in
        try asyncTest { (_: Explored) in
          {
            if await orderOfTwoTasks() == [1, 0] { throw XCTSkip("later") }
          }
        }(test as! Explored)()
      }
      test.run()
      #expect((test.testRun as? Run)?.failures == [])
      #expect(
        test.warnings.texts == ["'XCTSkip' ended the test in some schedules: they count as passed"]
      )
    }

    @Test func `a test that the default schedule skips is searched`() {
      let test = Explored(name: "test") { test in
        try asyncTest { (_: Explored) in
          {
            let order = await orderOfTwoTasks()
            if order == [0, 1] { throw XCTSkip("later") }
            XCTFail("reached")
          }
        }(test as! Explored)()
      }
      test.run()
      let failures = (test.testRun as? Run)?.failures
      #expect(failures?.count == 1)
      #expect(failures?.first?.contains("reached") == true)
    }

    @Test func `a test that setUp skips in some schedules has a warning`() {
      let test = SkippedInSetUp(name: "test") { test in
        try asyncTest { (_: SkippedInSetUp) in { try await Task.sleep(for: .seconds(1)) } }(
          test as! SkippedInSetUp
        )()
      }
      test.run()
      #expect((test.testRun as? Run)?.failures == [])
      #expect(
        test.warnings.texts == ["'XCTSkip' ended the test in some schedules: they count as passed"]
      )
    }

    @Test func `an expectation that one schedule does not wait for is a failure`() {
      let test = Explored(name: "test") { test in
        try asyncTest { (test: Explored) in
          {
            let saved = test.expectation(description: "saved")
            if await orderOfTwoTasks() == [1, 0] { return }
            saved.fulfill()
            await test.fulfillment(of: [saved], timeout: 1)
          }
        }(test as! Explored)()
      }
      test.run()
      let failures = (test.testRun as? Run)?.failures ?? []
      #expect(failures.count == 1)
      #expect(
        failures.first?.contains("Failed due to unwaited expectation 'saved'") == true,
        "\(failures)"
      )
    }

    @Test(arguments: [RehearsalTrait.rehearsed, .explored])
    func `an assertion of XCTest on another thread fails a test of Swift Testing`(
      trait: RehearsalTrait
    ) async throws {
      XCTestFailures.reportEverywhere()
      let texts = Mutex<[String]>([])
      let test = try #require(Test.current)
      try await withKnownIssue {
        try await trait.provideScope(for: test, testCase: Test.Case.current) {
          try await Self.race()
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              // The thread belongs to no test, so the issue would not be known.
              withKnownIssue {
                XCTAssertEqual(1, 2)
              } matching: { issue in
                texts.withLock { $0.append("\(issue)") }
                return true
              }
              continuation.resume()
            }
          }
        }
      } matching: { _ in
        true
      }
      let found = texts.withLock(\.self)
      #expect(found.first?.contains("XCTAssertEqual failed: (\"") == true, "\(found)")
    }

    @Test func `a search in a test is a failure`() {
      let run = perform { try await explore { _ in } }
      #expect(run.failures.count == 1)
      #expect(run.failures.first?.contains("remove one of the two") == true)
    }

    @Test(arguments: [RehearsalTrait.rehearsed, .explored, .explored(replaying: "1:1")])
    func `an assertion of XCTest fails a test of Swift Testing`(trait: RehearsalTrait) async throws
    {
      // The other tests of this suite end test cases of XCTest, and then none is current.
      XCTestFailures.reportEverywhere()
      let texts = Mutex<[String]>([])
      let test = try #require(Test.current)
      try await withKnownIssue {
        try await trait.provideScope(for: test, testCase: Test.Case.current) {
          try await Self.race()
          XCTAssertEqual(1, 2)
        }
      } matching: { issue in
        if issue.isFailure { texts.withLock { $0.append("\(issue)") } }
        return true
      }
      let found = texts.withLock(\.self)
      #expect(found.count == 1)
      #expect(found.first?.contains("XCTAssertEqual failed: (\"") == true)
    }

    @Test func `a search of a closure in a test of the class is a failure`() {
      let test = Rehearsed(name: "test") { test in
        try asyncTest { (test: Rehearsed) in { try await test.explored {} } }(test as! Rehearsed)()
      }
      test.run()
      let failures = (test.testRun as? Run)?.failures
      #expect(failures?.count == 1)
      #expect(failures?.first?.contains("remove one of the two") == true)
    }

    @Test func `a search without a run is a failure`() {
      let test = Plain(name: "test") { test in
        try asyncTest { (test: Plain) in { try await test.explored(schedules: 0) {} } }(
          test as! Plain
        )()
      }
      test.run()
      #expect((test.testRun as? Run)?.failures == ["'schedules' is 0, so nothing is explored"])
    }

    @Test func `work outside of virtual time is one warning, also if the test is searched`() {
      let test = Explored(name: "test") { test in
        try asyncTest { (_: Explored) in
          { @MainActor in
            let url = URL(string: "http://127.0.0.1:1/")!
            _ = try? await URLSession.shared.data(from: url)
            _ = try? await Self.latest()
          }
        }(test as! Explored)()
      }
      test.run()
      #expect((test.testRun as? Run)?.failures == [])
      // The second one is the resumption by the thread of URLSession.
      #expect(test.warnings.texts.count == 2)
      #expect(test.warnings.texts.first?.hasPrefix("a request of URLSession is outside of") == true)
    }
  }
}

/// Tests of XCTest that XCTest does not find, because their names do not begin with `test`.
private class Unlisted: RehearsalTestCase {
  override var testRunClass: AnyClass? { LineRun.self }

  func doesNotWait() { Task {} }

  func waits() {
    let isOver = expectation(description: "the task ends")
    Task { isOver.fulfill() }
    wait(for: [isOver], timeout: 1)
  }

  func hasOneSchedule() async {}

  func throwsAnError() async throws { throw CocoaError(.fileNoSuchFile) }
  static let lineOfError = #line - 1
}

private final class UnlistedExplored: Unlisted {
  override class var trait: RehearsalTrait { .explored }
}

private final class UnlistedReplayed: Unlisted {
  override class var trait: RehearsalTrait { .explored(replaying: "", in: "waits") }
}

private final class UnlistedMisspelt: Unlisted {
  override class var trait: RehearsalTrait { .explored(replaying: "", in: "wiats") }
}

private final class LineRun: XCTestCaseRun {
  var lines: [Int] = []

  override func recordFailure(
    withDescription description: String,
    inFile filePath: String?,
    atLine lineNumber: Int,
    expected: Bool
  ) {
    lines.append(lineNumber)
  }

  override var totalFailureCount: Int { lines.count }
}

extension SerialXCTests {
  /// What XCTest prints about its tests. Each one runs in its own process.
  @Suite struct PrintedXCTests {
    private func text(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    }

    /// The lines of the output that are warnings.
    private func warnings(_ result: ExitTest.Result?) -> [Substring] {
      text(result).split(separator: "\n").filter { $0.hasPrefix("warning: ") }
    }

    private static func run(
      _ type: Unlisted.Type,
      _ name: String,
      _ body: @escaping (Unlisted) throws -> Void
    ) {
      type.init(name: name) { try body($0 as! Unlisted) }.run()
    }

    @Test func `a test without a wait is named`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        for type in [Unlisted.self, UnlistedExplored.self] {
          Self.run(type, "doesNotWait") { $0.doesNotWait() }
          Self.run(type, "waits") { $0.waits() }
        }
      }
      let warnings = warnings(result)
      let text = "doesNotWait: the trait of the class has no effect on a test that does not wait: "
      let beginnings = [
        "Unlisted.\(text)", "UnlistedExplored.\(text)",
        "UnlistedExplored.waits: '.explored' has nothing to vary: ",
      ]
      #expect(warnings.count == beginnings.count, "\(warnings)")
      #expect(zip(warnings, beginnings).allSatisfy { $0.hasPrefix("warning: " + $1) })
    }

    // Some tests of XCTest start their own program, which must crash.
    @Test func `a crash ends the tests, and names the test`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Self.run(Unlisted.self, "crashes") { _ in fatalError("crash") }
      }
      let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(words.contains("error: the tests crashed in a run of Unlisted.crashes\n"), "\(words)")
    }

    @Test func `an async test with one schedule is named`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        Self.run(UnlistedExplored.self, "hasOneSchedule") {
          try asyncTest { (test: Unlisted) in test.hasOneSchedule }($0)()
        }
      }
      let warnings = warnings(result)
      #expect(warnings.count == 1, "\(text(result))")
      #expect(warnings.first?.contains("'.explored' has nothing to vary") == true)
    }

    @Test func `a class that replays a test it does not have is named`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        Self.run(UnlistedMisspelt.self, "waits") { $0.waits() }
      }
      let warnings = warnings(result)
      #expect(warnings.count == 1, "\(text(result))")
      #expect(warnings.first?.contains("'replaying' is for 'wiats', but no test") == true)
    }

    @Test func `a class that replays names its tests`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        Self.run(UnlistedReplayed.self, "waits") { $0.waits() }
        Self.run(UnlistedReplayed.self, "hasOneSchedule") {
          try asyncTest { (test: Unlisted) in test.hasOneSchedule }($0)()
        }
      }
      #expect(
        warnings(result) == [
          """
          warning: UnlistedReplayed.waits: the test ran under the default schedule only, because of 'replaying': remove it after you have \
          repaired the failure
          """
        ]
      )
      let note =
        #"Test "UnlistedReplayed.hasOneSchedule" ran under the default schedule only, because 'replaying' is for 'waits'."#
      #expect(text(result).contains(note))
    }

    @Test func `a failure without a line has that of its test`() async {
      for type in [Unlisted.self, UnlistedExplored.self] {
        let test = type.init(name: "throwsAnError") {
          try asyncTest { (test: Unlisted) in test.throwsAnError }($0 as! Unlisted)()
        }
        test.run()
        #expect((test.testRun as? LineRun)?.lines == [Unlisted.lineOfError])
      }
    }
  }
}
