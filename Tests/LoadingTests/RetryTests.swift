import Loading
import RehearsalBase
import Staging
import Testing

@MainActor
@Suite struct RetryTests {
  @Test(arguments: [
    (RetryPolicy.Backoff.none, [0, 0, 0, 0]),
    (.constant(.milliseconds(5)), [5, 5, 5, 5]),
    (.exponential(initial: .milliseconds(10)), [10, 20, 40, 80]),
    (
      .exponential(initial: .milliseconds(10), factor: 3, cap: .milliseconds(50)), [10, 30, 50, 50]
    ),
  ])
  func `delays follow the backoff`(backoff: RetryPolicy.Backoff, expected: [Int]) {
    var generator = SplitMix64(seed: 1)
    let policy = RetryPolicy(tries: 9, backoff: backoff)
    let delays = (1...4).map { policy.delay(afterFailedTry: $0, using: &generator) }
    #expect(delays == expected.map { .milliseconds($0) })
  }

  @Test func `the longest exponential delay does not overflow`() {
    var generator = SplitMix64(seed: 1)
    let policy = RetryPolicy(tries: 999, backoff: .exponential(initial: .seconds(1), factor: 10))
    #expect(policy.delay(afterFailedTry: 998, using: &generator) == .seconds(3_155_760_000))
  }

  @Test func `jitter stays in its bounds, and depends only on the seed`() {
    let policy = RetryPolicy(tries: 9, backoff: .constant(.seconds(8)), jitterInPercent: 25)
    func delays(seed: UInt64) -> [Duration] {
      var generator = SplitMix64(seed: seed)
      return (1...100).map { policy.delay(afterFailedTry: $0, using: &generator) }
    }
    #expect(delays(seed: 1) == delays(seed: 1))
    #expect(delays(seed: 1) != delays(seed: 2))
    #expect(delays(seed: 1).allSatisfy { (.seconds(6)...(.seconds(8))).contains($0) })
    #expect(Set(delays(seed: 1)).count > 50)
    #expect(policy.delays(afterFailedTry: 1) == .seconds(6)...(.seconds(8)))
    #expect(RetryPolicy(tries: 2).delays(afterFailedTry: 1) == .zero...(.zero))
  }

  private func load(
    failing failures: Int,
    with error: any Error = Boom(),
    tries: Int,
    cancelAt: Int? = nil
  ) -> (history: [String], observed: [String], calls: Int) {
    let stage = Stage()
    var calls = 0
    return stage.enter {
      let probe = Probe<LoadableState<Int>>(policy: .latest, on: stage)
      probe.observe()
      let policy = RetryPolicy(tries: tries, backoff: .exponential(initial: .milliseconds(10)))
      probe.load { context in
        var generator = SplitMix64(seed: 1)
        return try await context.retrying(policy, clock: stage.clock, using: &generator) {
          calls += 1
          try await stage.clock.sleep(for: .milliseconds(5))
          if calls <= failures { throw error }
          return calls
        }
      }
      if let cancelAt { probe.at(cancelAt) { probe.driver.cancel() } }
      #expect(stage.settle() == .idle)
      return (probe.history, probe.observed, calls)
    }
  }

  @Test func `each failed try is observed, and the attempt stays one`() {
    let seen = load(failing: 2, tries: 5)
    #expect(seen.history == ["0 loading", "45 loaded(3)"])
    #expect(
      seen.observed == [
        "0 start #1", "5 #1 retrying after 1/5 in 0.01 seconds: Boom",
        "20 #1 retrying after 2/5 in 0.02 seconds: Boom", "45 #1 returned 3",
      ]
    )
  }

  @Test func `the last failure is the answer, with no delay after it`() {
    #expect(load(failing: 9, tries: 3).history == ["0 loading", "45 error(Boom)"])
    #expect(load(failing: 9, tries: 1).history == ["0 loading", "5 error(Boom)"])
  }

  @Test func `control errors are not tried again`() {
    #expect(load(failing: 9, with: ResetLoadable(), tries: 3).calls == 1)
    #expect(load(failing: 9, with: CancellationError(), tries: 3).calls == 1)
  }

  @Test func `cancelling ends the wait for the next try`() {
    let seen = load(failing: 9, tries: 3, cancelAt: 8)
    #expect(seen.history == ["0 loading", "8 absent"])
    #expect(seen.calls == 1)
  }

  @Test func `the caller decides which errors are retried`() async {
    var generator = SplitMix64(seed: 1)
    var calls = 0
    let isHopeless: (any Error) -> Bool = { !($0 is Boom) }
    await #expect(throws: Boom.self) {
      try await withRetries(
        RetryPolicy(tries: 5),
        clock: ContinuousClock(),
        using: &generator,
        shouldRetry: isHopeless
      ) {
        calls += 1
        throw Boom()
      }
    }
    #expect(calls == 1)
  }
}
