/// The way to a value in dots and brackets: `posts[1].author.name`; empty for the whole.
struct JSONPath: CustomStringConvertible {
  private(set) var description = ""

  func appending(index: Int) -> JSONPath {
    JSONPath(description: description + "[\(index)]")
  }

  /// A name that could be taken for something else stands in brackets and quotes.
  func appending(name: String) -> JSONPath {
    if name.isEmpty || name.contains(where: { ".[]\" ".contains($0) }) {
      return JSONPath(description: description + "[\(name.quoted())]")
    }
    return JSONPath(description: description + (description.isEmpty ? "" : ".") + name)
  }

  init() {}

  private init(description: String) {
    self.description = description
  }
}

extension JSONText {
  /// What stands at a decoder's path, and that path in the text's own terms.
  func found(at codingPath: [any CodingKey]) -> (path: JSONPath, found: String) {
    var path = JSONPath()
    var value: JSONText? = self
    for key in codingPath {
      switch value {
      case .array(let elements):
        let index = key.intValue ?? elements.count
        path = path.appending(index: index)
        value = elements.indices.contains(index) ? elements[index] : nil
      case .object(let fields):
        path = path.appending(name: key.stringValue)
        value = fields.first { $0.name == key.stringValue }?.value
      default:
        path = path.appending(name: key.stringValue)
        value = nil
      }
    }
    return (path, value?.kindInWords ?? "nothing")
  }

  static func isWhole(_ number: String) -> Bool {
    !number.utf8.contains { ".eE".utf8.contains($0) }
  }
}

extension RemoteDecoding {
  /// What a name in a body is called as a key, by Foundation's rules.
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
