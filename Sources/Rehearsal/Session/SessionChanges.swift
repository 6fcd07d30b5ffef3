import Exploring
import Staging

/// Reports the changes of observed properties by the current job, before any other event, in the
/// order of the members.
///
/// Observation calls its observers in the order of a dictionary, so the order is fixed here.
@MainActor final class SessionChanges {
  private let stage: Stage
  private var trackers: [(tracker: any ChangeTracker, origin: SearchScheduler.EffectOrigin?)] = []
  private var isTelling = false

  init(stage: Stage) {
    self.stage = stage
  }

  /// Adds a tracker whose value changes, until the current job ends.
  func add(_ tracker: any ChangeTracker) {
    if trackers.isEmpty {
      stage.schedule(at: stage.now, name: "the report of changes") { self.endJob() }
    }
    guard !trackers.contains(where: { $0.tracker === tracker }) else { return }
    let place = trackers.firstIndex { $0.tracker.lane > tracker.lane } ?? trackers.endIndex
    trackers.insert((tracker, explaining?.effectOrigin), at: place)
  }

  /// Notes for a report about a run that the next change of a tracker comes from the current step.
  func noteOrigin(of tracker: any ChangeTracker) {
    guard let explaining, let place = trackers.firstIndex(where: { $0.tracker === tracker }) else {
      return
    }
    trackers[place].origin = explaining.effectOrigin
  }

  /// The scheduler, if a report needs the effects of steps.
  private var explaining: SearchScheduler? {
    stage.jobScheduler.flatMap { $0.keepsTexts ? $0 as? SearchScheduler : nil }
  }

  /// Reports the changes so far.
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
    for (tracker, origin) in trackers {
      if let origin, let explaining {
        explaining.noteEffects(of: origin) { look(tracker) }
      } else {
        look(tracker)
      }
    }
    isTelling = false
  }
}

/// A tracker of changes that are reported before the next event.
@MainActor protocol ChangeTracker: AnyObject {
  /// The lane of its member.
  var lane: Int { get }
  /// Reports the change since the last call, if there is one.
  func look()
  /// Does the same after a change that had only been announced.
  func lookAgain()
}
