// What may still follow a text that ends too early or could go on: for hints at the prompt.

extension Parser {
  /// Reads one part after the other.
  mutating func read(parts: [Syntax], into arguments: inout Arguments) throws(Diagnostic) {
    guard collectsRest else {
      for part in parts { try read(part, into: &arguments) }
      return
    }
    let wasCollecting = collectsRest
    defer { collectsRest = wasCollecting }
    for index in parts.indices {
      noteRest(parts[index...])
      // What is noted here need not be noted by the parts themselves.
      if isAtEnd { collectsRest = false }
      do throws(Diagnostic) {
        try read(parts[index], into: &arguments)
      } catch {
        noteRest(parts[(index + 1)...])
        throw error
      }
    }
  }

  /// Reads a slot; where the text ends inside it, what is missing is the first that may follow.
  mutating func readSlot(_ slot: any AnySlot, into arguments: inout Arguments) throws(Diagnostic) {
    do throws(Diagnostic) {
      try slot.read(from: &self, into: &arguments)
    } catch {
      if collectsRest, case .expected(let what, found: nil) = error.problem { rest.append(what) }
      throw error
    }
  }

  mutating func noteRest(_ parts: @autoclosure () -> some Sequence<Syntax>) {
    guard collectsRest, isAtEnd else { return }
    rest += parts().map(\.synopsis).filter { !$0.isEmpty }
  }

  static func untaken(_ clauses: [Syntax], _ taken: ClauseSet) -> [Syntax] {
    clauses.indices.filter { !taken.contains($0) }.map { .optional(clauses[$0]) }
  }
}

extension Script {
  /// How help writes what may follow `text`, part by part; empty where the text has a mistake, or nothing
  /// may follow.
  package static func rest(after text: String, table: CommandTable) -> [String] {
    var parser = Parser(text, table: table, collectingRest: true)
    do throws(Diagnostic) {
      _ = try parser.command()
    } catch {
      guard case .expected(_, found: nil) = error.problem else { return [] }
    }
    return parser.rest
  }
}
