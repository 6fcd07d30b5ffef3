import Staging

/// A step of a run that a report names.
struct NotedStep {
  /// The number of the step in its run, from 1.
  fileprivate let number: Int
  /// The task that it resumes, or whose code made its closure.
  fileprivate let task: UInt64?
  fileprivate let nanoseconds: Int64
  /// What runs, as far as it is known before the step.
  fileprivate let text: StepText
}

/// What the steps of a run did, for the names of steps in reports. A step that only wakes a task, or moves it to
/// another executor, has the effect that the task has next.
struct StepEffects {
  private struct NotedEffect {
    /// The step during which it happened; 0 for none.
    let step: Int
    let task: UInt64?
    let instant: StageInstant?
    let text: String
    let effect: StepEffect
  }

  private var all: [NotedEffect] = []
  private var steps = 0
  private(set) var isInStep = false

  mutating func begin() {
    steps += 1
    isInStep = true
  }

  mutating func end() { isInStep = false }

  /// A step that has effects.
  struct Origin {
    /// Its number in its run, from 1; 0 for none.
    fileprivate let step: Int
    fileprivate let task: UInt64?
    fileprivate let instant: StageInstant?
  }

  /// The step that runs now.
  var origin: Origin {
    Origin(
      step: isInStep ? steps : 0,
      task: Stage.currentTaskNumber,
      instant: Stage.current?.now
    )
  }

  /// - Parameters:
  ///   - effect: an effect that becomes known now.
  ///   - origin: the step that had it; nil for the one that runs now.
  mutating func add(_ effect: StepEffect, of origin: Origin? = nil) {
    guard let text = effect.text else { return }
    let origin = origin ?? self.origin
    all.append(
      NotedEffect(
        step: origin.step,
        task: origin.task,
        instant: origin.instant,
        text: text,
        effect: effect
      )
    )
  }

  /// Notes the next step.
  func next(_ choice: Int, _ turn: Turn) -> NotedStep {
    NotedStep(
      number: steps + 1,
      task: turn.taskOrCreator(choice),
      nanoseconds: turn.nanoseconds,
      text: turn.text(of: choice)
    )
  }

  /// Returns what a step has done: its first effect, or else the next effect of its task at the same instant, or else whose
  /// step it is.
  func text(of step: NotedStep, _ place: (Int) -> CodePlace?) -> StepText {
    let instant = StageInstant(nanoseconds: step.nanoseconds)
    let own = step.task.map { task in all.filter { $0.task == task } } ?? []
    let effect =
      all.first { $0.step == step.number }
      ?? own.first { $0.step > step.number && $0.instant == instant }
    let record = effect?.effect.record ?? own.lazy.compactMap(\.effect.record).first
    if let effect {
      return step.text.with(effect.text, at: record.flatMap(place))
    }
    guard let owner = own.lazy.compactMap(\.effect.owner).first else { return step.text }
    return step.text.with("a job of \(owner)", at: record.flatMap(place))
  }
}
