import LibC
import Synchronization
import Testing

@testable import Exploring
@testable import RehearsalTesting

/// Runs that do not give back their thread. The limits count processor time and waiting, as in `PlayClock`.
@Suite struct RunThreadTests {
  private func stop(
    milliseconds: Int,
    _ body: @escaping @MainActor @Sendable () -> Void
  ) async throws -> RunStop? {
    let options = ScenarioOptions(issues: .swiftTesting(at: #_sourceLocation))
    let search = ScenarioSearch(schedules: 1, strategy: nil, seed: 0, stopAfter: nil)
    let executor = options.executor { _ in body() }
    guard case .stopped(let stop) = await search.start(executor).end(milliseconds: milliseconds)
    else { return nil }
    return stop
  }

  @Test func `a run that computes without an end is stopped`() async throws {
    let count = Atomic(0)
    let stop = try await stop(milliseconds: 300) {
      while true { count.wrappingAdd(1, ordering: .relaxed) }
    }
    let text = try #require(stop).violation.sentence
    #expect(text.hasPrefix("no thread blocks forever: it took longer than 300ms, in "))
    #expect(text.contains(" at RunThreadTests.swift:"))
    // Its thread does not use the processor any more.
    let latest = count.load(ordering: .relaxed)
    for _ in 0..<1_000 { await Task.yield() }
    #expect(count.load(ordering: .relaxed) == latest)
  }

  @Test func `a run that waits for its own read of a lock is stopped`() async throws {
    let stop = try await stop(milliseconds: 300) {
      var lock = pthread_rwlock_t()
      pthread_rwlock_init(&lock, nil)
      pthread_rwlock_rdlock(&lock)
      pthread_rwlock_wrlock(&lock)
    }
    let text = try #require(stop).violation.sentence
    #expect(text.hasPrefix("no thread blocks forever: it took longer than 300ms, in "))
    #expect(text.contains(" at RunThreadTests.swift:"))
  }

  @Test func `SIGQUIT prints what runs and what waits, and ends the process`() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGQUIT),
      observing: [\.standardErrorContent]
    ) {
      try await explore { _ in
        Task(name: "listener") {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        await Task.yield()
        kill(getpid(), SIGQUIT)
        while true {}
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(
      text.contains(/SIGQUIT: .*RunThreadTests\.swift:\d+: a run\nwhat runs:\n +in \S/),
      "\(text)"
    )
    #expect(
      text.contains(/what waits, and where:\n(.*\n)* +'listener' waits for a continuation/),
      "\(text)"
    )
  }

  @Test func `the issue of a stopped run names the limit`() {
    let violation = RunStop.late(60_000).violation
    #expect(violation.sentence == "no thread blocks forever: it took longer than 60s")
  }
}
