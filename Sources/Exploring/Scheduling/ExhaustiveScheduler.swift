import RehearsalBase
import Staging

/// Tries all schedules, depth first: each run returns to the last decision with an untried choice.
///
/// If a step only made a task ready, no other order could give another result, so the other steps
/// are not tried in its place: it is independent of them (partial-order reduction, P. Godefroid,
/// "Partial-Order Methods for the Verification of Concurrent Systems", 1996). There are two
/// exceptions, for which the search does try the others. A task was woken, and then cancelled
/// before it ran: it would not have been woken if the cancellation had come first. Or other code
/// depends on the step, and declares this by `movesMatter`. A job that decides something itself is
/// never treated as independent.
///
/// There may be two passes. The first one does not vary the order of tasks that only sleep, again and again, as far as the
/// stage knows. Few bugs need such an order, and a depth-first search would try all of them before it changes an earlier
/// decision. If there are such tasks, the second pass tries all orders.
///
/// `YieldBound` limits tasks that yield repeatedly.
final class ExhaustiveScheduler: SearchScheduler {
  private typealias Node = SearchCursor.Node

  /// A decision of this run, and the task of its step.
  private struct TaskNode: BitwiseCopyable {
    let task: UInt64
    let node: Int
    /// Whether the step was declared independent by its job.
    var isClaim = false
  }

  private var nodes = PlainList<Node>()
  private var position = 0
  /// Number of decisions at the beginning that never change.
  private let floor: Int
  /// Whether the run of the present decisions is still to be performed.
  private var isAhead: Bool
  /// As those of `SearchCursor`.
  private var (isFirstPass, hasPostponed): (Bool, Bool)
  /// The decisions that made a task ready. The next step of the task removes it.
  private var moved = PlainList<TaskNode>()
  /// The number of quiet steps in a row of each task, without one at which it waits or ends.
  private var quietSteps = TaskTable()
  /// The decisions for the first quiet steps of tasks.
  private var quietNodes = PlainList<TaskNode>()
  /// The task that the latest step resumed.
  private var runner: UInt64?
  /// After this number of quiet steps, a task counts as one that only sleeps, again and again.
  private static let manyQuietSteps = 4
  /// The running task, if a job declared that it only resumed this task.
  private var claimant: UInt64?
  /// Number of decisions when the present step began, including the one for it.
  private var decisionsBefore = 0

  /// Whether only some values of a range are tried.
  private(set) var leavesValuesOut = false

  /// Whether a decision had another number of choices than in the previous run.
  private var hasLeftTree = false

  /// Whether a step of nonisolated code was treated as independent, so that other steps were not
  /// tried before it.
  private(set) var assumesIsolation = false

  /// Whether some orders are not tried, because a task yields repeatedly.
  private(set) var missesOrders = false
  private var yields = YieldBound()
  private var instant = InstantLength()
  /// Whether the latest step belongs to a very long instant, in which no orders are tried.
  private var isPassing = false

  /// Tries all schedules after a cursor.
  init(from cursor: SearchCursor = SearchCursor()) {
    floor = cursor.floor
    isAhead = cursor.isAhead
    isFirstPass = cursor.isFirstPass
    hasPostponed = cursor.hasPostponed
    super.init()
    for node in cursor.nodes { nodes.append(node) }
  }

  /// The position of the search. It can continue from there.
  var cursor: SearchCursor {
    let tried: [Node] = (0..<nodes.count).map { nodes[$0] }
    var cursor = SearchCursor(nodes: tried, floor: floor, isAhead: isAhead)
    (cursor.isFirstPass, cursor.hasPostponed) = (isFirstPass, hasPostponed)
    return cursor
  }

  override func begin(seed: UInt64) -> Bool {
    _ = super.begin(seed: seed)
    position = 0
    hasLeftTree = false
    moved.removeAll()
    quietSteps.removeAll()
    quietNodes.removeAll()
    yields.removeAll()
    instant = InstantLength()
    if isAhead {
      isAhead = false
      return true
    }
    while nodes.count > floor, nodes[nodes.count - 1].isDone { nodes.removeLast() }
    guard nodes.count > floor else { return beginSecondPass() }
    nodes[nodes.count - 1].tried += 1
    nodes[nodes.count - 1].isMove = false
    return true
  }

  /// Begins again, without postponing choices. A branch leaves this to the search that it belongs to.
  ///
  /// - Returns: whether choices were postponed.
  private func beginSecondPass() -> Bool {
    guard floor == 0, hasPostponed else { return false }
    (isFirstPass, hasPostponed) = (false, false)
    return true
  }

  override func decide(_ turn: Turn) -> Int {
    if instant.isLong(with: turn) {
      missesOrders = true
      isPassing = true
      return Self.mixed(choices.count, below: turn.count)
    }
    if let allowed = yields.allowed(turn) {
      missesOrders = true
      return allowed[decide(allowed.count) { 0 }]
    }
    return decide(turn.count) { preferred(turn) }
  }

  /// Returns the step that is tried first: one that may prove independent, or of a task that only sleeps. Then the others are
  /// not tried in its place.
  private func preferred(_ turn: Turn) -> Int {
    var nonisolated: Int?
    for step in 0..<turn.count {
      switch turn.code(step) {
      case .waking: return step
      case .nonisolated: nonisolated = nonisolated ?? step
      case .isolated: break
      }
    }
    if let nonisolated { return nonisolated }
    var first: Int?
    for step in 0..<turn.count {
      let task = turn.task(step)
      // A claim holds until the task runs that it has made ready.
      if let task, isClaimed(task) { continue }
      if let task, (quietSteps[task] ?? 0) >= Self.manyQuietSteps { return step }
      first = first ?? step
    }
    return first ?? 0
  }

  /// Returns whether a step that a job declared independent made this task ready.
  private func isClaimed(_ task: UInt64) -> Bool {
    (0..<moved.count).contains { moved[$0].isClaim && moved[$0].task == task }
  }

  override func decide(among count: Int) -> Int { decide(count) { 0 } }

  /// Returns a pseudo-random number for each decision, the same in every run.
  private static func mixed(_ decision: Int, below count: Int) -> Int {
    var generator = SplitMix64(seed: UInt64(decision))
    return generator.next(below: count)
  }

  /// Returns the choice at the next decision; `preferred` is tried first.
  @inline(__always)
  private func decide(
    _ count: Int,
    areInARow: Bool = false,
    _ preferred: () -> Int
  ) -> Int {
    if position == nodes.count {
      nodes.append(Node(count: count, first: preferred(), areInARow: areInARow))
    }
    defer { position += 1 }
    if nodes[position].count == count { return nodes[position].choice }
    hasLeftTree = true
    return min(nodes[position].choice, count - 1)
  }

  override var hasDiverged: Bool { hasLeftTree || position < nodes.count }

  /// Of the values in a range, tries both ends, the marked ones, and one between each two of them.
  override func decide(among count: Int, marked: [Int]) -> Int {
    let kept = Self.representatives(of: count, marked: marked)
    if kept.count < count { leavesValuesOut = true }
    return kept[decide(kept.count, areInARow: true) { 0 }]
  }

  override package func willLeaveValuesOut() { leavesValuesOut = true }

  static func representatives(of count: Int, marked: [Int]) -> [Int] {
    var kept = [0]
    for value in marked + [count - 1] where value > kept[kept.count - 1] {
      let last = kept[kept.count - 1]
      if value - last > 1 { kept.append(last + (value - last) / 2) }
      kept.append(value)
    }
    return kept
  }

  override var wantsSteps: Bool { true }

  override var usesEffects: Bool { true }

  override func willDo(_ choice: Int, _ turn: Turn) {
    yields.willDo(choice, turn)
    claimant = nil
    decisionsBefore = position
    runner = turn.isSleeper(choice) ? nil : turn.task(choice)
    guard moved.count > 0, let task = runner else { return }
    moved.removeAll { move in
      guard move.task == task else { return false }
      if turn.isCancelled(choice) { nodes[move.node].matters = true }
      if move.isClaim { claimant = task }
      return !move.isClaim
    }
  }

  override func hasDone(_ step: Step, wasChosen: Bool) {
    let wasChosen = wasChosen && !isPassing
    isPassing = false
    noteQuietStep(step, wasChosen: wasChosen)
    guard case .moved(let task, let move) = step, position == decisionsBefore,
      move != .claim || takesClaims
    else { return forgetClaimant() }
    // A further hop of the same task does not end its claim.
    if task != claimant { forgetClaimant() }
    guard wasChosen else { return }
    if move == .running { assumesIsolation = true }
    nodes[position - 1].isMove = true
    moved.append(TaskNode(task: task, node: position - 1, isClaim: move == .claim))
  }

  /// Postpones the other choices at the steps of a task that only sleeps, again and again. Its order among other steps
  /// seldom matters, but its code may change state that the stage does not know.
  private func noteQuietStep(_ step: Step, wasChosen: Bool) {
    switch step {
    case .moved: break
    case .quiet(let task, let continues):
      let count = (quietSteps[task] ?? 0) + (continues ? 1 : 0)
      if isFirstPass, wasChosen, position == decisionsBefore {
        quietNodes.append(TaskNode(task: task, node: position - 1))
      }
      if count >= Self.manyQuietSteps { postponeChoices(of: task) }
      if continues { quietSteps.set(count, of: task) } else { forgetQuietSteps(of: task) }
    case .ran:
      if let runner { forgetQuietSteps(of: runner) }
    }
  }

  private func postponeChoices(of task: UInt64) {
    quietNodes.removeAll { quiet in
      guard quiet.task == task else { return false }
      nodes[quiet.node].isPostponed = true
      hasPostponed = true
      return true
    }
  }

  private func forgetQuietSteps(of task: UInt64) {
    guard quietSteps[task] ?? 0 > 0 else { return }
    quietSteps.set(0, of: task)
    quietNodes.removeAll { $0.task == task }
  }

  private func forgetClaimant() {
    if let claimant { moved.removeAll { $0.task == claimant } }
  }

  override func movesMatter(onlyClaimed: Bool) {
    moved.removeAll { move in
      guard move.isClaim || !onlyClaimed else { return false }
      nodes[move.node].matters = true
      return true
    }
  }
}
