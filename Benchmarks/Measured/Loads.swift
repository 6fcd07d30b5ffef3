import Loading
import Staging
import Timelines

extension Benchmark {
  /// Whole loads: loading, a sleep, loaded.
  static let loads = Benchmark(name: "loads") {
    let floor = Row.Floor(what: "a bare Task {}, made and awaited", samples: await bareTasks())
    let count = slots * rounds
    Table.print(
      Row(
        what: "loads: loading, a sleep, loaded; not recorded",
        samples: Samples.seconds { load(recorded: false) }.rate(of: count),
        unit: .rate,
        goal: .atLeast(250_000),
        floor: floor
      )
    )
    Table.print(
      Row(
        what: "loads: the same, recorded",
        samples: Samples.seconds { load(recorded: true) }.rate(of: count),
        unit: .rate,
        goal: .atLeast(150_000),
        floor: floor
      )
    )
  }

  private static let slots = 1_000
  private static let rounds = 100

  /// Runs before there is a stage, on the unmodified runtime.
  private static func bareTasks() async -> Samples {
    let count = 100_000
    var rates: [Double] = []
    for repetition in 0...5 {
      let start = Samples.cpuSeconds
      await Task.detached { for _ in 0..<count { await Task {}.value } }.value
      let seconds = Samples.cpuSeconds - start
      if repetition > 0 { rates.append(Double(count) / seconds) }
    }
    return Samples(rates)
  }

  private static func load(recorded: Bool) {
    let stage = Stage()
    let fleet = stage.enter { Fleet(slots: slots, stage: stage, recorded: recorded) }
    for round in 0..<rounds {
      stage.enter { fleet.loadEach(round) }
      finish(stage)
    }
    precondition(stage.enter { fleet.allHold(rounds - 1) }, "Every load has ended.")
  }
}

/// Slots that load concurrently, each with a different duration.
@MainActor private final class Fleet {
  private let clock: StageClock
  private let drivers: [LoadDriver<LoadableState<Int>>]

  init(slots: Int, stage: Stage, recorded: Bool) {
    let clock = stage.clock
    let recorder = recorded ? Recorder(stage: stage) : nil
    self.clock = clock
    drivers = (0..<slots).map { slot in
      let driver = LoadDriver<LoadableState<Int>>(clock: clock)
      if let recorder {
        let lane = recorder.addLane("slot \(slot)")
        driver.observer = { recorder.note($0, lane: lane) }
      }
      return driver
    }
  }

  func loadEach(_ value: Int) {
    for (index, driver) in drivers.enumerated() {
      driver.start(()) { [clock] _ in
        try await clock.sleep(for: .microseconds(1 + index * 7_919 % 997))
        return value
      }
    }
  }

  func allHold(_ value: Int) -> Bool { drivers.allSatisfy { $0.kept == value } }
}

/// Writes a recording like a session.
@MainActor private final class Recorder {
  private let stage: Stage
  private var recording = Recording()

  init(stage: Stage) {
    self.stage = stage
  }

  func addLane(_ name: String) -> Int {
    recording.addLane(Recording.Lane(name: name, word: "loadable", initial: "absent"))
  }

  func note(_ observation: LoadObservation<LoadableState<Int>>, lane: Int) {
    let (attempt, kind, answer): (Attempt?, Recording.Kind, String?) =
      switch observation.change {
      case .started(let attempt, _, let silently, let replacing):
        (attempt, .started(replacing: replacing?.number, silently: silently), nil)
      case .answered(let attempt, .returned(let value), let dropped):
        (attempt, .ended(.succeeded, dropped: dropped), "\(value)")
      default: preconditionFailure("These loads only start and end.")
      }
    recording.append(
      Recording.Event(
        time: stage.now.elapsed,
        lane: lane,
        attempt: attempt?.number,
        kind: kind,
        state: Self.text(observation.after.state),
        phase: observation.after.state.phase == .inFlight ? .inFlight : .succeeded,
        answer: answer
      )
    )
  }

  private static func text(_ state: LoadableState<Int>) -> String {
    switch state {
    case .absent: "absent"
    case .loading: "loading"
    case .error(let error): describe(error)
    case .loaded(let value): "loaded \(value)"
    }
  }
}
