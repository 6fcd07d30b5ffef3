import Staging
import Testing

@testable import Loading

/// Random scripts through the machine alone, and through the driver with real tasks under shuffled
/// schedules: both must write the same states at the same instants.
@MainActor
@Suite struct AgreementTests {
  @Test(arguments: LoadingPolicy.all)
  func `the driver writes the same states as the machine, in every order`(policy: LoadingPolicy) {
    for seed in UInt64(1)...60 {
      let script = RandomScript(seed: seed, length: 12)
      let expected = MachineRun(script, policy: policy)
      for order in [Stage.Order.firstInFirstOut, .shuffled(seed: seed), .shuffled(seed: ~seed)] {
        let actual = DriverRun(script, policy: policy, order: order)
        let place = Comment("policy \(policy), seed \(seed), order \(order)")
        #expect(actual.history == expected.history, place)
        // Blocks that one command cancels end at one instant, in an order chosen by the schedule.
        #expect(actual.observed.sorted() == expected.observed.sorted(), place)
        #expect(actual.stop == .idle, place)
        #expect(actual.driver.attemptCount == expected.machine.attemptCount, place)
        #expect(actual.driver.kept == expected.machine.kept, place)
        #expect(actual.driver.liveAttempts.isEmpty && actual.driver.waiters.isEmpty, place)
        #expect(actual.driver.running.isEmpty && actual.driver.parked.isEmpty, place)
        guard actual.history == expected.history else { return }
      }
    }
  }
}
