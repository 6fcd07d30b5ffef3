/// A task that has not completed.
package struct UnfinishedTask: Sendable, Hashable, Codable, CustomStringConvertible {
  package let name: String?
  /// Its number in creation order on the stage, from 1.
  package private(set) var number: Int
  /// The function in which it is suspended; nil if unknown.
  package let function: String?
  /// The functions in which its child tasks are suspended, without children that wait for their own
  /// children.
  private let children: [String]

  /// - Parameters:
  ///   - task: the address of a suspended task.
  ///   - number: its number in creation order on the stage.
  init(_ task: UnsafeMutableRawPointer, number: Int) {
    name = TaskLayout.name(task)
    function = Self.function(of: task)
    self.number = number
    children = Self.places(ofChildrenOf: task)
  }

  private static func function(of task: UnsafeMutableRawPointer) -> String? {
    StackFunction.function(at: TaskLayout.resumeAddresses(task))
  }

  private static func places(ofChildrenOf task: UnsafeMutableRawPointer) -> [String] {
    TaskLayout.unfinishedChildren(of: task).flatMap { child in
      let places = places(ofChildrenOf: child)
      return places.isEmpty ? [place(TaskLayout.name(child), function(of: child))] : places
    }
  }

  private static func place(_ name: String?, _ function: String?) -> String {
    let name = name.map { "'\($0)'" }
    guard let function else { return name ?? "a function without a name" }
    return name.map { "\($0) in \(function)" } ?? function
  }

  /// The task without its number, which differs between runs.
  package var withoutNumber: UnfinishedTask {
    var task = self
    task.number = 0
    return task
  }

  /// The name or number, the function in which it is suspended, and those of its children.
  package var description: String { text(unnamed: "task \(number)") }

  /// The description without the number.
  package var withoutOwnNumber: String { text(unnamed: "a task") }

  private func text(unnamed: String) -> String {
    let name = name.map { "'\($0)'" } ?? unnamed
    let own = function.map { "\(name) in \($0)" } ?? name
    switch children.count {
    case 0: return own
    case 1: return "\(own), whose child waits in \(children[0])"
    default: return "\(own), whose \(children.count) children wait: \(Self.list(children))"
    }
  }

  /// Returns the tasks as text: the first ten, and the number of all others in each function.
  package static func list(_ tasks: [UnfinishedTask]) -> String {
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
