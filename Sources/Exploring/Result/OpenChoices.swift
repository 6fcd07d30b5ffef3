/// A value that a command of a script leaves open.
package struct OpenChoice: Hashable, Comparable, Sendable, Codable {
  /// The command's place in the script, from 0.
  package let command: Int
  /// Which value it is, in words.
  package let text: String

  package init(command: Int, text: String) {
    (self.command, self.text) = (command, text)
  }

  package static func < (one: OpenChoice, other: OpenChoice) -> Bool {
    (one.command, one.text) < (other.command, other.text)
  }
}

/// The values that a script leaves open, and which of them some run has asked for.
package struct OpenChoices: Sendable, Codable {
  private var isAsked: [OpenChoice: Bool] = [:]

  package init() {}

  package var isEmpty: Bool { isAsked.isEmpty }

  /// Takes in what one run knows of a value.
  package mutating func add(_ choice: OpenChoice, isAsked: Bool) {
    self.isAsked[choice, default: false] = isAsked || self.isAsked[choice] == true
  }

  /// Takes in what other runs know.
  package mutating func merge(_ others: OpenChoices) {
    for (choice, isAsked) in others.isAsked { add(choice, isAsked: isAsked) }
  }

  /// All of them, in the order of the script.
  package var all: [(choice: OpenChoice, isAsked: Bool)] {
    isAsked.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Those that no run has asked for, in the order of the script.
  package var unasked: [OpenChoice] { isAsked.filter { !$0.value }.keys.sorted() }
}
