import Script
import Staging
import Timelines

extension SessionHost {
  /// Whether nothing is left to do.
  var isSettled: Bool { stage.pending.isEmpty }

  /// How long it takes until all has come that is awaited now; nil where no instant is.
  var lastAwaited: Duration? {
    stage.pending.sleepers.last.map { stage.now.duration(to: $0.until) }
  }

  /// Which invariants were broken; what is about the end only where a run has come to its end.
  func broken(in recording: Recording, isWhole: Bool) -> [InvariantBreach] {
    let times = stage.enter { [session] in session.settings.values.times }
    var reading = InvariantReading(recording, times)
    if isWhole {
      stage.enter { [session] in
        for member in session.members where !member.isConstant {
          guard let attempt = member.liveAttempts.last,
            let lane = session.laneNumbers.index(of: member.lane)
          else { continue }
          reading.addEndless(attempt.number, inLane: lane)
        }
      }
    }
    return reading.broken.filter { isWhole || !$0.invariant.isAboutTheEnd }
  }
}
