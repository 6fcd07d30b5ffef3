import RehearsalBase

/// Turns invalid JSON of a command into its error and hint.
extension Diagnostic {
  /// The diagnostic for a value of a command that is not JSON.
  init(_ problem: JSONProblem) {
    self.init(Problem(problem.reason), at: problem.range, Self.hint(for: problem.reason))
  }

  private static func hint(for reason: JSONProblem.Reason) -> Hint? {
    switch reason {
    case .notAValue("'"): .general("put a text in double quotes")
    case .notAValue(let word) where !word.isEmpty && word.utf8.allSatisfy(\.isWordByte):
      .general("put a text in quotes: \"\(word)\"")
    case .controlCharacter: .general("write it as \\u0007, with its code")
    case .unknownEscape: .general("the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u0000")
    case .unfinished(.object): .general("close it with '}'")
    case .unfinished(.array): .general("close it with ']'")
    case .unfinished: .general("close it with a quote")
    default: nil
    }
  }
}

extension Problem {
  fileprivate init(_ reason: JSONProblem.Reason) {
    switch reason {
    case .empty, .notAValue(""): self = .expected("a JSON value", found: nil)
    case .notAValue(let word):
      self = .expected("a JSON value", found: word.printable(atMost: 30))
    case .notANumber(let text):
      self = .malformedValue("'\(text.escapingControls)' is not a number")
    case .unfinished(.object): self = .unfinished("the object")
    case .unfinished(.array): self = .unfinished("the array")
    case .unfinished: self = .unfinished("the text")
    case .nestedTooDeep: self = .nestedTooDeep(limit: JSONCursor.deepest)
    case .unknownEscape(let escape):
      self = .malformedValue("there is no escape '\(escape.escapingControls)'")
    case .repeatedName(let name): self = .repeatedField(name.printable(atMost: 30))
    case .controlCharacter, .malformedCodeUnit, .loneSurrogate, .nameWithoutQuotes, .missingColon,
      .missingSeparator, .textAfterValue, .notUTF8, .wrongKind:
      self = .malformedValue(reason.sentence)
    }
  }
}
