import RehearsalBase
import RemoteLoading
import Script

/// A parameter of a scene's command, and the conversion of its values.
public struct SceneParameter<Value: Sendable>: Sendable {
  /// The name in help, in capitals: `ENDPOINT`.
  let placeholder: String
  /// The kind of value, as text: `a text`.
  let what: String
  /// The possible values, as far as they can be listed.
  let candidates: [String]
  /// Values for generated commands, the simplest first.
  let samples: [String]
  /// The default; nil if the parameter is required.
  private(set) var fallback: Value?
  /// Formats a value.
  let write: @Sendable (Value) -> String
  /// Parses a value. `expected` describes the expected value, for diagnostics.
  let read: @Sendable (inout Parser, _ expected: String) throws(Diagnostic) -> Value

  private init(
    _ placeholder: String,
    _ what: String,
    candidates: [String] = [],
    samples: [String]? = nil,
    write: @escaping @Sendable (Value) -> String,
    read: @escaping @Sendable (inout Parser, _ expected: String) throws(Diagnostic) -> Value
  ) {
    self.placeholder = placeholder
    self.what = what
    self.candidates = candidates
    self.samples =
      samples ?? candidates.map { CommandText.isWord($0) ? $0 : CommandText.quoted($0) }
    self.write = write
    self.read = read
  }

  /// Returns the same parameter with a default. All parameters after it must have a default, too.
  public func defaulting(to value: Value) -> SceneParameter {
    var parameter = self
    parameter.fallback = value
    return parameter
  }

  /// The text for help: `EVERY: a duration; default 100ms`.
  var explanation: String {
    let usual = fallback.map { "; default " + write($0) } ?? ""
    return "\(placeholder): \(what)\(usual)"
  }

  func read(from parser: inout Parser) throws(Diagnostic) -> Value {
    do throws(Diagnostic) {
      return try read(&parser, "\(placeholder), \(what)")
    } catch {
      guard error.hint == nil, case .numberOutOfRange = error.problem else { throw error }
      throw Diagnostic(error.problem, at: error.span, hint: "this number is \(placeholder)")
    }
  }

  /// Creates a parameter that is one of several values, by its name or its index from 0.
  public static func choice(
    _ placeholder: String,
    _ choices: [(name: String, value: Value)]
  ) -> SceneParameter {
    let names = choices.map(\.name)
    let list = names.joined(separator: ", ")
    let write: @Sendable (Value) -> String = { value in
      choices.first { String(describing: $0.value) == String(describing: value) }?.name ?? "its own"
    }
    let what = choices.isEmpty ? "a choice from an empty list" : "one of " + list
    return SceneParameter(placeholder, what, candidates: names, write: write) {
      parser,
      expected throws(Diagnostic) in
      let word = try parser.text(expected, example: names.first ?? "")
      if let choice = choices.first(where: { $0.name == word.value }) { return choice.value }
      if let place = Int(word.value), choices.indices.contains(place) {
        return choices[place].value
      }
      throw Diagnostic(
        .expected(expected, found: word.value.printable(atMost: 30)),
        at: word.span,
        Hint.nearest(to: word.value, in: names)
          ?? numbers(of: names)
      )
    }
  }

  /// Returns the hint that a number can take the place of a name.
  private static func numbers(of names: [String]) -> Hint? {
    guard let first = names.first, let last = names.last else { return nil }
    return .advice(
      names.count == 1
        ? "type '\(first)', or its number 0"
        : "type a name, or its number, from 0 for '\(first)' to \(names.count - 1) for '\(last)'"
    )
  }
}

extension SceneParameter where Value: CaseIterable & RawRepresentable<String> {
  /// Creates a parameter that is a case of an enumeration, by its raw value.
  public static func choice(_ placeholder: String) -> SceneParameter {
    choice(placeholder, Value.allCases.map { ($0.rawValue, $0) })
  }
}

extension SceneParameter where Value == Int {
  /// Creates a parameter that is a whole number in a range.
  public static func integer(
    _ placeholder: String,
    in range: ClosedRange<Int> = Int.min...Int.max
  ) -> SceneParameter {
    SceneParameter(
      placeholder,
      "a whole number",
      samples: SampleTexts.integers(in: range),
      write: { "\($0)" },
      read: { parser, expected throws(Diagnostic) in try parser.integer(expected, in: range).value }
    )
  }
}

extension SceneParameter where Value == String {
  /// Creates a parameter that is a text, in quotes or without blanks.
  public static func text(_ placeholder: String) -> SceneParameter {
    SceneParameter(
      placeholder,
      "a text",
      samples: SampleTexts.texts,
      write: { JSONValue.string($0).text },
      read: { parser, expected throws(Diagnostic) in
        guard !parser.isNext(byte: UInt8(ascii: "[")), !parser.isNext(byte: UInt8(ascii: "{"))
        else {
          throw parser.expected(expected, hint: "write a text with blanks or brackets in quotes")
        }
        return try parser.text(expected, example: "\"text\"").value
      }
    )
  }
}

extension SceneParameter where Value == Duration {
  /// Creates a parameter that is a duration: `250ms`, `2s`.
  public static func duration(_ placeholder: String) -> SceneParameter {
    SceneParameter(placeholder, "a duration", samples: SampleTexts.durations, write: \.compact) {
      parser,
      _ throws(Diagnostic) in
      try parser.duration().value
    }
  }
}

extension SceneParameter where Value == Bool {
  /// Creates a parameter that is `on` or `off`.
  public static func flag(_ placeholder: String) -> SceneParameter {
    SceneParameter(
      placeholder,
      "on or off",
      candidates: ["on", "off"],
      write: { $0 ? "on" : "off" },
      read: { parser, expected throws(Diagnostic) in
        let word = try parser.text(expected, example: "on")
        switch word.value {
        case "on", "1": return true
        case "off", "0": return false
        default:
          let found = word.value.printable(atMost: 30)
          throw Diagnostic(
            .expected(expected, found: found),
            at: word.span,
            hint: "write on or off"
          )
        }
      }
    )
  }
}

extension SceneParameter where Value: Decodable {
  /// Creates a parameter that is a JSON value, decoded as the parameter's type.
  public static func json(_ placeholder: String) -> SceneParameter {
    SceneParameter(
      placeholder,
      "a JSON value, decoded as \(typeName(Value.self))",
      samples: SampleTexts.values.filter { SampleTexts.isValue($0, of: Value.self) },
      write: { JSONValue(showing: $0).text },
      read: { parser, _ throws(Diagnostic) in
        let written = try parser.value()
        return try Value(writtenAs: written)
      }
    )
  }
}

extension Decodable {
  /// Decodes a value of the script.
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
  /// The problem of a decoding error, without the kind of error.
  fileprivate var inWords: String {
    guard case .decoding(let path, let expected, let found) = self else { return errorText(self) }
    return path.isEmpty ? "it is \(found)" : "expected \(expected) at \(path), but found \(found)"
  }
}
