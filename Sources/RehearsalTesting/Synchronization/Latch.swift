import Staging
import Synchronization

/// A gate that is closed at first, and stays open once it is opened.
///
///     let isReady = Latch("ready")
///     Task { try await isReady.wait(); … }
///     isReady.open()
///
/// `Latch(count: 3)` opens at the third call of `countDown()`, or at `open()`.
///
/// On the stage, each wait is a scheduling point, so a search tries other tasks before it. Elsewhere the latch works in real
/// time. If nothing is left to do, a failure names the latch and the tasks that wait for it.
public final class Latch: Sendable {
  //     closed(n) ──countDown──▶ closed(n - 1) ──countDown, at 1──▶ open
  //         └────────────open───────────────────────────────────────▶ open
  private struct State {
    /// The number of calls of `countDown` that are left; 0 if the latch is open.
    var count: Int
    var waiters: [Suspension<Void>] = []
  }

  private let state: Mutex<State>
  private let gate = Gate()
  private let name: String

  /// Creates a latch.
  ///
  /// - Parameters:
  ///   - name: the name in reports; nil to name the line of the call.
  ///   - count: the number of calls of `countDown` that open it; 0 for a latch that is open.
  ///   - fileID: the file of the call.
  ///   - line: the line of the call.
  /// - Precondition: `count` is not negative.
  public init(
    _ name: String? = nil,
    count: Int = 1,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    precondition(count >= 0, "The count of a Latch is \(count), but it is at least 0.")
    state = Mutex(State(count: count))
    self.name = reportedName("Latch", name, fileID, line)
  }

  /// Whether the latch is open.
  public var isOpen: Bool {
    // The caller depends on the order of this step and that of `open`.
    Stage.noteSharedEffect()
    return state.withLock { $0.count == 0 }
  }

  /// Waits until the latch is open. Returns without waiting if it is open.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before it continues, even if the latch is open at the call.
  public func wait() async throws {
    try Task.checkCancellation()
    guard let waiter = await gate.enter({ self.makeWaiter() }) else {
      return try Task.checkCancellation()
    }
    do {
      try await waiter.value { NamedWait(self.reportedText) }
    } catch {
      state.withLock { $0.waiters.removeAll { $0 === waiter } }
      throw error
    }
  }

  private var reportedText: String {
    let count = state.withLock(\.count)
    return count == 1
      ? "\(name), which needs a call of 'open' or 'countDown'"
      : "\(name), which needs \(count) calls of 'countDown', or one of 'open'"
  }

  /// Returns how a task waits; nil if the latch is open.
  private func makeWaiter() -> Suspension<Void>? {
    state.withLock { state in
      guard state.count > 0 else { return nil }
      let waiter = Suspension<Void>()
      state.waiters.append(waiter)
      return waiter
    }
  }

  /// Lowers the count by 1, and opens the latch at 0. Does nothing if it is open.
  public func countDown() { lower { max(0, $0 - 1) } }

  /// Opens the latch, whatever its count is. Does nothing if it is open.
  public func open() { lower { _ in 0 } }

  private func lower(_ change: (Int) -> Int) {
    Stage.noteSharedEffect()
    state.withLock { state in
      state.count = change(state.count)
      guard state.count == 0 else { return }
      for waiter in state.waiters { _ = waiter.end(.success(())) }
      state.waiters = []
    }
  }
}
