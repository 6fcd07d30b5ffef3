import Foundation
import RehearsalTesting
import Testing

/// Expectations in code of a run that no task of the test calls.
@Suite struct ExpectationTests {
  @TaskLocal private static var number = 0

  @Test(arguments: Caller.allCases)
  func `an expectation fails the run, whatever calls it`(caller: Caller) async throws {
    let line = #line + 2
    let issues = try await recordedIssues {
      try await explore { _ in await caller.perform { #expect(Bool(false)) } }
    }
    #expect(issues.map(\.line) == [line])
  }

  @Test(arguments: [Caller.detachedTask, .queue, .taskOfQueue, .detachedTaskOfQueue, .operation])
  func `code without a task of the test has no other task-local values`(caller: Caller) async throws
  {
    try await Self.$number.withValue(1) {
      try await explore { run in
        #expect(Self.number == 1)
        await caller.perform { run.check(Self.number == 0, "the value of the test") }
      }
    }
  }

  private actor Store {
    isolated deinit { #expect(Bool(false)) }
  }

  private static let isFixture = ProcessInfo.processInfo.environment["REHEARSE_FIXTURE"] != nil

  /// Swift Testing lists its failures without a test, too, so it runs in a process of its own.
  @Test(.enabled(if: isFixture, "only for another test"))
  func isolatedDeinitFixture() async throws {
    try await explore { _ in await Task.detached { _ = Store() }.value }
  }

  @Test func `an expectation in an isolated deinit fails the run`() throws {
    let tests = Process()
    tests.executableURL = URL(filePath: CommandLine.arguments[0])
    tests.arguments = [
      "--testing-library", "swift-testing", "--filter", "isolatedDeinitFixture",
    ]
    tests.environment = ProcessInfo.processInfo.environment
      .merging(["REHEARSE_FIXTURE": "1"]) { $1 }
    let pipe = Pipe()
    (tests.standardOutput, tests.standardError) = (pipe, pipe)
    try tests.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    tests.waitUntilExit()
    #expect(tests.terminationStatus == 1, "\(text)")
    #expect(text.contains("to replay it: try await explore("), "\(text)")
  }
}
