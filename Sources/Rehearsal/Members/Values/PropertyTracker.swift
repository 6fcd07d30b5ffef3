import Observation
import Staging

/// Looks at what Observation tracks, and tells each value that it takes.
///
/// Observation says only that something is about to change. So the value is read at every change, when
/// it still is what the change before has made of it, and once more when the job that changes it is over;
/// then it may be read from other objects than before.
/// A value that lives shorter than a job is seen where the main actor changes it, which is where view
/// models are changed.
@MainActor final class PropertyTracker<Value>: ChangeTracker {
  let lane: Int
  private unowned let session: Session
  private let read: @MainActor () -> Value
  private let tell: @MainActor (Value) -> Void
  private var isArmed = false
  /// How often tracking has begun: only the latest one counts.
  private var trackingCount = 0
  private var isOver = false

  /// Begins at once, without telling the first value.
  init(
    lane: Int,
    in session: Session,
    reading read: @escaping @MainActor () -> Value,
    tell: @escaping @MainActor (Value) -> Void
  ) {
    self.lane = lane
    self.session = session
    self.read = read
    self.tell = tell
    _ = tracked()
  }

  func end() { isOver = true }

  func look() {
    guard !isOver else { return }
    tell(isArmed ? read() : tracked())
  }

  func lookAgain() {
    guard !isOver else { return }
    tell(tracked())
  }

  private func tracked() -> Value {
    isArmed = true
    trackingCount += 1
    let number = trackingCount
    let stage = session.stage
    // Called by whoever changes it, before it is changed.
    return withObservationTracking(read) { [weak self] in
      if stage.isOnMainActor {
        MainActor.assumeIsolated { self?.noteChange(number, isOnMainActor: true) }
      } else {
        stage.schedule(at: stage.now) { self?.noteChange(number, isOnMainActor: false) }
      }
    }
  }

  private func noteChange(_ number: Int, isOnMainActor: Bool) {
    guard !isOver, number == trackingCount else { return }
    isArmed = false
    session.output.changes.add(self)
    if isOnMainActor { session.output.changes.tell() }
  }
}
