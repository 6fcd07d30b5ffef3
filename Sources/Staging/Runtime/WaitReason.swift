/// The event that a task waits for.
package enum WaitReason: Sendable, Hashable, Codable {
  /// Code must resume a continuation.
  case continuation
  /// The task with this name must end.
  case task(String)
  /// A child task must end.
  case children
  case sleep
  /// A sequence of this type must have a next element, or end.
  case element(of: String)
  /// A call of this function of a library must return.
  case call(String)
  /// It waits for its turn on an actor or a thread.
  case executor

  /// - Parameters:
  ///   - dependency: what the runtime says.
  ///   - call: what it waits for according to its functions, if it waits for no task.
  ///   - hasChildren: whether child tasks of it are incomplete.
  ///   - name: returns how the report calls another task.
  init(
    _ dependency: TaskLayout.Dependency?,
    orIn call: WaitReason,
    hasChildren: Bool,
    calling name: (UnsafeMutableRawPointer) -> String
  ) {
    switch dependency {
    case .task(let task): self = hasChildren ? .children : .task(name(task))
    case .group: self = .children
    case .executor: self = .executor
    case .continuation, nil: self = call
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
    } else if function.contains(".sleep(") {
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
    case .task(let name): "waits for the value of \(name)"
    case .children:
      children > 1 ? "waits for its \(children) child tasks" : "waits for its child task"
    case .sleep: "sleeps"
    case .element(let type): "waits for the next element of \(Self.article(type)) \(type)"
    case .call(let function): "waits in \(function)"
    case .executor: "waits for its turn"
    }
  }

  private static func article(_ word: String) -> String {
    word.first.map { "AEIOU".contains($0) } == true ? "an" : "a"
  }
}
