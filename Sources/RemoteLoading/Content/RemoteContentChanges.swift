/// Tells about every state of one content, in order, also when it is the same again.
///
/// Observation, by comparison, tells a view that something has changed, once, and passes over states
/// in between.
@MainActor
public final class RemoteContentChanges<Value, Progress> {
  /// What observers are told.
  public typealias State = RemoteContentLoadingState<Value, Progress>

  private var observers: [(id: Int, body: (State) -> Void)] = []
  private var count = 0

  /// Begins without observers.
  public nonisolated init() {}

  /// Calls `body` with each state from now on, at once.
  ///
  /// - Returns: ends this when it is cancelled or gone.
  public func observe(_ body: @escaping (State) -> Void) -> RemoteContentObservation {
    count += 1
    let id = count
    observers.append((id, body))
    return RemoteContentObservation { [weak self] in self?.observers.removeAll { $0.id == id } }
  }

  /// The states from now on. They are kept until they are read; cancelling the task that reads them
  /// ends the stream.
  public func states() -> AsyncStream<State> where Value: Sendable, Progress: Sendable {
    let (states, continuation) = AsyncStream.makeStream(of: State.self)
    let observation = observe { continuation.yield($0) }
    continuation.onTermination = { _ in Task { @MainActor in observation.cancel() } }
    return states
  }

  /// Tells everybody who observes by then, and not those who are cancelled while it tells others. For
  /// whoever writes the state, afterwards.
  public func send(_ state: State) {
    for observer in observers where observers.contains(where: { $0.id == observer.id }) {
      observer.body(state)
    }
  }
}

/// An observer's place among the observers of a content.
@MainActor
public final class RemoteContentObservation {
  private let end: () -> Void

  init(end: @escaping () -> Void) {
    self.end = end
  }

  /// Tells the observer no more. Has no effect the second time.
  public func cancel() {
    end()
  }

  isolated deinit {
    end()
  }
}
