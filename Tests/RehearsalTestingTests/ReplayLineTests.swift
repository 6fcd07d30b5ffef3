#if canImport(XCTest)
import Exploring
import Foundation
import RehearsalTesting
import Synchronization
import Testing
import XCTest

extension SerialXCTests {
  /// The lines that failures print to replay them. Each line is also code of this file, with another schedule, so it compiles.
  /// Its schedule repeats the failure.
  @Suite struct ReplayLineTests {
    @MainActor private final class Screen {
      private(set) var shown = ""
      func ask(_ text: String) { Task { shown = text } }
    }

    @Sendable private static func race() async throws {
      let screen = Screen()
      await screen.ask("old")
      await screen.ask("new")
      try await Task.sleep(for: .seconds(1))
      let shown = await screen.shown
      #expect(shown == "new")
    }

    @Sendable private static func raceOfXCTest() async throws {
      let screen = Screen()
      await screen.ask("old")
      await screen.ask("new")
      try await Task.sleep(for: .seconds(1))
      let shown = await screen.shown
      XCTAssertEqual(shown, "new")
    }

    /// Performs a function, and returns the texts of its failures.
    private func failures(_ body: () async throws -> Void) async throws -> [String] {
      let texts = Mutex<[String]>([])
      try await withKnownIssue(isIntermittent: true) {
        try await body()
      } matching: { issue in
        guard case .unconditional = issue.kind else { return false }
        if issue.isFailure { texts.withLock { $0.append("\(issue.comments.first ?? "")") } }
        return true
      }
      return texts.withLock(\.self)
    }

    private func failures(
      _ trait: RehearsalTrait,
      _ body: @concurrent @Sendable () async throws -> Void
    ) async throws -> [String] {
      let test = try #require(Test.current)
      return try await failures {
        try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
      }
    }

    /// The code that a failure prints, up to the body of a closure, with its schedule.
    private func code(_ failures: [String]) throws -> (text: String, schedule: String) {
      #expect(failures.count == 1)
      let line = try #require(failures.first?.split(separator: "\n").last)
      let beginning = "to replay it: "
      try #require(line.trimmingCharacters(in: .whitespaces).hasPrefix(beginning))
      let code = line.trimmingCharacters(in: .whitespaces).dropFirst(beginning.count)
      let schedule = try #require(code.firstMatch(of: /replaying: "([^"]*)"/)?.1)
      return (code.hasSuffix("{ … }") ? String(code.dropLast(4)) : String(code), String(schedule))
    }

    /// Whether a line of this file has this code, apart from its schedule.
    private func isInThisFile(_ code: String) throws -> Bool {
      func withoutSchedule(_ text: some StringProtocol) -> String {
        text.trimmingCharacters(in: .whitespaces).replacing(/replaying: "[^"]*"/, with: "replaying")
      }
      return try String(contentsOfFile: #filePath, encoding: .utf8).split(separator: "\n")
        .map(withoutSchedule).contains { $0.hasPrefix(withoutSchedule(code)) }
    }

    // MARK: Swift Testing

    @Test func `the trait of a failure repeats it`() async throws {
      let (code, schedule) = try code(await failures(.explored, Self.race))
      let pasted = code.replacingOccurrences(of: "@Test(", with: "@Test(Fails(), ")
      #expect(try isInThisFile(pasted), "\(code)")
      let again = try await failures(.explored(replaying: schedule), Self.race)
      #expect(again.count == 1)
      #expect(again.first?.contains(#"(shown → "old") == "new""#) == true)
    }

    // Its code has no such schedule.
    @Test(Fails(), .explored(replaying: "5:1"))
    func `the pasted trait`() async throws {}

    @Test(arguments: [1, 2])
    func `the trait of a failure with an argument repeats it for this argument only`(
      number: Int
    ) async throws {
      let body: @concurrent @Sendable () async throws -> Void = {
        if number == 2 { try await Self.race() }
      }
      let found = try await failures(.explored, body)
      guard number == 2 else {
        #expect(found == [])
        // The schedule does not fit to this argument, and is not for it.
        let trait: RehearsalTrait = .explored(replaying: "5:1", in: "2")
        return #expect(try await failures(trait, body) == [])
      }
      let (code, schedule) = try code(found)
      let pasted = code.replacingOccurrences(of: "@Test(", with: "let trait: RehearsalTrait = ")
      #expect(try isInThisFile(String(pasted.dropLast())), "\(pasted)")
      #expect(try await failures(.explored(replaying: schedule, in: "2"), body).count == 1)
    }

    @Test func `the line keeps the options of the search`() async throws {
      let trait: RehearsalTrait = .explored(
        limit: 50_000,
        mayLeaveWork: true,
        preempting: .locks
      )
      let (code, _) = try code(await failures(trait, Self.race))
      #expect(code.hasSuffix(#"", limit: 50000, mayLeaveWork: true, preempting: .locks))"#))
    }

    /// An increment is lost if other code runs between two critical sections.
    private final class Counter: @unchecked Sendable {
      private let lock = NSLock()
      private var count = 0
      var value: Int { lock.withLock { count } }

      func increment() {
        let old = value
        lock.withLock { count = old + 1 }
      }
    }

    @MainActor private static func increments(_ run: ExploredRun) async {
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { counter.increment() } }
      }
      run.check(counter.value == 2, "no increment is lost")
    }

    @Test func `the line of a search that interrupts at locks repeats its failure`() async throws {
      let (code, schedule) = try code(
        await failures { try await explore(preempting: .locks) { await Self.increments($0) } }
      )
      #expect(code.contains(#"", preempting: .locks) {"#), "\(code)")
      let again = try await failures {
        try await explore(replaying: schedule, preempting: .locks) { await Self.increments($0) }
      }
      #expect(again.count == 1)
      #expect(again.first?.contains("no increment is lost") == true)
    }

    @MainActor private static func door(_ run: ExploredRun) -> [GeneratedOperation] {
      var isOpen = false
      return [
        GeneratedOperation("open") { isOpen = true },
        GeneratedOperation("enter") { run.check(!isOpen, "an open door is not entered") },
      ]
    }

    private struct Count: Hashable {
      var value = 0
    }

    @MainActor private static func wrongCount() -> [ComparedOperation<Count>] {
      var value = 0
      return [
        ComparedOperation("add", model: { $0.value += 1 }, { value = 1 }),
        .last("value", model: { $0.value }, { value }),
      ]
    }

    @Test func `the call of explore repeats generated operations`() async throws {
      let (code, _) = try code(
        await failures { try await explore(generating: 4) { run in Self.door(run) } }
      )
      #expect(try isInThisFile(code), "\(code)")
      let again = try await failures {
        try await explore(replaying: "1:1 4:2", generating: 4) { run in
          Self.door(run)
        }
      }
      #expect(again.count == 1)
      #expect(again.first?.hasPrefix("an open door is not entered") == true)
    }

    @Test func `the call of explore repeats operations that differ from a model`() async throws {
      let (code, _) = try code(
        await failures {
          try await explore(generating: 3, against: Count()) { _ in Self.wrongCount() }
        }
      )
      #expect(try isInThisFile(code.replacing("…", with: "Count()")), "\(code)")
      let again = try await failures {
        try await explore(replaying: "2:1 5:1", generating: 3, against: Count()) { _ in
          Self.wrongCount()
        }
      }
      #expect(again.count == 1)
      #expect(again.first?.contains("the reference model says 2") == true)
    }

    @Test func `the call of explore repeats a failure`() async throws {
      let (code, _) = try code(
        await failures { try await explore { _ in try await Self.race() } }
      )
      #expect(try isInThisFile(code), "\(code)")
      let again = try await failures {
        try await explore(replaying: "1:1") { _ in
          try await Self.race()
        }
      }
      #expect(again.count == 1)
    }

    // MARK: XCTest

    private class Recorded: RehearsalTestCase {
      override var testRunClass: AnyClass? { Run.self }
      override class var trait: RehearsalTrait { .explored }
    }

    private final class Pasted: Recorded {
      static let schedule = Mutex("")
      override class var trait: RehearsalTrait {
        .explored(replaying: schedule.withLock(\.self), in: "testRace")
      }
    }

    private final class Compiled: Recorded {
      override class var trait: RehearsalTrait { .explored(replaying: "1:1", in: "testRace") }
    }

    private final class Plain: XCTestCase {
      override var testRunClass: AnyClass? { Run.self }
    }

    private final class Run: XCTestCaseRun {
      var failures: [String] = []
      var lines: [Int] = []

      override func recordFailure(
        withDescription description: String,
        inFile filePath: String?,
        atLine lineNumber: Int,
        expected: Bool
      ) {
        failures.append(description)
        lines.append(lineNumber)
      }

      override var totalFailureCount: Int { failures.count }
    }

    private func failures<Case: XCTestCase>(
      of name: String,
      in type: Case.Type,
      _ body: @escaping @Sendable (Case) async throws -> Void
    ) -> [String] {
      let test = Case(name: name) { test in
        try asyncTest { (test: Case) in { try await body(test) } }(test as! Case)()
      }
      test.run()
      return (test.testRun as? Run)?.failures ?? []
    }

    @Test func `the trait of a class repeats the failure of one test`() throws {
      let (code, schedule) = try code(
        failures(of: "testRace", in: Recorded.self) { _ in try await Self.raceOfXCTest() }
      )
      #expect(try isInThisFile(code), "\(code)")
      Pasted.schedule.withLock { $0 = schedule }
      let again = failures(of: "testRace", in: Pasted.self) { _ in try await Self.raceOfXCTest() }
      #expect(again.count == 1)
      #expect(again.first?.hasPrefix("XCTAssertEqual failed: ") == true)
      // The schedule does not fit to this test, and is not for it.
      let other = failures(of: "testOther", in: Pasted.self) { _ in
        try await Task.sleep(for: .seconds(1))
      }
      #expect(other == [])
    }

    @Test func `a failure in the first run of a class has the trait that replays it`() throws {
      let (code, _) = try code(failures(of: "testRace", in: Recorded.self) { _ in XCTFail("no") })
      #expect(
        code
          == #"override class var trait: RehearsalTrait { .explored(replaying: "", in: "testRace") }"#
      )
    }

    @Test func `a call of rehearsed in another one is named`() {
      let found = failures(of: "testRace", in: Plain.self) { test in
        try await test.rehearsed { try await test.rehearsed {} }
      }
      #expect(found.contains { $0.contains("'rehearsed' is called in a run of another search") })
    }

    @Test func `the call of explored repeats a failure`() throws {
      let (code, _) = try code(
        failures(of: "testRace", in: Plain.self) { test in
          try await test.explored { try await Self.raceOfXCTest() }
        }
      )
      let call = code.replacingOccurrences(of: "await ", with: "await test.")
      #expect(try isInThisFile(call), "\(code)")
      let again = failures(of: "testRace", in: Plain.self) { test in
        try await test.explored(replaying: "1:1") {
          try await Self.raceOfXCTest()
        }
      }
      #expect(again.count == 1)
    }
  }
}

/// Expects one failure of a test.
private struct Fails: TestTrait, TestScoping {
  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let count = Atomic(0)
    try await withKnownIssue(isIntermittent: true) {
      try await function()
    } matching: { issue in
      if issue.isFailure { count.wrappingAdd(1, ordering: .relaxed) }
      return true
    }
    #expect(count.load(ordering: .relaxed) == 1)
  }
}
#endif
