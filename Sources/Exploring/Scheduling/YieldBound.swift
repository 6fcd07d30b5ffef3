import Staging

/// Counts how often a yielding task continued before each of the other steps.
///
/// A task that yields until something has happened could continue before the others forever, and
/// there would be infinitely many schedules. It may therefore continue before another step only a
/// limited number of times; then that step runs, as in M. Musuvathi and S. Qadeer, "Fair Stateless
/// Model Checking" (2008).
struct YieldBound {
  private static let most = 10

  /// A task that continued before a step which has been possible since.
  private struct Pass {
    let task: UInt64
    let step: UInt64
    var count = 1
  }

  private var passes: [Pass] = []

  mutating func removeAll() { passes.removeAll(keepingCapacity: true) }

  /// Notes the next step.
  mutating func willDo(_ choice: Int, _ turn: Turn) {
    if !passes.isEmpty {
      let step = turn.id(choice)
      passes.removeAll { $0.step == step }
    }
    guard turn.count > 1, let task = turn.yieldedTask(choice) else { return }
    for index in 0..<turn.count where index != choice {
      let step = turn.id(index)
      if let place = passes.firstIndex(where: { $0.task == task && $0.step == step }) {
        passes[place].count += 1
      } else {
        passes.append(Pass(task: task, step: step))
      }
    }
  }

  /// Returns the steps that may come next; nil if all may. The step that has waited longest always
  /// may.
  func allowed(_ turn: Turn) -> [Int]? {
    guard !passes.isEmpty, passes.contains(where: { $0.count >= Self.most }) else { return nil }
    let steps = (0..<turn.count).map { turn.id($0) }
    let allowed = (0..<turn.count).filter { index in
      guard let task = turn.yieldedTask(index) else { return true }
      return !passes.contains { pass in
        pass.task == task && pass.count >= Self.most && steps.contains(pass.step)
      }
    }
    return allowed.count < turn.count ? allowed : nil
  }
}
