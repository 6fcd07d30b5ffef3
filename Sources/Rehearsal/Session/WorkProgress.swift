import Synchronization

/// How far long work has come, for whoever waits for it. For any thread.
package final class WorkProgress: Sendable {
  private let state = Mutex<State?>(nil)

  private enum State {
    case counted(Int, total: Int, noun: String)
    case said(String)
  }

  init() {}

  /// In a few words; nil where nobody counts.
  package var words: String? {
    state.withLock { state in
      switch state {
      case .counted(let done, let total, let noun): "\(noun) \(done) of \(total)"
      case .said(let words): words
      case nil: nil
      }
    }
  }

  /// Puts words in the place of what was counted.
  func say(_ words: String) { state.withLock { $0 = .said(words) } }

  /// Counts while `body` performs so many commands, or does other such work, and calls `count` before each.
  func whileCounting<T>(to total: Int, of noun: String = "command", _ body: () -> T) -> T {
    let outer = state.withLock { state in
      defer { state = .counted(0, total: total, noun: noun) }
      return state
    }
    defer { state.withLock { $0 = outer } }
    return body()
  }

  /// One more has begun.
  func count() {
    state.withLock { state in
      guard case .counted(let done, let total, let noun) = state else { return }
      state = .counted(done + 1, total: total, noun: noun)
    }
  }
}
