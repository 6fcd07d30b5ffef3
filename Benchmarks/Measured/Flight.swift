import Loading
import Staging

extension Benchmark {
  /// Memory and time of a very large number of concurrent loads.
  static let flight = [
    Benchmark(name: "flight") { measure(.slotEach) },
    Benchmark(name: "parallel") { measure(.oneSlot) },
    Benchmark(name: "replaced") { measure(.replaced) },
  ]

  fileprivate enum Arrangement {
    case slotEach, oneSlot, replaced

    var words: String {
      switch self {
      case .slotEach: "a slot each"
      case .oneSlot: "all in one slot, parallel"
      case .replaced: "all in one slot, uncancellable and replaced"
      }
    }
  }

  private static let many = 1_000_000
  private static let few = 10_000

  /// The smaller number first, so that the difference is the memory of the additional loads. Both use memory that is new
  /// from the system, because a million loads cannot spread that cost over several runs.
  private static func measure(_ arrangement: Arrangement) {
    let ofFew = Samples((0..<9).map { _ in fly(arrangement, count: few).seconds / Double(few) })
    let flights = (0..<3).map { _ in fly(arrangement, count: many) }
    let ofMany = Samples(flights.map { $0.seconds / Double(many) })
    let bytes = flights[0].bytes
    Table.print(
      Row(
        what: "1,000,000 in flight, \(arrangement.words): memory each",
        samples: Samples([Double(bytes) / Double(many)]),
        unit: .bytes,
        // An uncancellable load has a second task, which it waits for.
        goal: arrangement == .replaced ? nil : .atMost(2_048)
      )
    )
    Table.print(
      Row(
        what: "1,000,000 in flight, \(arrangement.words): time each",
        samples: ofMany,
        unit: .seconds,
        goal: .atMost(2 * ofFew.median),
        floor: Row.Floor(what: "of 10,000", samples: ofFew)
      )
    )
  }

  /// Starts a number of loads, runs each until it sleeps, and ends them all.
  private static func fly(_ arrangement: Arrangement, count: Int) -> (seconds: Double, bytes: Int) {
    var bytes = 0
    Memory.giveBack()
    let seconds = Samples.secondsOnce {
      let before = Memory.residentBytes
      let stage = Stage()
      let crowd = stage.enter { Crowd(arrangement, count: count, clock: stage.clock) }
      _ = stage.runReady(limit: .max)
      bytes = Memory.residentBytes - before
      finish(stage)
      precondition(stage.enter { crowd.isAtRest }, "Every load has ended.")
    }
    return (seconds, bytes)
  }
}

/// Loads that are all in flight.
@MainActor private final class Crowd {
  private let drivers: [LoadDriver<LoadableState<Int>>]

  init(_ arrangement: Benchmark.Arrangement, count: Int, clock: StageClock) {
    let slots = arrangement == .slotEach ? count : 1
    let policy = arrangement == .oneSlot ? LoadingPolicy.parallel : .latest
    drivers = (0..<slots).map { _ in LoadDriver(policy: policy, clock: clock) }
    for index in 0..<count {
      let delay = Duration.microseconds(1 + index * 7_919 % 999_983)
      let driver = drivers[index % slots]
      if arrangement == .replaced {
        startDeaf(driver, index, for: delay, clock: clock)
      } else {
        start(driver, index, for: delay, clock: clock)
      }
    }
  }

  private func start(
    _ driver: LoadDriver<LoadableState<Int>>,
    _ value: Int,
    for delay: Duration,
    clock: StageClock
  ) {
    driver.start(()) { _ in
      try await clock.sleep(for: delay)
      return value
    }
  }

  private func startDeaf(
    _ driver: LoadDriver<LoadableState<Int>>,
    _ value: Int,
    for delay: Duration,
    clock: StageClock
  ) {
    driver.start(()) { _ in
      await Task { try? await clock.sleep(for: delay) }.value
      return value
    }
  }

  var isAtRest: Bool { drivers.allSatisfy(\.liveAttempts.isEmpty) }
}
