import RehearsalBase

@testable import Loading

/// A random script: commands at distinct instants, so that no order of jobs at one instant can
/// matter, and blocks that follow their plans.
struct RandomScript: Sendable {
  enum Command: Sendable {
    case start(Plan)
    /// Cancels the task of this start: the returned one, or the caller's.
    case cancelTask(ofStart: Int)
    case cancel, reset
    case set(LoadableState<Int>)
  }

  struct Plan: Sendable {
    let silently: Bool
    let isAwaited: Bool
    let ignoresCancellation: Bool
    /// The error of a cancellable block after cancellation: its own or `CancellationError`.
    let convertsCancellation: Bool
    /// The time between two states, in nanoseconds.
    let yields: [(gap: Int, state: LoadableState<Int>)]
    let lastGap: Int
    let ending: Ending
    let interrupts: [Int]
    /// The error of the last interrupt.
    let thrown: Ending?
  }

  enum Ending: Sendable {
    case value(Int)
    case nothing, boom, cancellation, cancelRequest, resetRequest

    var error: (any Error)? {
      switch self {
      case .value, .nothing: nil
      case .boom: Boom()
      case .cancellation: CancellationError()
      case .cancelRequest: CancelLoadable()
      case .resetRequest: ResetLoadable()
      }
    }
  }

  /// In the order of their instants, in nanoseconds.
  let commands: [(instant: Int, command: Command)]

  init(seed: UInt64, length: Int) {
    var generator = SplitMix64(seed: seed)
    var starts = 0
    var instant = 0
    commands = (0..<length).map { number in
      instant += Self.gap(&generator)
      let command = Self.command(number, starts: starts, &generator)
      if case .start = command { starts += 1 }
      return (instant, command)
    }
  }

  private static func gap(_ generator: inout SplitMix64) -> Int {
    Int.random(in: 1...100_000_000, using: &generator)
  }

  private static func command(
    _ number: Int,
    starts: Int,
    _ generator: inout SplitMix64
  ) -> Command {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: .cancel
    case 1: .reset
    case 2: .set(state(number, &generator))
    case 3 where starts > 0: .cancelTask(ofStart: Int.random(in: 0..<starts, using: &generator))
    default: .start(plan(number, &generator))
    }
  }

  private static func plan(_ number: Int, _ generator: inout SplitMix64) -> Plan {
    func chance(_ generator: inout SplitMix64) -> Bool { Bool.random(using: &generator) }
    let yields = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
      (gap(&generator), state(number, &generator))
    }
    let interrupts = (0..<Int.random(in: 0...2, using: &generator)).map { _ in gap(&generator) }
    let throwsInterrupt = !interrupts.isEmpty && chance(&generator)
    return Plan(
      silently: Int.random(in: 0..<4, using: &generator) == 0,
      isAwaited: Int.random(in: 0..<3, using: &generator) == 0,
      ignoresCancellation: Int.random(in: 0..<3, using: &generator) == 0,
      convertsCancellation: Int.random(in: 0..<4, using: &generator) == 0,
      yields: yields,
      lastGap: gap(&generator),
      ending: ending(number, &generator),
      interrupts: interrupts,
      thrown: throwsInterrupt ? failure(&generator) : nil
    )
  }

  private static func state(_ number: Int, _ generator: inout SplitMix64) -> LoadableState<Int> {
    let states: [LoadableState<Int>] = [.absent, .loading, .error(Boom()), .loaded(number)]
    return states[Int.random(in: 0..<4, using: &generator)]
  }

  private static func ending(_ number: Int, _ generator: inout SplitMix64) -> Ending {
    let endings: [Ending] = [.value(number), .value(number), .value(number), .nothing]
    let choice = Int.random(in: 0..<6, using: &generator)
    return choice < 4 ? endings[choice] : failure(&generator)
  }

  private static func failure(_ generator: inout SplitMix64) -> Ending {
    let endings: [Ending] = [.boom, .cancellation, .cancelRequest, .resetRequest]
    return endings[Int.random(in: 0..<4, using: &generator)]
  }
}
