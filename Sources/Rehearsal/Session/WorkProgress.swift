import Synchronization

/// How far long work has come, for whoever waits for it. For any thread.
package final class WorkProgress: Sendable {
  private let state = Mutex<State?>(nil)

  private struct State {
    var done: Int
    let total: Int
    let noun: String
  }

  init() {}

  /// In a few words; nil where nobody counts.
  package var words: String? {
    state.withLock { $0.map { "\($0.noun) \($0.done) of \($0.total)" } }
  }

  /// Counts while `body` performs so many commands, or does other such work, and calls `count` before each.
  func whileCounting<T>(to total: Int, of noun: String = "command", _ body: () -> T) -> T {
    let outer = state.withLock { state in
      defer { state = State(done: 0, total: total, noun: noun) }
      return state
    }
    defer { state.withLock { $0 = outer } }
    return body()
  }

  /// One more has begun.
  func count() { state.withLock { $0?.done += 1 } }
}
