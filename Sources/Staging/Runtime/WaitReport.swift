/// The report about waiting tasks: its lines and summary, and the deadlocks of tasks that wait for each other.
package struct WaitReport: Sendable, Hashable, Codable {
  /// In creation order; then the tasks that they wait for and that the stage does not register.
  package let tasks: [WaitingTask]
  /// Circles of tasks: each waits for the next one.
  package let deadlocks: [Deadlock]

  /// Tasks in a circle: each waits for the next one.
  package struct Deadlock: Sendable, Hashable, Codable {
    package struct Wait: Sendable, Hashable, Codable {
      /// The label of the waiting task.
      package let task: String
      /// A function of an actor, such as a lock. This task waits in it, and the next one has called it before. Nil if this task
      /// waits for the end of the next one.
      package let call: String?
      /// The name of the actor's type.
      package let type: String?
      /// The place of the next task's call; nil if unknown.
      package let place: String?

      fileprivate init(_ task: String, _ hold: ActorHold?) {
        self.task = task
        (call, type, place) = (hold?.function, hold?.type, hold?.place?.place)
      }
    }

    /// The labels of the tasks.
    package let waits: [Wait]
    /// Whether the actors of calls may be no locks, so that it may be no deadlock.
    package var isUncertain: Bool { waits.contains { $0.call != nil } }
  }

  package init(tasks: [WaitingTask], deadlocks: [Deadlock] = []) {
    (self.tasks, self.deadlocks) = (tasks, deadlocks)
  }

  /// - Parameters:
  ///   - roots: tasks that the stage does not register, each with its label. They come first.
  ///   - numbers: the numbers of the registered tasks, by address.
  ///   - origin: returns where a registered task was created, by its address; nil if unknown.
  ///   - history: what the tasks did; nil if it was not kept.
  ///   - isFull: whether stacks include functions of libraries and of Rehearse.
  init(
    of roots: [(task: UnsafeMutableRawPointer, label: String)],
    numbers: [UInt: Int],
    origin: (UInt) -> SourceFrame? = { _ in nil },
    _ history: WaitHistory? = nil,
    isFull: Bool = false
  ) {
    let registered = numbers.sorted { $0.value < $1.value }
      .compactMap { UnsafeMutableRawPointer(bitPattern: $0.key) }
    let incomplete = (roots.map(\.task) + registered).filter { !TaskLayout.isComplete($0) }
    history?.readVisits()
    // One search for all places, because each reads the debug information of the whole program.
    StackFunction.findPlaces(of: Self.stacks(of: incomplete, history))
    var walk = Walk(
      numbers: numbers,
      labels: Dictionary(roots) { first, _ in first },
      history,
      families: incomplete
    )
    walk.start(at: incomplete)
    StackFunction.findPlaces(
      of: Self.stacks(of: Array(walk.roots.dropFirst(incomplete.count)), history)
    )
    tasks = walk.roots.map { task in
      WaitingTask(
        task,
        number: numbers[UInt(bitPattern: task)],
        origin: origin(UInt(bitPattern: task)),
        history,
        walk.live,
        isFull: isFull,
        calling: walk.label
      )
    }
    deadlocks = walk.circles.map { circle in
      let waits = zip(circle, circle.dropFirst() + circle.prefix(1)).map { task, next in
        Deadlock.Wait(walk.label(task), walk.holds[task].flatMap { $0.task == next ? $0 : nil })
      }
      return Deadlock(waits: waits)
    }
  }

  /// Returns the different stacks of tasks and of their descendants, and of the code that the report names.
  private static func stacks(
    of tasks: [UnsafeMutableRawPointer],
    _ history: WaitHistory?
  ) -> [[UInt]] {
    var stacks: Set<[UInt]> = []
    var rest = tasks
    while let task = rest.popLast() {
      stacks.insert(TaskLayout.resumeAddresses(task))
      history?.findNotes(about: task, &stacks)
      rest += TaskLayout.unfinishedChildren(of: task)
    }
    return Array(stacks)
  }

  /// The report without what differs between runs.
  package var withoutDetails: WaitReport { WaitReport(tasks: tasks.map(\.withoutDetails)) }

  /// Follows what tasks wait for.
  private struct Walk {
    private let numbers: [UInt: Int]
    private let labels: [UnsafeMutableRawPointer: String]
    private let history: WaitHistory?
    /// All tasks that have not completed.
    private(set) var live = LiveTasks()
    /// The calls of actors that keep tasks waiting, by the waiting task.
    private(set) var holds: [UnsafeMutableRawPointer: ActorHold] = [:]
    /// Tasks that are no children.
    private(set) var roots: [UnsafeMutableRawPointer] = []
    private(set) var circles: [[UnsafeMutableRawPointer]] = []
    private var path: [UnsafeMutableRawPointer] = []
    /// Child tasks whose parents do not wait for them.
    private var aside: [UnsafeMutableRawPointer] = []
    /// The visited tasks, each with its place on the path while it is there.
    private var places: [UnsafeMutableRawPointer: Int?] = [:]

    init(
      numbers: [UInt: Int],
      labels: [UnsafeMutableRawPointer: String],
      _ history: WaitHistory?,
      families: [UnsafeMutableRawPointer]
    ) {
      (self.numbers, self.labels, self.history) = (numbers, labels, history)
      // Only tasks that did something are looked up.
      var rest = history?.namesTasks == true ? families : []
      while let task = rest.popLast() {
        live.insert(task, label(task))
        rest += TaskLayout.unfinishedChildren(of: task)
      }
    }

    mutating func start(at tasks: [UnsafeMutableRawPointer]) {
      roots = tasks
      let known = Set(tasks)
      for task in tasks { visit(task, known) }
      while let task = aside.popLast() { visit(task, known) }
    }

    /// Iterative, because a chain of waiting tasks can be longer than the stack is deep.
    private mutating func visit(
      _ first: UnsafeMutableRawPointer,
      _ known: Set<UnsafeMutableRawPointer>
    ) {
      guard places[first] == nil else { return }
      var open: [(task: UnsafeMutableRawPointer, next: [UnsafeMutableRawPointer])] = []
      func enter(_ task: UnsafeMutableRawPointer) {
        places[task] = .some(path.count)
        path.append(task)
        open.append((task, awaited(by: task)))
      }
      enter(first)
      while let last = open.indices.last {
        guard let task = open[last].next.popLast() else {
          places[open[last].task] = .some(nil)
          path.removeLast()
          open.removeLast()
          continue
        }
        switch places[task] {
        case nil:
          if !known.contains(task), !isChild(task) { roots.append(task) }
          enter(task)
        case .some(let place?): circles.append(Array(path[place...]))
        case .some(nil): break
        }
      }
    }

    private func isChild(_ task: UnsafeMutableRawPointer) -> Bool {
      TaskLayout.isChild(unsafeBitCast(task, to: UnownedJob.self))
    }

    /// The tasks that must end before a task goes on, the first of them last.
    private mutating func awaited(by task: UnsafeMutableRawPointer) -> [UnsafeMutableRawPointer] {
      let children = TaskLayout.unfinishedChildren(of: task)
      switch TaskLayout.dependency(of: task) {
      case .task(let awaited): return TaskLayout.isComplete(awaited) ? [] : [awaited]
      case .continuation:
        aside += children
        if let wait = history?.namedWaits[task]?() {
          return wait.holder?.pointer.map { [$0] } ?? []
        }
        guard let hold = history?.holder(against: task, live) else { return [] }
        holds[task] = hold
        return [hold.task]
      default: return children.reversed()
      }
    }

    func label(_ task: UnsafeMutableRawPointer) -> String {
      if let label = labels[task] { return label }
      if let name = TaskLayout.name(task) { return "'\(name)'" }
      if let number = numbers[UInt(bitPattern: task)] { return WaitingTask.unnamed(number) }
      let kind = isChild(task) ? "a child task" : "a task"
      let outermost = StackFunction.frames(at: TaskLayout.resumeAddresses(task)).last
      return outermost.map { "\(kind) \($0.place.map { "at \($0)" } ?? "in \($0.function)")" }
        ?? kind
    }
  }
}

extension WaitReport {
  private static let mostTasks = 20

  /// The report: for each task what it waits for, and the functions in which it is suspended. Tasks that wait in the same
  /// way are one entry.
  package var lines: [String] {
    Self.lines(tasks, calling: \.label) + deadlocks.map(Self.text(ofDeadlock:))
  }

  fileprivate static func lines(
    _ tasks: [WaitingTask],
    calling label: (WaitingTask) -> String
  ) -> [String] {
    var places: [WaitingTask: Int] = [:]
    var groups: [[WaitingTask]] = []
    for task in tasks {
      let key = task.withoutLabel
      if let place = places[key] {
        groups[place].append(task)
      } else {
        places[key] = groups.count
        groups.append([task])
      }
    }
    let shown = groups.prefix(mostTasks).flatMap { tasks -> [String] in
      guard let first = tasks.first else { return [] }
      let others = list(tasks.dropFirst().map(label))
      let more = tasks.count > 1 ? ["  so do \(tasks.count - 1) more\(others)"] : []
      return first.lines(as: label(first)) + more
    }
    let left = groups.dropFirst(mostTasks).reduce(0) { $0 + $1.count }
    return shown + (left > 0 ? ["\(left) more tasks wait in other ways"] : [])
  }

  /// The reason in one clause: a deadlock, or the one task that waits for no other task; nil if there are several. A task whose
  /// continuation was dropped comes before others.
  package var summary: String? {
    if let deadlock = deadlocks.first {
      let tasks = deadlock.waits.map(\.task)
      if !deadlock.isUncertain { return Self.text(ofDeadlock: deadlock) }
      return tasks.count == 2
        ? "probably a deadlock: \(tasks[0]) and \(tasks[1]) wait for each other"
        : "probably a deadlock of \(tasks.count) tasks"
    }
    let ends = tasks.flatMap { $0.ends(as: $0.label) }
    let dropped = ends.filter { $0.task.drop != nil }
    let telling = dropped.isEmpty ? ends : dropped
    guard let (label, task) = telling.first, telling.count <= 3,
      telling.allSatisfy({ $0.task.why == task.why })
    else { return nil }
    let place = telling.count == 1 ? task.stack.first.map { ", in \($0)" } ?? "" : ""
    let others = telling.dropFirst().map(\.label).joined(separator: " and ")
    let more = telling.count == 1 ? "" : "; so do\(telling.count == 2 ? "es" : "") \(others)"
    return "\(label)\(task.isCancelled ? " (cancelled)" : "") \(task.why)\(place)\(more)"
  }

  /// Returns the first labels; empty if all are equal, as those of child tasks without a name.
  private static func list(_ labels: [String]) -> String {
    if Set(labels).count == 1, labels.count > 1 || labels.first == WaitingTask.unnamedChild {
      return ""
    }
    return ": " + labels.prefix(10).joined(separator: ", ") + (labels.count > 10 ? ", …" : "")
  }

  private static func text(ofDeadlock deadlock: Deadlock) -> String {
    let waits = deadlock.waits
    if waits.count == 1 { return "deadlock: \(waits[0].task) waits for itself" }
    let texts = zip(waits, waits.dropFirst() + waits.prefix(1)).map { wait, next in
      guard let call = wait.call, let type = wait.type else {
        return "\(wait.task) waits for \(next.task)"
      }
      let place = wait.place.map { " at \($0)" } ?? ""
      return
        "\(wait.task) waits in \(call), which \(next.task) has called before on the same \(type)\(place)"
    }
    return deadlock.isUncertain
      ? "probably a deadlock: " + texts.joined(separator: "; ")
      : "deadlock: " + texts.joined(separator: ", ")
  }
}

extension WaitingTask {
  /// Whether it waits for the rest of a group that nothing has cancelled.
  private var isUncancelledGroup: Bool {
    guard case .children(.groupEnd) = reason, !isCancelled else { return false }
    return children.allSatisfy { !$0.isCancelled }
  }

  /// Facts that explain the wait: whether its group was cancelled, where its stream was created, how its continuation was
  /// dropped, how it was cancelled, which child tasks its group has, and the calls of its actor.
  package var remarks: [String] {
    (isUncancelledGroup ? ["no code has cancelled the group"] : [])
      + (stream.map { ["the stream was created in \($0)"] } ?? []) + (drop?.lines ?? [])
      + (cancellation.map { [$0.text] } ?? []) + (group?.lines ?? []) + (actor?.lines ?? [])
  }

  /// The tasks among it and its descendants that wait for no other task, with their labels.
  fileprivate func ends(as label: String) -> [(label: String, task: WaitingTask)] {
    if !children.isEmpty { return children.flatMap { $0.ends(as: $0.childLabel) } }
    if case .task = reason { return [] }
    return [(label, self)]
  }

  fileprivate var childLabel: String { name.map { "child task '\($0)'" } ?? Self.unnamedChild }

  fileprivate static let unnamedChild = "a child task"

  fileprivate func lines(as label: String) -> [String] {
    // A task that has begun shows its creator as the outermost function.
    let origin = stack.isEmpty ? origin.map { ", created in \($0)," } ?? "" : ""
    let head = "\(label)\(isCancelled ? " (cancelled)" : "")\(origin) \(why)"
    let frames = stack.map { "  in \($0)" }
    return [head] + frames + remarks.map { "  " + $0 }
      + WaitReport.lines(children, calling: \.childLabel).map { "  " + $0 }
  }
}
