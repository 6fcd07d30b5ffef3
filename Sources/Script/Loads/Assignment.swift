package import RehearsalBase

/// What `set` writes: a state, or a step that only some states allow.
package enum Assignment: Sendable, Equatable {
  case state(StateSpec)
  /// A new value for a loaded loadable, or for an input.
  case value(Located<JSONValue>)
  /// Steps of a process: `start` always works, the other two only while it runs.
  case start(kind: Located<String>?)
  case finish
  case fail(ErrorSpec)
}

extension Parser {
  package mutating func assignment() throws(Diagnostic) -> Located<Assignment> {
    let start = position
    let assignment: Assignment
    if accept("value") != nil || isNextBareValue {
      assignment = .value(try value())
    } else if accept("start") != nil {
      assignment = .start(kind: isNextFreeWord() ? try word("a kind") : nil)
    } else if accept("finish") != nil {
      assignment = .finish
    } else if accept("fail") != nil {
      assignment = .fail(try error().value)
    } else {
      assignment = .state(try state().value)
    }
    return Located(assignment, at: start..<endOfTaken)
  }
}
