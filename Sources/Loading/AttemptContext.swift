/// The context of a running block: its attempt, and functions to report progress.
///
/// Use it on the driver's isolation, on which the block runs.
public struct AttemptContext<State: LifecycleState> {
  @usableFromInline
  let run: AttemptRun<State>

  @inlinable
  init(run: AttemptRun<State>) {
    self.run = run
  }

  /// The attempt of the block.
  @inlinable
  public var attempt: Attempt { run.attempt }

  /// Delivers a state of any kind while the block continues. It is dropped if the attempt no longer
  /// counts.
  @inlinable
  public func yield(_ state: State) {
    run.driver.send(.yield(attempt, state))
  }

  /// Reports that a try failed and another one follows after `delay`. Changes no state.
  ///
  /// Tries count from 1; `tries` is their maximum number.
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

/// A running block. It is one object, so that its task holds a single reference: with a million
/// waiting loads, each word counts.
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
