import Staging

/// Where the block of one attempt waits: for its time, for an injected error, or for its
/// cancellation, to which an uncancellable block is deaf.
///
/// Confined to the thread of its stage, on which cancellation handlers run as well.
final class AttemptGate: @unchecked Sendable {
  private let stage: Stage
  private let isUncancellable: Bool
  private var waiting: UnsafeContinuation<Void, any Error>?
  private var alarm: Scheduled?
  /// What the block waits for where that is work of its own: a request.
  private(set) var operation: Task<Void, Never>?
  private var injected: (any Error)?
  private var isClosed = false

  init(stage: Stage, isUncancellable: Bool) {
    self.stage = stage
    self.isUncancellable = isUncancellable
  }

  /// Waits for `delay`, or for ever where it is nil; if `deaf`, like an uncancellable block.
  ///
  /// - Throws: an injected error; `CancellationError` when the task is cancelled, at once, unless
  ///   the block is uncancellable.
  @MainActor func wait(for delay: Duration?, ignoringCancellation: Bool = false) async throws {
    let ignoresCancellation = isUncancellable || ignoringCancellation
    try takeWhatCameBefore()
    if delay == .zero {
      if !ignoresCancellation { try Task.checkCancellation() }
      return
    }
    try await wait(ignoringCancellation: ignoresCancellation) {
      guard let delay else { return }
      alarm = stage.schedule(at: stage.now.advanced(by: delay), onlyWakes: true) {
        self.open(.success(()))
      }
    }
  }

  /// Waits for work that is a task of its own, so that it can be left: an injected error and a
  /// cancellation cancel it, the latter unless the block is uncancellable.
  ///
  /// - Throws: what the work throws; otherwise like `wait(for:ignoringCancellation:)`.
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

  /// What work has come to.
  @MainActor private final class Yield<Value> {
    var value: Value?
  }

  private func end(_ result: Result<Void, any Error>) {
    operation = nil
    open(result)
    // Commands that come before the block goes on may see what else the work has done: they say so.
    stage.claimMove()
  }

  private func takeWhatCameBefore() throws {
    if isClosed { throw CancellationError() }
    guard let injected else { return }
    self.injected = nil
    throw injected
  }

  /// Suspends the block until the gate opens; `begin` makes sure that it will.
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

  /// Lets go of a block that would wait for ever, uncancellable or not: its session is over.
  func close() {
    isClosed = true
    open(.failure(CancellationError()))
  }

  /// Makes the try that is under way fail with this error.
  ///
  /// - Returns: false where none is, between two tries: then the next one fails.
  func inject(_ error: any Error) -> Bool {
    guard waiting != nil else {
      // Before the block was woken it would have been another try that fails.
      stage.movesMatter()
      injected = error
      return false
    }
    open(.failure(error))
    return true
  }

  /// Whether the block waits for something that does not come by itself. Work ends by itself as long as
  /// anything is left to run on the stage.
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
