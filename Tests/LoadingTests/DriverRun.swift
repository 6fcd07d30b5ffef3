import Staging

@testable import Loading

/// Runs a script through a driver, with real tasks, on a stage.
@MainActor
final class DriverRun {
  let history: [String]
  let observed: [String]
  let driver: LoadDriver<LoadableState<Int>>
  let stop: Stage.Stop
  private let stage: Stage

  init(_ script: RandomScript, policy: LoadingPolicy, order: Stage.Order) {
    let stage = Stage(order: order)
    self.stage = stage
    let notes = Notes()
    let home = StateHome<LoadableState<Int>>(
      read: { notes.state },
      write: {
        notes.state = $0
        notes.history.append("\(nanoseconds(on: stage)) \($0.debugDescription)")
      }
    )
    let driver = LoadDriver(.absent, home: home, policy: policy, clock: stage.clock, slot: nil)
    driver.observer = {
      notes.observed.append("\(nanoseconds(on: stage)) \(word(for: $0.change))")
    }
    self.driver = driver
    for (instant, command) in script.commands {
      stage.schedule(at: StageInstant(elapsed: .nanoseconds(instant))) {
        Self.perform(command, driver, notes, stage)
      }
    }
    stop = stage.settle()
    history = notes.history
    observed = notes.observed
  }

  private final class Notes {
    var state = LoadableState<Int>.absent
    var history: [String] = []
    var observed: [String] = []
    var tasks: [Task<Void, Never>] = []
  }

  private static func perform(
    _ command: RandomScript.Command,
    _ driver: LoadDriver<LoadableState<Int>>,
    _ notes: Notes,
    _ stage: Stage
  ) {
    switch command {
    case .start(let plan): notes.tasks.append(start(plan, driver, stage))
    case .cancel: driver.cancel()
    case .reset: driver.reset()
    case .set(let state): driver.set(state)
    case .cancelTask(let number): notes.tasks[number].cancel()
    }
  }

  private static func start(
    _ plan: RandomScript.Plan,
    _ driver: LoadDriver<LoadableState<Int>>,
    _ stage: Stage
  ) -> Task<Void, Never> {
    let interrupts = plan.interrupts.map { Duration.nanoseconds($0) }
    let total = interrupts.reduce(.zero, +)
    let onInterrupt: (Duration) throws -> Void = { sum in
      if sum == total, let error = plan.thrown?.error { throw error }
    }
    if plan.isAwaited {
      return Task {
        await driver.run(
          (),
          silently: plan.silently,
          interrupts: interrupts,
          onInterrupt: onInterrupt,
          block: block(plan, stage)
        )
      }
    }
    return driver.start(
      (),
      silently: plan.silently,
      interrupts: interrupts,
      onInterrupt: onInterrupt,
      block: block(plan, stage)
    )
  }

  private static func block(
    _ plan: RandomScript.Plan,
    _ stage: Stage
  ) -> (AttemptContext<LoadableState<Int>>) async throws -> Int? {
    { context in
      for (gap, state) in plan.yields {
        try await pause(gap, plan, stage)
        context.yield(state)
      }
      try await pause(plan.lastGap, plan, stage)
      if let error = plan.ending.error { throw error }
      if case .value(let value) = plan.ending { return value }
      return nil
    }
  }

  private static func pause(_ gap: Int, _ plan: RandomScript.Plan, _ stage: Stage) async throws {
    let clock = stage.clock
    if plan.ignoresCancellation {
      return await Task { try? await clock.sleep(for: .nanoseconds(gap)) }.value
    }
    do {
      try await clock.sleep(for: .nanoseconds(gap))
    } catch {
      throw plan.convertsCancellation ? Boom() : error
    }
  }
}

private func nanoseconds(on stage: Stage) -> Int64 {
  let elapsed = stage.now.elapsed.components
  return elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000
}
