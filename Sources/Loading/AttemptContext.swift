/// What a running block knows about its attempt, and how it reports while it runs.
///
/// To be used on the driver's isolation, where the block runs.
public struct AttemptContext<State: LifecycleState> {
  @usableFromInline
  let run: AttemptRun<State>

  @inlinable
  init(run: AttemptRun<State>) {
    self.run = run
  }

  /// The attempt that the block runs for.
  @inlinable
  public var attempt: Attempt { run.attempt }

  /// Hands over a state, of any kind, and goes on. Dropped if the attempt no longer counts.
  @inlinable
  public func yield(_ state: State) {
    run.driver.send(.yield(attempt, state))
  }

  /// Reports that a try failed and another one follows after `delay`. Changes no state.
  ///
  /// Tries count from 1; `tries` is how many there are at most.
  @inlinable
  public func retrying(failedTry: Int, of tries: Int, delay: Duration, error: any Error) {
    guard run.driver.observer != nil else { return }
    let retry = LoadMachine<State>.Retry(
      failedTry: failedTry,
      tries: tries,
      delay: delay,
      error: error
    )
    run.driver.send(.retry(attempt, retry))
  }
}

/// A block on its way. One object, so that a running task holds a single reference: its memory is
/// what a million parked loads cost.
@usableFromInline
final class AttemptRun<State: LifecycleState> {
  @usableFromInline
  let attempt: Attempt
  @usableFromInline
  let driver: LoadDriver<State>
  @usableFromInline
  let block: (AttemptContext<State>) async throws -> State.Output?

  @inlinable
  init(
    _ attempt: Attempt,
    of driver: LoadDriver<State>,
    block: @escaping (AttemptContext<State>) async throws -> State.Output?
  ) {
    self.attempt = attempt
    self.driver = driver
    self.block = block
  }

  @inline(never)
  @inlinable
  func end(returning output: consuming State.Output?) { end(.returned(output)) }

  @inline(never)
  @inlinable
  func end(throwing error: any Error) { end(.threw(error)) }

  @inlinable
  func end(_ outcome: LoadMachine<State>.Outcome) {
    driver.end(attempt, outcome)
  }
}
