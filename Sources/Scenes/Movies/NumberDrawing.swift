import Loading
import Observation
import Pipelines
import RehearsalBase

/// Draws random numbers, one second each. The count shows how often a Future's closure ran.
@MainActor @Observable final class NumberDrawing<C: Clock> where C.Duration == Duration {
  /// The number of times that a closure ran.
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

  /// Restarts the sequence, with other numbers.
  func reseed(_ seed: UInt64) {
    random = SplitMix64(seed: seed)
    runCount = 0
  }

  /// Returns a publisher of a number from 1 to 100, or of a failure. It is drawn once, immediately,
  /// and kept for all subscribers. Like Combine's Future, but its subscribers have an order.
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

  /// Returns a publisher that draws for each subscriber, when it subscribes.
  func deferred(failing: Bool = false) -> Deferred<OrderedFuture<Int, any Error>> {
    Deferred { self.future(failing: failing) }
  }
}
