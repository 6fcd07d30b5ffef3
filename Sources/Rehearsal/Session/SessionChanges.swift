import Staging

/// What the job that runs changes, told before anything else is, and in the order of the members.
///
/// Observation calls its observers in the order of a dictionary, so the order is made here.
@MainActor final class SessionChanges {
  private let stage: Stage
  private var trackers: [any ChangeTracker] = []
  private var isTelling = false

  init(stage: Stage) {
    self.stage = stage
  }

  /// Adds somebody whose value changes, for as long as the job takes that changes it.
  func add(_ tracker: any ChangeTracker) {
    if trackers.isEmpty { stage.schedule(at: stage.now) { self.endJob() } }
    guard !trackers.contains(where: { $0 === tracker }) else { return }
    let place = trackers.firstIndex { $0.lane > tracker.lane } ?? trackers.endIndex
    trackers.insert(tracker, at: place)
  }

  /// Tells what has changed so far.
  func tell() {
    each { $0.look() }
  }

  private func endJob() {
    each { $0.lookAgain() }
    trackers = []
  }

  private func each(_ look: (any ChangeTracker) -> Void) {
    guard !trackers.isEmpty, !isTelling else { return }
    isTelling = true
    for tracker in trackers { look(tracker) }
    isTelling = false
  }
}

/// Somebody who has something to tell before whatever is told next.
@MainActor protocol ChangeTracker: AnyObject {
  /// That of its member.
  var lane: Int { get }
  /// Tells what has changed since the last look, if anything has.
  func look()
  /// The same, once whatever was about to change has changed.
  func lookAgain()
}
