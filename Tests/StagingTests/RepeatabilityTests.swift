import Foundation
import Staging
import Testing
import Workers

@Suite struct RepeatabilityTests {
  /// A mix of everything that a scheduler could reorder.
  private func scenario(_ stage: Stage) throws -> [String] {
    let log = Log()
    try stage.run { @MainActor in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let reader = Task { for await value in stream { log("\(value) at \(stage.now)") } }
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<10 {
          group.addTask {
            try? await Task.sleep(for: .microseconds(100 * (index % 3)))
            continuation.yield(index)
            try? await stage.clock.sleep(for: .microseconds(index))
            await MainActor.run { log("\(index) done at \(stage.now)") }
          }
        }
      }
      continuation.finish()
      await reader.value
      log("\(Date().timeIntervalSinceReferenceDate)")
    }
    return log.lines
  }

  @Test func `a thousand runs are identical while other processes load the machine`() throws {
    let children = try (0..<3).map { _ in try BusyProcess() }
    defer { for child in children { child.end() } }

    let first = Stage(keepsTrace: true)
    let expected = try scenario(first)
    for run in 1...1000 {
      let stage = Stage(keepsTrace: true)
      guard try scenario(stage) == expected, stage.trace == first.trace else {
        Issue.record("run \(run) differs")
        return
      }
    }
    #expect(expected.count == 21)
  }

  @Test func `the determinism check reports nothing for deterministic code`() throws {
    #expect(try Stage.firstDivergence { _ = try scenario($0) } == nil)
    #expect(try Stage.firstDivergence(order: .shuffled(seed: 7)) { _ = try scenario($0) } == nil)
  }

  @Test func `the determinism check names the first decision that differs`() throws {
    var run = 0
    let divergence = try Stage.firstDivergence { stage in
      run += 1
      let delay = run
      try stage.run {
        try? await stage.clock.sleep(for: .seconds(3))
        try? await stage.clock.sleep(for: .seconds(delay))
      }
    }
    let found = try #require(divergence)
    #expect(found.first?.description == "4s woke sleeper 2")
    #expect(found.second?.description == "5s woke sleeper 2")
    #expect(
      found.description
        == "job 4: the first run 4s woke sleeper 2, the second 5s woke sleeper 2"
    )
  }

  @Test func `the determinism check finds a run that lasts longer`() throws {
    var run = 0
    let divergence = Stage.firstDivergence { stage in
      run += 1
      if run == 2 { stage.schedule(at: .start) {} }
      stage.settle()
    }
    let found = try #require(divergence)
    #expect(found.position == 0)
    #expect(found.first == nil)
    #expect(found.second?.what == .called(sleeper: 1))
  }
}

/// A process that only uses a processor, and ends with this one.
private struct BusyProcess {
  private let process: SpawnedProcess

  init() throws {
    let words = ["sh", "-c", "while kill -0 $PPID; do :; done"]
    process = try SpawnedProcess(program: "/bin/sh", arguments: words, environment: [])
  }

  func end() {
    process.send(signal: SIGKILL)
    _ = process.wait()
  }
}
