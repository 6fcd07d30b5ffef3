/// What a running block knows about its attempt, and how it reports while it runs.
///
/// To be used on the driver's isolation, where the block runs.
public struct AttemptContext<State: LifecycleState> {
  public let attempt: Attempt
  let driver: LoadDriver<State>

  /// Hands over a state, of any kind, and goes on. Dropped if the attempt no longer counts.
  public func yield(_ state: State) {
    driver.send(.yield(attempt, state))
  }

  /// Reports that a try failed and another one follows after `delay`. Changes no state.
  public func retrying(failedTry: Int, of tries: Int, delay: Duration, error: any Error) {
    guard driver.observer != nil else { return }
    let retry = LoadMachine<State>.Retry(
      failedTry: failedTry,
      tries: tries,
      delay: delay,
      error: error
    )
    driver.send(.retry(attempt, retry))
  }
}
