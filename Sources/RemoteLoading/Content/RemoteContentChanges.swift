/// The observers of a content, which receive every state in order, even if it is the same as
/// before.
///
/// Observation, by comparison, reports one change to a view and skips states in between.
@MainActor
public final class RemoteContentChanges<Value, Progress> {
  /// The state that observers receive.
  public typealias State = RemoteContentLoadingState<Value, Progress>

  private var observers: [(id: Int, body: (State) -> Void)] = []
  private var count = 0

  /// Creates changes without observers.
  public nonisolated init() {}

  /// Calls `body` with each later state, synchronously.
  ///
  /// - Returns: a token that ends this when it is cancelled or released.
  public func observe(_ body: @escaping (State) -> Void) -> RemoteContentObservation {
    count += 1
    let id = count
    observers.append((id, body))
    return RemoteContentObservation { [weak self] in self?.observers.removeAll { $0.id == id } }
  }

  /// Returns the later states. They are buffered; cancelling the task that reads them ends the
  /// stream.
  public func states() -> AsyncStream<State> where Value: Sendable, Progress: Sendable {
    let (states, continuation) = AsyncStream.makeStream(of: State.self)
    let observation = observe { continuation.yield($0) }
    continuation.onTermination = { _ in Task { @MainActor in observation.cancel() } }
    return states
  }

  /// Sends a state to the current observers, except those cancelled during the call. Call it after
  /// setting the state.
  public func send(_ state: State) {
    for observer in observers where observers.contains(where: { $0.id == observer.id }) {
      observer.body(state)
    }
  }
}

/// An observation of a content.
@MainActor
public final class RemoteContentObservation {
  private let end: () -> Void

  init(end: @escaping () -> Void) {
    self.end = end
  }

  /// Ends the observation. Later calls have no effect.
  public func cancel() {
    end()
  }

  isolated deinit {
    end()
  }
}
