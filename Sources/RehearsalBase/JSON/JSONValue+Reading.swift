/// Parses JSON into a value: decides about repeated names, invalid UTF-8 and unpaired surrogates.
extension JSONValue {
  /// Whether the fields of an object may have equal names.
  package enum RepeatedNames: Sendable { case refused, kept }

  /// Parses a document: UTF-8 with one value and white space around it.
  ///
  /// - Throws: `JSONProblem` with the place in `bytes`.
  package init(
    json bytes: [UInt8],
    repeatedNames: RepeatedNames = .refused
  ) throws(JSONProblem) {
    if let problem = JSONProblem(encodingOf: bytes) { throw problem }
    var cursor = JSONCursor(bytes)
    cursor.skipSpace()
    guard cursor.position < bytes.count else {
      throw JSONProblem(.empty, at: bytes.count..<bytes.count)
    }
    self = try cursor.value(repeatedNames: repeatedNames)
    try cursor.end()
  }
}

extension JSONProblem {
  /// Finds the first byte that is not valid UTF-8; nil if all are.
  package init?(encodingOf bytes: [UInt8]) {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var parser = UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += scalar.count }
    self.init(.notUTF8(bytes[offset]), at: offset..<offset + 1)
  }
}

extension JSONCursor {
  /// An array or object that is not read completely.
  private struct Container {
    let isObject: Bool
    var elements: [JSONValue] = []
    var fields: [JSONValue.Field] = []
    var names = FieldNames()
    /// The name of the field whose value comes next.
    var name = ""

    var value: JSONValue { isObject ? .object(fields) : .array(elements) }

    mutating func add(_ value: JSONValue) {
      if isObject {
        fields.append(JSONValue.Field(name: name, value: value))
      } else {
        elements.append(value)
      }
    }
  }

  /// Parses the next value with its contents. It does not recurse, so the depth takes no stack.
  package mutating func value(
    repeatedNames: JSONValue.RepeatedNames = .refused
  ) throws(JSONProblem) -> JSONValue {
    var open: [Container] = []
    while true {
      var value = try leafOrBegin(in: &open)
      while !open.isEmpty {
        if let value { open[open.count - 1].add(value) }
        if try advance(&open[open.count - 1], repeatedNames) { break }
        value = open.removeLast().value
      }
      if open.isEmpty, let value { return value }
    }
  }

  /// Parses the next simple value; for an array or object, enters it and returns nil.
  private mutating func leafOrBegin(in open: inout [Container]) throws(JSONProblem) -> JSONValue? {
    switch try kind() {
    case .object:
      try enterObject()
      open.append(Container(isObject: true))
      return nil
    case .array:
      try enterArray()
      open.append(Container(isObject: false))
      return nil
    case .string: return .string(try strictText(of: try stringToken()))
    case .number: return .number(String(decoding: bytes[try scalarToken()], as: UTF8.self))
    case .bool: return .bool(bytes[try scalarToken().lowerBound] == UInt8(ascii: "t"))
    case .null:
      _ = try scalarToken()
      return .null
    }
  }

  /// Moves to the next value of a container; false at its end.
  private mutating func advance(
    _ container: inout Container,
    _ repeatedNames: JSONValue.RepeatedNames
  ) throws(JSONProblem) -> Bool {
    guard container.isObject else { return try nextElement() }
    guard let token = try nextNameToken() else { return false }
    container.name = try strictText(of: token)
    guard repeatedNames == .kept || container.names.insert(container.name) else {
      throw JSONProblem(.repeatedName(container.name), at: token)
    }
    try enterMember()
    return true
  }

  /// Returns the text of a token of `stringToken`.
  package func strictText(of token: Range<Int>) throws(JSONProblem) -> String {
    var half: Range<Int>?
    let text = text(of: token, loneSurrogate: &half)
    if let half { throw JSONProblem(.loneSurrogate, at: half) }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The field names of one object, which must be unique.
package struct FieldNames: Sendable {
  private var names: [String] = []
  /// All names, once there are too many for a linear search.
  private var index: Set<String> = []

  private static let fewest = 8

  package init() {}

  /// Adds a name; false if it already exists.
  package mutating func insert(_ name: String) -> Bool {
    if names.count < Self.fewest {
      if names.contains(name) { return false }
      names.append(name)
      if names.count == Self.fewest { index = Set(names) }
      return true
    }
    return index.insert(name).inserted
  }
}
