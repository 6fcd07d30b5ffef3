import Foundation
import Staging
import Synchronization

/// Lines that code on a stage logs.
final class Log: Sendable {
  private let storage = Mutex<[String]>([])

  func callAsFunction(_ line: String) { storage.withLock { $0.append(line) } }

  var lines: [String] { storage.withLock { $0 } }
}

/// Suspends until a thread without a stage resumes the task.
func resumedByForeignThread() async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume() }
  }
}

/// Suspends a task until it is opened.
final class Door: Sendable {
  private enum State {
    case closed
    case waitedFor(CheckedContinuation<Void, Never>)
    case open
  }

  private let state = Mutex<State>(.closed)

  var isWaitedFor: Bool {
    state.withLock { if case .waitedFor = $0 { true } else { false } }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if case .open = state { return continuation.resume() }
        state = .waitedFor(continuation)
      }
    }
  }

  func open() {
    state.withLock { state in
      if case .waitedFor(let continuation) = state { continuation.resume() }
      state = .open
    }
  }
}

extension Stage.Stop {
  /// The limit that stopped the call, if any.
  var limit: Stage.Bound.Limit? {
    if case .bound(let bound) = self { bound.limit } else { nil }
  }
}
