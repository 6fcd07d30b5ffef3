import Synchronization

/// The progress of long work, for any thread.
package final class WorkProgress: Sendable {
  private let state = Mutex<State?>(nil)

  private enum State {
    case counted(Int, total: Int, noun: String)
    case said(String)
  }

  init() {}

  /// The progress as text; nil if no work is counted.
  package var words: String? {
    state.withLock { state in
      switch state {
      case .counted(let done, let total, let noun): "\(noun) \(done) of \(total)"
      case .said(let words): words
      case nil: nil
      }
    }
  }

  /// Replaces the count by a text.
  func say(_ words: String) { state.withLock { $0 = .said(words) } }

  /// Counts while `body` performs `total` commands or other units of work. `body` calls `count`
  /// before each unit.
  func whileCounting<T>(to total: Int, of noun: String = "command", _ body: () -> T) -> T {
    let outer = state.withLock { state in
      defer { state = .counted(0, total: total, noun: noun) }
      return state
    }
    defer { state.withLock { $0 = outer } }
    return body()
  }

  /// Notes that the next unit has begun.
  func count() {
    state.withLock { state in
      guard case .counted(let done, let total, let noun) = state else { return }
      state = .counted(done + 1, total: total, noun: noun)
    }
  }
}
