/// A try that failed and is followed by another one.
public struct FailedTry {
  /// Which try this was, from 1.
  public let number: Int
  /// How many tries there are at most, the first included.
  public let tries: Int
  /// How long it is until the next try begins.
  public let delay: Duration
  /// What the block threw.
  public let error: any Error
}

/// Runs the block until it succeeds, or has failed as often as the policy allows.
///
/// Cancellations and the families' control errors are not failures: they are thrown on at once, and
/// so is an error that `shouldRetry` declines. `onFailure` is told of each failed try that another
/// one follows. Delays pass by `clock`; cancelling the task ends them, and no further try begins.
///
/// - Throws: what the last try threw; `CancellationError` if the task is cancelled while it waits.
public func withRetries<Value>(
  _ policy: RetryPolicy,
  clock: any Clock<Duration>,
  using generator: inout some RandomNumberGenerator,
  isolation: isolated (any Actor)? = #isolation,
  shouldRetry: (any Error) -> Bool = { _ in true },
  onFailure: (FailedTry) -> Void = { _ in },
  block: () async throws -> Value
) async throws -> Value {
  try await withRetries(
    policy,
    clock: clock,
    delay: { policy.delay(afterFailedTry: $0, using: &generator) },
    shouldRetry: shouldRetry,
    onFailure: onFailure,
    block: block
  )
}

/// The same where somebody else says how long the `delay` after each failed try is, by its number from 1:
/// one of those that the policy allows, say.
///
/// - Throws: what the last try threw; `CancellationError` if the task is cancelled while it waits.
public func withRetries<Value>(
  _ policy: RetryPolicy,
  clock: any Clock<Duration>,
  delay: (_ failedTry: Int) -> Duration,
  isolation: isolated (any Actor)? = #isolation,
  shouldRetry: (any Error) -> Bool = { _ in true },
  onFailure: (FailedTry) -> Void = { _ in },
  block: () async throws -> Value
) async throws -> Value {
  for number in 1..<policy.tries {
    do {
      return try await block()
    } catch  where isFailure(error) && shouldRetry(error) && !Task.isCancelled {
      let delay = delay(number)
      onFailure(FailedTry(number: number, tries: policy.tries, delay: delay, error: error))
      if delay > .zero { try await clock.sleep(for: delay) }
    }
  }
  return try await block()
}

extension AttemptContext {
  /// Runs the block again as the policy says, and reports each failed try as an observation.
  ///
  /// - Throws: what the last try threw; `CancellationError` if the attempt is cancelled meanwhile.
  public func retrying<Value>(
    _ policy: RetryPolicy,
    clock: any Clock<Duration>,
    using generator: inout some RandomNumberGenerator,
    isolation: isolated (any Actor)? = #isolation,
    block: () async throws -> Value
  ) async throws -> Value {
    try await retrying(
      policy,
      clock: clock,
      delay: { policy.delay(afterFailedTry: $0, using: &generator) },
      block: block
    )
  }

  /// The same where somebody else says how long the `delay` after each failed try is, by its number from 1.
  ///
  /// - Throws: what the last try threw; `CancellationError` if the attempt is cancelled meanwhile.
  public func retrying<Value>(
    _ policy: RetryPolicy,
    clock: any Clock<Duration>,
    delay: (_ failedTry: Int) -> Duration,
    isolation: isolated (any Actor)? = #isolation,
    block: () async throws -> Value
  ) async throws -> Value {
    let report = { (failed: FailedTry) in
      retrying(
        failedTry: failed.number,
        of: failed.tries,
        delay: failed.delay,
        error: failed.error
      )
    }
    return try await withRetries(
      policy,
      clock: clock,
      delay: delay,
      onFailure: report,
      block: block
    )
  }
}

private func isFailure(_ error: any Error) -> Bool {
  switch error {
  case is CancelLoadable, is ResetLoadable, is CancelProcess, is ResetProcess: false
  default: !isCancellation(error)
  }
}
