import Loading
import Script
import Staging
import Timelines

/// Moving the time of a session.
extension Session {
  /// The most jobs that one command may run before it is taken for endless.
  static let mostJobs = 10_000_000

  /// Runs what is due now.
  func driveWhatIsReady() throws(Diagnostic) {
    try finish(stage.runReady(limit: Self.mostJobs), span: 0..<0, verb: "this")
  }

  func advance(by duration: Duration, span: Range<Int>) throws(Diagnostic) {
    try finish(stage.advance(by: duration, limit: Self.mostJobs), span: span, verb: "wait")
  }

  /// Runs until nothing is left to do, or for `duration` at most.
  func settle(within duration: Duration?, span: Range<Int>) throws(Diagnostic) {
    try finish(stage.settle(within: duration, limit: Self.mostJobs), span: span, verb: "settle")
    if let duration, !stage.pending.isEmpty {
      announce("not settled within \(duration.compact)", lane: nil)
    }
    sayWhatIsLeft()
  }

  func step(span: Range<Int>) throws(Diagnostic) -> Bool {
    if stage.pending.isEmpty { return false }
    try finish(stage.step(limit: Self.mostJobs), span: span, verb: "step")
    return true
  }

  /// Names the attempts that wait for something that does not come by itself.
  func sayWhatIsLeft() {
    for member in members where !member.stuckAttempts.isEmpty {
      let attempts = member.stuckAttempts.map { "#\($0.number)" }.joined(separator: ", ")
      let lane = recording.lanes.firstIndex { $0.name == member.name }
      announce(member.name + "  \(attempts) still waiting, with nothing left to run", lane: lane)
    }
  }

  private func finish(_ stop: Stage.Stop, span: Range<Int>, verb: String) throws(Diagnostic) {
    switch stop {
    case .idle, .reached: return
    case .interrupted:
      announce("interrupted; time stands still here", lane: nil)
    case .bound(let bound):
      throw Diagnostic(
        .neverSettles(bound.description),
        at: span,
        hint: "'wait D' or 'settle within D' stops at a time; 'cancel' ends what is in flight"
      )
    }
  }
}
