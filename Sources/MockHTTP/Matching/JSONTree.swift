import FoundationEssentials

/// JSON to be compared, numbers by their value.
indirect enum JSONTree: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  /// - Returns: nil where the bytes are no JSON.
  init?(_ bytes: [UInt8]) {
    guard let tree = try? JSONDecoder().decode(JSONTree.self, from: Data(bytes)) else { return nil }
    self = tree
  }

  /// Whether this has at least what `part` has: objects may have more fields, also within.
  func includes(_ part: JSONTree) -> Bool {
    switch (self, part) {
    case (.object(let fields), .object(let wanted)):
      wanted.allSatisfy { fields[$0.key]?.includes($0.value) ?? false }
    case (.array(let items), .array(let wanted)):
      items.count == wanted.count && zip(items, wanted).allSatisfy { $0.includes($1) }
    case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
      Double(integer) == number
    default: self == part
    }
  }
}

extension JSONTree: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode([JSONTree].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONTree].self))
    }
  }
}
