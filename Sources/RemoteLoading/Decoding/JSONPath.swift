import RehearsalBase

/// A path to a value, as a chain of steps. Its description is computed on demand.
indirect enum JSONPath {
  case whole
  case element(of: JSONPath, Int)
  /// `name` is the name in the text, `key` the type's coding key.
  case field(of: JSONPath, name: String, key: any CodingKey)

  var codingPath: [any CodingKey] {
    switch self {
    case .whole: []
    case .element(let parent, let index): parent.codingPath + [IndexKey(index)]
    case .field(let parent, _, let key): parent.codingPath + [key]
    }
  }
}

extension JSONPath: CustomStringConvertible {
  /// The path with dots and brackets, `posts[1].author.name`; empty for the root. An ambiguous name
  /// is in brackets and quotes.
  var description: String {
    switch self {
    case .whole: ""
    case .element(let parent, let index): "\(parent)[\(index)]"
    case .field(let parent, let name, _) where Self.needsQuotes(name):
      "\(parent)[\(name.quoted())]"
    case .field(.whole, let name, _): name
    case .field(let parent, let name, _): "\(parent).\(name)"
    }
  }

  private static func needsQuotes(_ name: String) -> Bool {
    name.isEmpty || name.contains { ".[]\" ".contains($0) }
  }
}

extension JSONValue {
  /// Returns the value at a decoder's path, and the path with the names of the text.
  func found(
    at codingPath: [any CodingKey],
    tellsValue: Bool
  ) -> (path: JSONPath, found: String) {
    var path = JSONPath.whole
    var value: JSONValue? = self
    for key in codingPath {
      switch value {
      case .array(let elements):
        let index = key.intValue ?? elements.count
        path = .element(of: path, index)
        value = elements.indices.contains(index) ? elements[index] : nil
      case .object(let fields):
        path = .field(of: path, name: key.stringValue, key: key)
        value = fields.first { $0.name == key.stringValue }?.value
      default:
        path = .field(of: path, name: key.stringValue, key: key)
        value = nil
      }
    }
    return (path, (tellsValue ? value?.inWords : value?.kindInWords) ?? "nothing")
  }

  /// A short value itself, for errors that do not concern its kind.
  var inWords: String {
    switch self {
    case .number(let text): text
    case .string(let text): text.quoted()
    case .bool(let isTrue): "\(isTrue)"
    case .null, .array, .object: kindInWords
    }
  }
}

extension RemoteDecoding {
  /// Returns the key for a name in a body, by Foundation's rules.
  func keyName(_ name: String) -> String {
    guard keys == .fromSnakeCase else { return name }
    let middle = name.drop { $0 == "_" }
    let leading = name.prefix(upTo: middle.startIndex)
    let core = middle.reversed().drop { $0 == "_" }.reversed().map { $0 }
    let trailing = middle.dropFirst(core.count)
    let words = core.split(separator: "_")
    guard words.count > 1 else { return name }
    let capitalized = words.dropFirst().map {
      $0.prefix(1).map { $0.uppercased() }.joined() + String($0.dropFirst()).lowercased()
    }
    return leading + String(words[0]).lowercased() + capitalized.joined() + trailing
  }
}
