import Loading
import Observation
import Pipelines
import RehearsalBase

/// Draws numbers by chance, a second each: how often a Future's closure runs shows in the count.
@MainActor @Observable final class NumberDrawing<C: Clock> where C.Duration == Duration {
  /// How often a closure has run.
  private(set) var runCount = 0

  struct Failure: Error {}

  private let clock: C
  @ObservationIgnored private var random: SplitMix64
  private let log: (String) -> Void

  init(clock: C, seed: UInt64, log: @escaping (String) -> Void) {
    self.clock = clock
    random = SplitMix64(seed: seed)
    self.log = log
  }

  /// Begins anew, with other numbers.
  func reseed(_ seed: UInt64) {
    random = SplitMix64(seed: seed)
    runCount = 0
  }

  /// A number from 1 to 100, or a failure: drawn once, from now on, and remembered for all. Combine's
  /// Future, but one whose subscribers are served in an order.
  func future(failing: Bool = false) -> OrderedFuture<Int, any Error> {
    OrderedFuture { promise in
      self.runCount += 1
      let run = self.runCount
      let number = Int.random(in: 1...100, using: &self.random)
      self.log("run \(run) begins")
      Task {
        try? await self.clock.sleep(for: .seconds(1))
        self.log("run \(run) \(failing ? "fails" : "draws \(number)")")
        promise(failing ? .failure(Failure()) : .success(number))
      }
    }
  }

  /// The same, drawn for each subscriber, when one comes.
  func deferred(failing: Bool = false) -> Deferred<OrderedFuture<Int, any Error>> {
    Deferred { self.future(failing: failing) }
  }
}
