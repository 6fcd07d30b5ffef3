import Staging

/// The wait of one attempt's block: until its time, an injected error, or its cancellation, which
/// an uncancellable block ignores.
///
/// Confined to the thread of its stage. Cancellation handlers run on that thread, too.
final class AttemptGate: @unchecked Sendable {
  private let stage: Stage
  private let isUncancellable: Bool
  private var waiting: UnsafeContinuation<Void, any Error>?
  private var alarm: Scheduled?
  /// The task of the work that the block waits for, such as a request; nil if it waits for time.
  private(set) var operation: Task<Void, Never>?
  private var injected: (any Error)?
  private var isClosed = false

  init(stage: Stage, isUncancellable: Bool) {
    self.stage = stage
    self.isUncancellable = isUncancellable
  }

  /// Waits for `delay`, or without end if it is nil.
  ///
  /// - Throws: an injected error; `CancellationError` as soon as the task is cancelled, unless the
  ///   block ignores cancellation.
  @MainActor func wait(for delay: Duration?, ignoringCancellation: Bool = false) async throws {
    let ignoresCancellation = isUncancellable || ignoringCancellation
    try takeWhatCameBefore()
    if delay == .zero {
      if !ignoresCancellation { try Task.checkCancellation() }
      return
    }
    try await wait(ignoringCancellation: ignoresCancellation) {
      guard let delay else { return }
      alarm = stage.schedule(at: stage.now.advanced(by: delay), onlyWakes: true, name: nil) {
        self.open(.success(()))
      }
    }
  }

  /// Waits for work in a separate task, so that the block can stop waiting: an injected error
  /// cancels that task, and so does a cancellation, unless the block is uncancellable.
  ///
  /// - Throws: the error of the work; otherwise like `wait(for:ignoringCancellation:)`.
  @MainActor func wait<Value: Sendable>(
    forWork work: @escaping @MainActor () async throws -> Value
  ) async throws -> Value {
    try takeWhatCameBefore()
    let yield = Yield<Value>()
    try await wait(ignoringCancellation: isUncancellable) {
      operation = Task {
        do {
          yield.value = try await work()
          if !Task.isCancelled { self.end(.success(())) }
        } catch {
          if !Task.isCancelled { self.end(.failure(error)) }
        }
      }
    }
    guard let value = yield.value else { preconditionFailure("Work that succeeds has a value.") }
    return value
  }

  /// The result of the work.
  @MainActor private final class Yield<Value> {
    var value: Value?
  }

  private func end(_ result: Result<Void, any Error>) {
    operation = nil
    open(result)
    // Commands that run before the block continues may see other effects of the work. Such commands
    // declare that.
    stage.claimMove()
  }

  private func takeWhatCameBefore() throws {
    if isClosed { throw CancellationError() }
    guard let injected else { return }
    self.injected = nil
    throw injected
  }

  /// Suspends the block until the gate opens. `begin` must arrange that.
  @MainActor private func wait(ignoringCancellation ignoresCancellation: Bool, begin: () -> Void)
    async throws
  {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation {
        (continuation: UnsafeContinuation<Void, any Error>) in
        if Task.isCancelled, !ignoresCancellation {
          continuation.resume(throwing: CancellationError())
          return
        }
        waiting = continuation
        begin()
      }
    } onCancel: {
      if !ignoresCancellation { open(.failure(CancellationError())) }
    }
  }

  /// Ends the wait of any block, including uncancellable ones, because the session is over.
  func close() {
    isClosed = true
    open(.failure(CancellationError()))
  }

  /// Makes the current try fail with this error.
  ///
  /// - Returns: false between two tries: then the next try fails.
  func inject(_ error: any Error) -> Bool {
    guard waiting != nil else {
      // Before the block resumed, another try would have failed.
      stage.movesMatter()
      injected = error
      return false
    }
    open(.failure(error))
    return true
  }

  /// Whether the block waits for an event that no pending work will cause. Work counts as able to
  /// end while the stage has pending work.
  var isStuck: Bool {
    guard waiting != nil, alarm == nil else { return false }
    return operation == nil || stage.nextInstant == nil
  }

  private func open(_ result: Result<Void, any Error>) {
    alarm?.cancel()
    alarm = nil
    operation?.cancel()
    operation = nil
    waiting?.resume(with: result)
    waiting = nil
  }
}
