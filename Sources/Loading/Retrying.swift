/// A failed try that another one follows, in a block that is run again until it succeeds.
public struct FailedTry {
  /// The number of the try, from 1.
  public let number: Int
  /// Maximum number of tries, including the first.
  public let tries: Int
  /// The delay until the next try.
  public let delay: Duration
  /// The error of the block.
  public let error: any Error
}

/// Runs the block until it succeeds, or has failed as often as the policy allows.
///
/// Cancellations and the families' control errors are not failures: they are rethrown at once, and
/// so is an error for which `shouldRetry` returns false. `onFailure` is called after each failed
/// try that another one follows. `clock` measures the delays; cancelling the task ends them, and no
/// further try begins.
///
/// - Throws: the error of the last try; `CancellationError` if the task is cancelled during a
///   delay.
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

/// Runs the block as the other form does, with delays from a closure: `delay` returns the delay
/// after a failed try, whose number counts from 1.
///
/// - Throws: the error of the last try; `CancellationError` if the task is cancelled during a
///   delay.
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
  /// Runs the block with retries according to the policy, and reports each failed try as an
  /// observation.
  ///
  /// - Throws: the error of the last try; `CancellationError` if the attempt is cancelled
  ///   meanwhile.
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

  /// Runs the block as the other form does, with delays from a closure: `delay` returns the delay
  /// after a failed try, whose number counts from 1.
  ///
  /// - Throws: the error of the last try; `CancellationError` if the attempt is cancelled
  ///   meanwhile.
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
