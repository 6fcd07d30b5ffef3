import Staging

/// Where the block of one attempt waits: for its time, for an injected error, or for its
/// cancellation, to which a stubborn block is deaf.
///
/// Confined to the thread of its stage, on which cancellation handlers run as well.
final class AttemptGate: @unchecked Sendable {
  private let stage: Stage
  private let isStubborn: Bool
  private var waiting: UnsafeContinuation<Void, any Error>?
  private var alarm: Scheduled?
  private var injected: (any Error)?
  private var isClosed = false

  init(stage: Stage, isStubborn: Bool) {
    self.stage = stage
    self.isStubborn = isStubborn
  }

  /// Waits for `delay`, or for ever where it is nil; if `deaf`, like a stubborn block.
  ///
  /// - Throws: an injected error; `CancellationError` when the task is cancelled, at once, unless
  ///   the block is stubborn.
  @MainActor func wait(for delay: Duration?, deaf: Bool = false) async throws {
    let isStubborn = isStubborn || deaf
    if isClosed { throw CancellationError() }
    if let injected {
      self.injected = nil
      throw injected
    }
    if delay == .zero {
      if !isStubborn { try Task.checkCancellation() }
      return
    }
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation {
        (continuation: UnsafeContinuation<Void, any Error>) in
        if Task.isCancelled, !isStubborn {
          continuation.resume(throwing: CancellationError())
          return
        }
        waiting = continuation
        if let delay {
          alarm = stage.schedule(at: stage.now.advanced(by: delay)) { self.open(.success(())) }
        }
      }
    } onCancel: {
      if !isStubborn { open(.failure(CancellationError())) }
    }
  }

  /// Lets go of a block that would wait for ever, stubborn or not: its session is over.
  func close() {
    isClosed = true
    open(.failure(CancellationError()))
  }

  /// Makes the try that is under way fail with this error.
  ///
  /// - Returns: false where none is, between two tries: then the next one fails.
  func inject(_ error: any Error) -> Bool {
    guard waiting != nil else {
      injected = error
      return false
    }
    open(.failure(error))
    return true
  }

  /// Whether the block waits for something that does not come by itself.
  var isStuck: Bool { waiting != nil && alarm == nil }

  private func open(_ result: Result<Void, any Error>) {
    alarm?.cancel()
    alarm = nil
    waiting?.resume(with: result)
    waiting = nil
  }
}
