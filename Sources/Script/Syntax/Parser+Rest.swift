/// Collects the rest of the syntax that may follow a text, for the hint at the prompt, and only for it.
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
      // The notes of this call include those of the parts.
      if isAtEnd { collectsRest = false }
      do throws(Diagnostic) {
        try read(parts[index], into: &arguments)
      } catch {
        noteRest(parts[(index + 1)...])
        throw error
      }
    }
  }

  /// Reads a slot. If the text ends inside it, the missing rest is the first continuation.
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
  /// Returns the possible continuations of `text` as help writes them, part by part; empty if the
  /// text has a mistake or nothing may follow.
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
