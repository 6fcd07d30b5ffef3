/// A value that a command of a script leaves open.
package struct OpenChoice: Hashable, Comparable, Sendable, Codable {
  /// The command's place in the script, from 0.
  package let command: Int
  /// The value's description.
  package let text: String

  package init(command: Int, text: String) {
    (self.command, self.text) = (command, text)
  }

  package static func < (one: OpenChoice, other: OpenChoice) -> Bool {
    (one.command, one.text) < (other.command, other.text)
  }
}

/// The values that a script leaves open, and which of them a run needed.
package struct OpenChoices: Sendable, Codable {
  private var isAsked: [OpenChoice: Bool] = [:]

  package init() {}

  package var isEmpty: Bool { isAsked.isEmpty }

  /// Adds a value of one run.
  package mutating func add(_ choice: OpenChoice, isAsked: Bool) {
    self.isAsked[choice, default: false] = isAsked || self.isAsked[choice] == true
  }

  /// Adds the values of other runs.
  package mutating func merge(_ others: OpenChoices) {
    for (choice, isAsked) in others.isAsked { add(choice, isAsked: isAsked) }
  }

  /// All values, in the order of the script.
  package var all: [(choice: OpenChoice, isAsked: Bool)] {
    isAsked.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The values that no run needed, in the order of the script.
  package var unasked: [OpenChoice] { isAsked.filter { !$0.value }.keys.sorted() }
}
