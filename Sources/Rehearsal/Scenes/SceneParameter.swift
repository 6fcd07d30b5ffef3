import RemoteLoading
import Script

/// One thing that a command of a scene has to be told, and how it is read.
public struct SceneParameter<Value: Sendable>: Sendable {
  /// How help writes it, in capitals: `ENDPOINT`.
  let placeholder: String
  /// What it can be, as far as that can be listed.
  let candidates: [String]
  /// What it is where nobody says it; nil: it has to be said.
  private(set) var fallback: Value?
  let read: @Sendable (inout Parser) throws(Diagnostic) -> Value

  private init(
    _ placeholder: String,
    candidates: [String] = [],
    read: @escaping @Sendable (inout Parser) throws(Diagnostic) -> Value
  ) {
    self.placeholder = placeholder
    self.candidates = candidates
    self.read = read
  }

  /// The same one, which need not be said. What follows it need not be said either.
  public func defaulting(to value: Value) -> SceneParameter {
    var parameter = self
    parameter.fallback = value
    return parameter
  }

  /// One of several, by its name or by its place among them, counted from 0.
  public static func choice(
    _ placeholder: String,
    _ choices: [(name: String, value: Value)]
  ) -> SceneParameter {
    let names = choices.map(\.name)
    let what = "one of " + names.joined(separator: ", ")
    return SceneParameter(placeholder, candidates: names) { parser throws(Diagnostic) in
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

extension SceneParameter where Value: CaseIterable & RawRepresentable<String> {
  /// One of an enumeration's cases, by its raw value.
  public static func choice(_ placeholder: String) -> SceneParameter {
    choice(placeholder, Value.allCases.map { ($0.rawValue, $0) })
  }
}

extension SceneParameter where Value == Int {
  /// A whole number in a range.
  public static func integer(
    _ placeholder: String,
    in range: ClosedRange<Int> = Int.min...Int.max
  ) -> SceneParameter {
    SceneParameter(placeholder) { parser throws(Diagnostic) in
      try parser.integer("a whole number", in: range).value
    }
  }
}

extension SceneParameter where Value == String {
  /// A text in quotes, or one without blanks.
  public static func text(_ placeholder: String) -> SceneParameter {
    SceneParameter(placeholder) { parser throws(Diagnostic) in
      guard !parser.isNext(byte: UInt8(ascii: "[")), !parser.isNext(byte: UInt8(ascii: "{")) else {
        throw parser.expected("a text", hint: "a text with blanks or brackets stands in quotes")
      }
      return try parser.text("a text", example: "\"text\"").value
    }
  }
}

extension SceneParameter where Value == Duration {
  /// A duration: `250ms`, `2s`.
  public static func duration(_ placeholder: String) -> SceneParameter {
    SceneParameter(placeholder) { parser throws(Diagnostic) in try parser.duration().value }
  }
}

extension SceneParameter where Value == Bool {
  /// `on` or `off`.
  public static func flag(_ placeholder: String) -> SceneParameter {
    choice(placeholder, [("off", false), ("on", true)])
  }
}

extension SceneParameter where Value: Decodable {
  /// A JSON value, decoded as the parameter's type.
  public static func json(_ placeholder: String) -> SceneParameter {
    SceneParameter(placeholder) { parser throws(Diagnostic) in
      let written = try parser.value()
      return try Value(writtenAs: written)
    }
  }
}

extension Decodable {
  /// A value as the script writes it, decoded.
  init(writtenAs written: Located<JSONValue>) throws(Diagnostic) {
    do throws(RemoteError) {
      self = try RemoteDecoding().decode(from: Array(written.value.text.utf8))
    } catch {
      throw Diagnostic(
        .undecodable(type: typeName(Self.self), reason: error.inWords),
        at: written.span
      )
    }
  }
}

extension RemoteError {
  /// What did not decode, without the kind of error.
  fileprivate var inWords: String {
    guard case .decoding(let path, let expected, let found) = self else { return errorText(self) }
    return "expected \(expected)\(path.isEmpty ? "" : " at \(path)"), but found \(found)"
  }
}

extension Parser {
  fileprivate var isNextNumber: Bool {
    guard !isAtEnd else { return false }
    return bytes[position].isDigit || bytes[position] == UInt8(ascii: "-")
  }
}
