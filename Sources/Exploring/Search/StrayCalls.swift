import Staging
import Synchronization

/// The calls of functions of a run by threads outside of its stage. For any thread.
package final class StrayCalls: Sendable {
  /// A call of a function of `ExploredRun`.
  package struct Call: Sendable, Hashable {
    /// The name of the called function.
    let function: String
    /// The code that called it; nil if unknown.
    let caller: SourceFrame?

    /// What is wrong, and what to do.
    package var text: String {
      """
      'run.\(function)' is called\(caller.map { " in \($0)" } ?? "") by a thread outside of the stage, so no schedule \
      decides when; call it in a task of the scenario
      """
    }
  }

  private enum State {
    case collecting([Call])
    case reporting(@Sendable (Call) -> Void)
  }

  private let state = Mutex<State>(.collecting([]))

  package init() {}

  func add(_ function: String, _ caller: SourceFrame?) {
    let call = Call(function: function, caller: caller)
    let report: (@Sendable (Call) -> Void)? = state.withLock { state in
      switch state {
      case .collecting(let calls):
        if !calls.contains(call) { state = .collecting(calls + [call]) }
        return nil
      case .reporting(let report): return report
      }
    }
    report?(call)
  }

  /// Returns each call since the last call of this function once.
  func take() -> [Call] {
    state.withLock { state in
      guard case .collecting(let calls) = state else { return [] }
      state = .collecting([])
      return calls
    }
  }

  /// Reports the calls that no run has taken, and from now on each call at once.
  package func report(_ report: @escaping @Sendable (Call) -> Void) {
    let calls = take()
    state.withLock { $0 = .reporting(report) }
    for call in calls { report(call) }
  }
}
