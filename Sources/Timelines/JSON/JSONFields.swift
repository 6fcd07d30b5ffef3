import RehearsalBase

/// An object of JSON whose fields are read by what is expected of them. A field that is `null` is none.
struct JSONFields {
  /// Where it stands in the file, for problems: `events[3]`; empty at the top.
  let path: String
  private let fields: [JSONValue.Field]

  /// - Throws: where the value is no object.
  init(_ value: JSONValue, path: String) throws(RecordingProblem) {
    guard case .object(let fields) = value else { throw .expected("an object", path: path) }
    self.path = path
    self.fields = fields
  }

  /// The problem with a field.
  func problem(_ name: String, _ expected: String) -> RecordingProblem {
    .expected(expected, path: path.isEmpty ? name : path + "." + name)
  }

  private subscript(name: String) -> JSONValue? {
    let value = fields.first { $0.name == name }?.value
    return value == .null ? nil : value
  }

  // MARK: What may be missing

  func optionalText(_ name: String) throws(RecordingProblem) -> String? {
    switch self[name] {
    case nil: return nil
    case .string(let text): return text
    default: throw problem(name, "a text")
    }
  }

  func optionalNumber(
    _ name: String,
    in range: ClosedRange<Int> = 0...Int.max
  ) throws(RecordingProblem) -> Int? {
    guard let value = self[name] else { return nil }
    guard case .number(let text) = value, let number = Int(text), range.contains(number) else {
      let last = range.upperBound == .max ? "" : " to \(range.upperBound)"
      throw problem(
        name,
        "a whole number" + (range.lowerBound == .min ? "" : " from \(range.lowerBound)" + last)
      )
    }
    return number
  }

  /// An index into a list of so many elements.
  func optionalIndex(_ name: String, count: Int) throws(RecordingProblem) -> Int? {
    guard let index = try optionalNumber(name) else { return nil }
    guard index < count else { throw problem(name, "the number of one of \(count), from 0") }
    return index
  }

  func flag(_ name: String) throws(RecordingProblem) -> Bool {
    switch self[name] {
    case nil: return false
    case .bool(let flag): return flag
    default: throw problem(name, "true or false")
    }
  }

  func optionalObject(_ name: String) throws(RecordingProblem) -> JSONFields? {
    guard let value = self[name] else { return nil }
    return try JSONFields(value, path: path.isEmpty ? name : path + "." + name)
  }

  /// One of the words that a type knows.
  func optionalWord<Word: RawRepresentable & CaseIterable>(
    _ name: String,
    as type: Word.Type
  ) throws(RecordingProblem) -> Word? where Word.RawValue == String {
    guard let text = try optionalText(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw problem(name, "one of " + type.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return word
  }

  // MARK: What may not be missing

  func required<Value>(_ name: String, _ value: Value?) throws(RecordingProblem) -> Value {
    guard let value else { throw problem(name, "there") }
    return value
  }

  func text(_ name: String) throws(RecordingProblem) -> String {
    try required(name, try optionalText(name))
  }

  func time(_ name: String) throws(RecordingProblem) -> Duration {
    guard case .number(let text) = self[name], let time = Duration(jsonSeconds: text) else {
      throw problem(name, "a number of seconds, 0 or more")
    }
    return time
  }

  func list(_ name: String) throws(RecordingProblem) -> [JSONFields] {
    var list: [JSONFields] = []
    for (index, value) in try values(name).enumerated() {
      list.append(try JSONFields(value, path: "\(name)[\(index)]"))
    }
    return list
  }

  func texts(_ name: String) throws(RecordingProblem) -> [String] {
    var texts: [String] = []
    for value in try values(name) {
      guard case .string(let text) = value else { throw problem(name, "a list of texts") }
      texts.append(text)
    }
    return texts
  }

  private func values(_ name: String) throws(RecordingProblem) -> [JSONValue] {
    guard case .array(let values) = self[name] else { throw problem(name, "a list") }
    return values
  }
}
