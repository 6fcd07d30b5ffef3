import Observation
import Staging

/// Reads a property that Observation tracks, and reports each of its values.
///
/// Observation announces a change before it happens. So the tracker reads the value at each
/// announcement, when it still is the result of the change before, and again after the job that
/// changes it. It tracks again then, because the value may now depend on other objects. Values that
/// live shorter than a job are seen only if the main actor changes the property, as is usual for
/// view models.
@MainActor final class PropertyTracker<Value>: ChangeTracker {
  let lane: Int
  private unowned let session: Session
  private let read: @MainActor () -> Value
  private let tell: @MainActor (Value) -> Void
  private var isArmed = false
  /// Number of times that tracking has begun. Announcements for earlier numbers are ignored.
  private var trackingCount = 0
  private var isOver = false

  /// Begins to track, without a report of the first value.
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
    // Called on the thread that changes the property, before the change.
    return withObservationTracking(read) { [weak self] in
      if stage.isOnMainActor {
        MainActor.assumeIsolated { self?.noteChange(number, isOnMainActor: true) }
      } else {
        stage.schedule(at: stage.now, name: "the report of a change") {
          self?.noteChange(number, isOnMainActor: false)
        }
      }
    }
  }

  private func noteChange(_ number: Int, isOnMainActor: Bool) {
    guard !isOver, number == trackingCount else { return }
    isArmed = false
    session.output.changes.add(self)
    if isOnMainActor {
      session.output.changes.tell()
      session.output.changes.noteOrigin(of: self)
    }
  }
}
