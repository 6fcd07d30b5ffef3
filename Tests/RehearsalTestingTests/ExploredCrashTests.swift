import Exploring
import Foundation
import RehearsalTesting
import Testing

/// Explored code that ends its process, each time in one of its own.
@Suite struct ExploredCrashTests {
  private static func words(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func `a crash is told with the schedule that leads to it`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await explore { run in
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

  @Test func `a stack that overflows is told likewise`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await explore(replaying: "1:1") { run in
        func depth(_ number: Int) -> Int { number == 0 ? 0 : 1 + depth(number + 1) }
        _ = depth(run.choose([0, 1]))
      }
    }

    #expect(Self.words(result).contains("explore(replaying: \"1:1\")"))
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

  @Test func `what ends behind a search is none of its runs`() async {
    let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent])
    {
      try await explore { run in _ = run.choose([false, true]) }
      exit(0)
    }

    #expect(!Self.words(result).contains("error: "))
  }
}
