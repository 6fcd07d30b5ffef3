import Exploring
import Script
import Staging

extension Decisions {
  /// How long something takes that begins so much later than now, where a script leaves it open: together with
  /// something else that is due then, or else anything.
  func choose(_ range: DurationRange, from start: Duration = .zero, on stage: Stage) -> Duration {
    guard range.isOpen else { return range.lowerBound }
    let begin = stage.now.advanced(by: start)
    let alarms = stage.alarms(
      from: begin.advanced(by: range.lowerBound),
      through: begin.advanced(by: range.upperBound)
    )
    let steps = DurationSteps(range)
    let marked = steps.places(of: alarms.map { begin.duration(to: $0) })
    return steps[choose(among: steps.count, marked: marked)]
  }
}
