/// A task that has not completed, and what it waits for.
package struct WaitingTask: Sendable, Hashable, Codable, CustomStringConvertible {
  package let name: String?
  /// Its name or number for readers: `'refresh'`, `task 3`.
  package let label: String
  /// Its number in creation order on the stage, from 1; nil for child tasks and for tasks that the stage does not register.
  package let number: Int?
  /// Where it was created; nil if unknown.
  package let origin: SourceFrame?
  /// The function in which it is suspended; nil if unknown.
  package let function: String?
  /// The functions of the tested code in which it is suspended, the innermost first.
  package let stack: [SourceFrame]
  package let reason: WaitReason
  /// Its incomplete child tasks.
  package let children: [WaitingTask]
  /// Whether it is cancelled.
  package let isCancelled: Bool
  /// How it was cancelled; nil if it was not, or if that is unknown.
  package let cancellation: TaskCancellation?
  /// How the continuation that it waits for was dropped; nil if it was not, or if that is unknown.
  package let drop: DroppedContinuation?
  /// The calls of the actor in whose function it waits for a continuation; nil if they are unknown.
  package let actor: ActorCalls?
  /// The code that created the stream that it iterates; nil if it waits for no stream, or if that is unknown.
  package let stream: SourceStack?
  /// The child tasks of its task group, if not all of them are in `children`; nil for other tasks.
  package let group: GroupChildren?

  /// - Parameters:
  ///   - task: the address of a suspended task.
  ///   - number: its number in creation order on the stage.
  ///   - origin: where it was created.
  ///   - history: what the tasks of the stage did; nil if it was not kept.
  ///   - live: the tasks that have not completed.
  ///   - isFull: whether the stack includes functions of libraries and of Rehearse.
  ///   - label: returns the label of a task.
  init(
    _ task: UnsafeMutableRawPointer,
    number: Int?,
    origin: SourceFrame? = nil,
    _ history: WaitHistory?,
    _ live: LiveTasks,
    isFull: Bool,
    calling label: (UnsafeMutableRawPointer) -> String
  ) {
    // The stored context of a running task is an old one.
    let isRunning = TaskLayout.isRunning(task)
    let addresses = isRunning ? [] : TaskLayout.resumeAddresses(task)
    self.name = TaskLayout.name(task)
    self.number = number
    self.origin = origin
    self.label = label(task)
    let known = StackFunction.stack(at: addresses)
    function = known.function
    stack = isFull ? StackFunction.frames(at: addresses, isFull: true) : known.frames
    isCancelled = Runtime.isCancelled(unsafeBitCast(task, to: UnownedJob.self))
    children = TaskLayout.unfinishedChildren(of: task).map {
      WaitingTask($0, number: nil, history, live, isFull: isFull, calling: label)
    }
    reason =
      isRunning
      ? .running
      : WaitReason(
        TaskLayout.dependency(of: task),
        orIn: known.wait,
        known.childWait,
        named: history?.namedWaits[task]?().reason(calling: label),
        hasChildren: !children.isEmpty,
        calling: label
      )
    let waits = reason == .continuation
    drop = waits ? history?.drop(of: task, live) : nil
    stream = if case .element = reason { history?.stream(of: task) } else { nil }
    let refusal = isCancelled ? history?.refusal(of: task) : nil
    group = TaskLayout.groups(of: task).flatMap { GroupChildren($0, refusal: refusal) }
    cancellation = isCancelled ? history?.cancellation(of: task) : nil
    actor = waits ? history?.actor(of: task, at: addresses, known.frames, live) : nil
  }

  private init(
    name: String?,
    function: String?,
    stack: [SourceFrame],
    reason: WaitReason,
    children: [WaitingTask],
    isCancelled: Bool = false,
    cancellation: TaskCancellation? = nil,
    drop: DroppedContinuation? = nil,
    actor: ActorCalls? = nil,
    stream: SourceStack? = nil,
    group: GroupChildren? = nil
  ) {
    (self.stream, self.group) = (stream, group)
    (self.isCancelled, self.cancellation) = (isCancelled, cancellation)
    (self.drop, self.actor) = (drop, actor)
    (self.name, label, number, origin, self.function) = (name, "", nil, nil, function)
    (self.stack, self.reason, self.children) = (stack, reason, children)
  }

  /// The places of its innermost waiting descendants.
  private var leaves: [String] {
    children.flatMap { child in
      child.children.isEmpty ? [Self.place(child.name, child.function)] : child.leaves
    }
  }

  private static func place(_ name: String?, _ function: String?) -> String {
    let name = name.map { "'\($0)'" }
    guard let function else { return name ?? "a function without a name" }
    return name.map { "\($0) in \(function)" } ?? function
  }

  /// The task without what differs between runs and builds: its number, its stack and what it waits for.
  package var withoutDetails: WaitingTask {
    WaitingTask(
      name: name,
      function: function,
      stack: [],
      reason: .continuation,
      children: children.map(\.withoutDetails)
    )
  }

  /// The name or number, the function in which it is suspended, and those of its children.
  package var description: String { text(unnamed: Self.unnamed(number)) }

  static func unnamed(_ number: Int?) -> String { number.map { "task \($0)" } ?? "a task" }

  /// What it waits for, and where, apart from its own label.
  var withoutLabel: WaitingTask {
    WaitingTask(
      name: nil,
      function: function,
      stack: stack,
      reason: reason,
      children: children,
      isCancelled: isCancelled,
      cancellation: cancellation,
      drop: drop,
      actor: actor,
      stream: stream,
      group: group
    )
  }

  /// What it waits for: `waits for the value of task 2`.
  package var why: String {
    drop == nil
      ? reason.text(children: children.count)
      : "waits for a continuation that was dropped, so that nothing can resume it"
  }

  /// The description without the number.
  package var withoutOwnNumber: String { text(unnamed: "a task") }

  private func text(unnamed: String) -> String {
    let name = name.map { "'\($0)'" } ?? unnamed
    let own = function.map { "\(name) in \($0)" } ?? name
    let leaves = leaves
    switch leaves.count {
    case 0: return own
    case 1: return "\(own), whose child waits in \(leaves[0])"
    default: return "\(own), whose \(leaves.count) children wait: \(Self.list(leaves))"
    }
  }

  /// Returns the tasks as text: the first ten, and the number of all others in each function.
  package static func list(_ tasks: [WaitingTask]) -> String {
    let others = tasks.dropFirst(mostNamed)
    let named = tasks.prefix(mostNamed).map(\.description).joined(separator: ", ")
    if others.isEmpty { return named }
    let places = others.map { task in
      task.children.isEmpty
        ? place(task.name, task.function) : "\(place(task.name, task.function)) with children"
    }
    return "\(named), and \(others.count) more: \(list(places))"
  }

  private static let mostNamed = 10

  /// Returns each function with its count, in the order of first occurrence: `2 in load(), 1 in
  /// save()`.
  private static func list(_ places: [String]) -> String {
    var counts: [String: Int] = [:]
    var order: [String] = []
    for place in places {
      if counts[place] == nil { order.append(place) }
      counts[place, default: 0] += 1
    }
    return order.map { "\(counts[$0] ?? 0) in \($0)" }.joined(separator: ", ")
  }
}

/// The child tasks of the task groups in whose closures a task is suspended, apart from those that have not ended.
package struct GroupChildren: Sendable, Hashable, Codable {
  /// The number of child tasks that have ended, and whose values the task has not taken.
  package let ended: Int
  /// Whether no child task is left that has not ended.
  package let isDone: Bool
  /// The latest code that has added no child task because its group was cancelled; nil if there is none, or if that is
  /// unknown.
  package let refusal: SourceStack?

  /// Nil if there is no group, or if all of its child tasks are left.
  init?(_ groups: TaskLayout.Groups, refusal: SourceStack?) {
    if groups.count == 0 || (groups.hasUnfinished && groups.ended == 0 && refusal == nil) {
      return nil
    }
    (ended, isDone, self.refusal) = (groups.ended, !groups.hasUnfinished, refusal)
  }

  /// What became of the child tasks.
  var lines: [String] {
    let ended =
      ended == 1 ? "a child task of its group has" : "\(ended) child tasks of its group have"
    let state =
      self.ended > 0
      ? ["\(ended) ended" + (isDone ? ", and no other one is left" : "")]
      : isDone ? ["its group has no child task now"] : []
    let refused = refusal.map {
      "addTaskUnlessCancelled() added no child task in \($0), because the group was cancelled"
    }
    return state + (refused.map { [$0] } ?? [])
  }
}
