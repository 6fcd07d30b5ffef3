/// The event that a task waits for, found by the functions on its stack, and its text.
package enum WaitReason: Sendable, Hashable, Codable {
  /// Code must resume a continuation.
  case continuation
  /// A lock, a channel or a latch of Rehearse; the words after `waits for`.
  case object(String)
  /// The task with this name must end.
  case task(String)
  /// Child tasks must end.
  case children(ChildWait)
  case sleep
  /// A sequence of this type must have a next element, or end.
  case element(of: String)
  /// A call of this function of a library must return.
  case call(String)
  /// It waits for its turn on an actor or a thread.
  case executor
  /// It does not wait: a thread runs its code, or is blocked in it.
  case running

  /// - Parameters:
  ///   - dependency: what the runtime says.
  ///   - call: what it waits for according to its functions, if it waits for no task.
  ///   - childWait: how it waits according to its functions, if it waits for child tasks.
  ///   - named: the lock, channel or latch of Rehearse that it waits for; nil for none.
  ///   - hasChildren: whether child tasks of it are incomplete.
  ///   - name: returns how the report calls another task.
  init(
    _ dependency: TaskLayout.Dependency?,
    orIn call: WaitReason,
    _ childWait: ChildWait,
    named: WaitReason? = nil,
    hasChildren: Bool,
    calling name: (UnsafeMutableRawPointer) -> String
  ) {
    switch dependency {
    case .task(let task): self = hasChildren ? .children(childWait) : .task(name(task))
    case .group: self = .children(childWait)
    case .executor: self = .executor
    case .continuation, nil: self = named ?? call
    }
  }

  /// - Parameter functions: the functions in which a task is suspended, the innermost first.
  init(in functions: [StackFunction]) {
    // The function of a library that the tested code called.
    let called = functions.prefix { !$0.isTested }.filter(\.isNamedLibrary).compactMap(\.name)
    // A loop over a sequence calls the protocol's function, and this the sequence's own.
    let last = called.last { !$0.hasPrefix("AsyncIteratorProtocol.") } ?? called.last
    self = last.map(Self.init(calling:)) ?? .continuation
  }

  private init(calling function: String) {
    let type = function.prefix { $0 != "." }
    if function.hasPrefix("with") {
      self = .continuation
    } else if function.hasSuffix(".sleep()") || function.hasSuffix("._sleep()") {
      self = .sleep
    } else if function.contains(".next(") || function.contains(".next()") {
      self = .element(of: String(type))
    } else {
      self = .call(function)
    }
  }

  /// The reason after a subject, which has that many incomplete child tasks: `waits for a continuation`.
  package func text(children: Int) -> String {
    switch self {
    case .continuation: "waits for a continuation that nothing has resumed"
    case .object(let text): "waits for \(text)"
    case .task(let name): "waits for the value of \(name)"
    case .children(let wait): wait.text(children: children)
    case .sleep: "sleeps"
    case .element(let type):
      "waits for the next element of \(Self.article(type)) \(type)" + Self.state(ofSequence: type)
    case .call("AsyncChannel.send()"):
      "waits in AsyncChannel.send() until a task receives the element"
    case .call(let function): "waits in \(function)"
    case .executor: "waits for its turn"
    case .running: "runs, or blocks its thread"
    }
  }

  private static func state(ofSequence type: String) -> String {
    switch type {
    case "AsyncStream", "AsyncThrowingStream": ", which has not been finished"
    case "AsyncChannel", "AsyncThrowingChannel": ", to which no task sends now"
    default: ""
    }
  }

  private static func article(_ word: String) -> String {
    word.first.map { "AEIOU".contains($0) } == true ? "an" : "a"
  }
}

/// How a task waits for its child tasks.
package enum ChildWait: Sendable, Hashable, Codable {
  /// It needs the value of a child.
  case value
  /// The scope of an `async let` ends.
  case scopeEnd
  /// The closure of this function has returned: `withTaskGroup()`.
  case groupEnd(String)
  /// A call of this function of a group must return: `TaskGroup.next()`.
  case groupCall(String)

  /// - Parameter functions: the functions in which the task is suspended, the innermost first.
  init(in functions: [StackFunction]) {
    let called = functions.prefix { !$0.isTested }
    let names = called.filter(\.isNamedLibrary).compactMap(\.name)
    if called.contains(where: { $0.name?.contains("_asyncLet_finish") == true }) {
      self = .scopeEnd
    } else if names.contains(where: { $0.hasSuffix(".awaitAllRemainingTasks()") }),
      let function = names.last(where: { $0.hasPrefix("with") })
    {
      self = .groupEnd(function)
    } else if let function = names.last(where: { $0.contains("TaskGroup.") }) {
      self = .groupCall(function)
    } else {
      self = .value
    }
  }

  /// The reason after a subject, which has that many incomplete child tasks.
  fileprivate func text(children: Int) -> String {
    let tasks = children > 1 ? "its \(children) child tasks" : "its child task"
    return switch self {
    case .value: "waits for \(tasks)"
    case .scopeEnd: "waits for \(tasks) at the end of the scope of an 'async let'"
    case .groupEnd(let function): "waits for \(tasks) at the end of the closure of \(function)"
    case .groupCall(let function):
      "waits in \(function) for \(children > 1 && !function.hasSuffix("waitForAll()") ? "one of " : "")\(tasks)"
    }
  }
}
