extension JSONValue {
  /// How large a value may be that is made of others, in bytes as text: what is put into itself again and
  /// again doubles each time.
  package static let largest = 1_000_000

  /// About how many bytes it has as text. What exceeds `most` is not counted further.
  package func size(upTo most: Int) -> Int {
    switch self {
    case .null, .bool: return 4
    case .number(let text), .string(let text): return text.utf8.count + 2
    case .array(let values):
      return values.reduce(into: 2) { size, value in
        if size <= most { size += 1 + value.size(upTo: most - size) }
      }
    case .object(let fields):
      return fields.reduce(into: 2) { size, field in
        if size <= most { size += field.name.utf8.count + 3 + field.value.size(upTo: most - size) }
      }
    }
  }
}
