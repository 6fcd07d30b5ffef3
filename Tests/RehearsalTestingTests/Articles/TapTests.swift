import Exploring
import RehearsalTesting
import Testing

@MainActor final class Counter {
  private(set) var count = 0

  func add() async throws {
    let before = count
    try await Task.sleep(for: .milliseconds(100))
    count = before + 1
  }
}

@Test func `two taps with a pause count twice`() async throws {
  try await explore { run in
    let counter = Counter()
    Task { try await counter.add() }
    try await Task.sleep(for: run.choose([.milliseconds(200), .seconds(1)]))
    Task { try await counter.add() }
    await run.settle()
    run.check(counter.count == 2, "each tap counts", "\(counter.count)")
  }
}
