import Exploring
import Script
import Staging

extension Decisions {
  /// How long something takes that begins so much later than now, where a script leaves it open: together with
  /// something else that is due then, or that was in the plain run, or else anything. The plain choice is what was
  /// `drawn`, or else the shorter end.
  func choose(
    _ range: DurationRange,
    drawn: Duration? = nil,
    from start: Duration = .zero,
    on stage: Stage,
    landmarks: [Duration]
  ) -> Duration {
    guard range.isOpen else { return range.lowerBound }
    let begin = stage.now.advanced(by: start)
    let alarms = stage.alarms(
      from: begin.advanced(by: range.lowerBound),
      through: begin.advanced(by: range.upperBound)
    )
    let known = landmarks.lazy.map { $0 - begin.elapsed }.filter(range.contains)
    let steps = DurationSteps(range)
    let marked = steps.places(
      of: (alarms.map { begin.duration(to: $0) } + known.prefix(mostLandmarks)).sorted()
    )
    guard let drawn else { return steps[choose(among: steps.count, marked: marked)] }
    let behindDrawn = ([0] + marked.drop { $0 == 0 }).map { $0 + 1 }
    let choice = choose(among: steps.count + 1, marked: behindDrawn)
    return choice == 0 ? drawn : steps[choice - 1]
  }
}

/// How many instants of the plain run are tried within one range: they multiply.
private let mostLandmarks = 16
