/// Something of a script that all runs may leave out, such as a value that a command leaves open.
package struct OpenChoice: Hashable, Comparable, Sendable, Codable {
  package enum Kind: String, Sendable, Codable {
    /// A value that the search chooses. A search is not complete if no run needs it.
    case value
    /// An answer of a route, or an injection, without such values.
    case answer
    /// A request that no route matches. No run needs it.
    case request
    /// A command that the search may generate. A run needs it if the command did something.
    case command
    /// The condition of such a command. A run needs it if it held.
    case condition
  }

  /// The command's place in the script, from 0. A request has a place after the last one.
  package let command: Int
  /// Its description.
  package let text: String
  package let kind: Kind

  package init(command: Int, text: String, kind: Kind = .value) {
    (self.command, self.text, self.kind) = (command, text, kind)
  }

  /// A request that no route matches.
  package init(request: String) {
    self.init(command: Int(Int32.max), text: request, kind: .request)
  }

  package static func < (one: OpenChoice, other: OpenChoice) -> Bool {
    (one.command, one.text, one.kind.rawValue) < (other.command, other.text, other.kind.rawValue)
  }
}

/// What all runs of a script may leave out, and which of it a run needed.
package struct OpenChoices: Sendable, Codable {
  private var isAsked: [OpenChoice: Bool] = [:]

  package init() {}

  package var isEmpty: Bool { isAsked.isEmpty }

  /// Adds a value of one run.
  package mutating func add(_ choice: OpenChoice, isAsked: Bool) {
    if isAsked {
      self.isAsked[choice] = true
    } else if self.isAsked[choice] == nil {
      self.isAsked[choice] = false
    }
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
  package var unasked: [OpenChoice] { unneeded(.value) }

  /// What no run needed, in the order of the script.
  package func unneeded(_ kind: OpenChoice.Kind) -> [OpenChoice] {
    isAsked.filter { !$0.value && $0.key.kind == kind }.keys.sorted()
  }
}
