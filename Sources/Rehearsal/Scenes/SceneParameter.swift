import Script

/// One thing that an action has to be told, and how it is read.
package struct SceneParameter<Value: Sendable>: Sendable {
  /// How help writes it, in capitals: `ENDPOINT`.
  let placeholder: String
  /// What it can be, as far as that can be listed.
  let candidates: [String]
  let read: @Sendable (inout Parser) throws(Diagnostic) -> Value

  /// One of several, by its name or by its place among them, counted from 0.
  package static func choice(
    _ placeholder: String,
    _ choices: [(name: String, value: Value)]
  ) -> SceneParameter {
    let names = choices.map(\.name)
    let what = "one of " + names.joined(separator: ", ")
    return SceneParameter(placeholder: placeholder, candidates: names) {
      parser throws(Diagnostic) in
      if parser.isNextNumber {
        return choices[try parser.integer(what, in: 0...choices.count - 1).value].value
      }
      let word = try parser.text(what, example: names.first ?? "")
      if let choice = choices.first(where: { $0.name == word.value }) { return choice.value }
      throw Diagnostic(
        .expected(what, found: word.value.printable(atMost: 30)),
        at: word.span,
        hint: Suggestion.hint(for: word.value, in: names)
          ?? "a number from 0 to \(choices.count - 1) chooses by place"
      )
    }
  }
}

extension SceneParameter where Value == Int {
  package static func integer(_ placeholder: String, in range: ClosedRange<Int>) -> SceneParameter {
    SceneParameter(placeholder: placeholder, candidates: []) { parser throws(Diagnostic) in
      try parser.integer("a whole number", in: range).value
    }
  }
}

extension SceneParameter where Value == String {
  /// A text in quotes, or one without blanks.
  package static func text(_ placeholder: String) -> SceneParameter {
    SceneParameter(placeholder: placeholder, candidates: []) { parser throws(Diagnostic) in
      guard !parser.isNext(byte: UInt8(ascii: "[")), !parser.isNext(byte: UInt8(ascii: "{")) else {
        throw parser.expected("a text", hint: "a text with blanks or brackets stands in quotes")
      }
      return try parser.text("a text", example: "\"text\"").value
    }
  }
}

extension SceneParameter where Value == Duration {
  package static func duration(_ placeholder: String) -> SceneParameter {
    SceneParameter(placeholder: placeholder, candidates: []) { parser throws(Diagnostic) in
      try parser.duration().value
    }
  }
}

extension SceneParameter where Value == Bool {
  /// `on` or `off`.
  package static func flag(_ placeholder: String) -> SceneParameter {
    choice(placeholder, [("off", false), ("on", true)])
  }
}

extension Parser {
  fileprivate var isNextNumber: Bool {
    guard !isAtEnd else { return false }
    return bytes[position].isDigit || bytes[position] == UInt8(ascii: "-")
  }
}
