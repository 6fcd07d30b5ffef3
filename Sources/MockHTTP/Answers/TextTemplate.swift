import RehearsalBase

/// Text with placeholders, `{name}`, for parts of the request.
///
/// | placeholder | value |
/// | --- | --- |
/// | `{id}` | the capture with that name in the route's path, query or header fields |
/// | `{method}`, `{path}`, `{body}` | the request's; the path as sent, without its query |
/// | `{query.page}` | the first value of that name, empty if there is none |
/// | `{header.accept}` | that field, several joined by commas, empty if there is none |
/// | `{count}` | the number of requests to the route so far, including this one |
/// | `{id:json}` | the same as JSON: a number stays a number, other text becomes a string |
///
/// Captures take precedence over the names in the second to fifth row. Other texts in braces stay
/// unchanged; there is no escape, and doubled braces are two braces. Inserted values are not
/// expanded again.
///
/// In JSON, only strings have placeholders, and inserted values are escaped. A string that is just
/// `"{id:json}"` is replaced with its quotes: `{"id": "{id:json}"}` gives `{"id": 7}`. A missing
/// value becomes `null`.
struct TextTemplate: Sendable {
  private var parts: [Part] = []

  private enum Part: Sendable {
    case literal(String)
    case plain(Name)
    /// In a JSON string.
    case escaped(Name)
    /// A JSON value.
    case json(Name)
  }

  enum Name: Sendable, Equatable {
    case capture(String)
    case query(String)
    case header(String)
    case method, path, body, count
  }

  var isConstant: Bool {
    parts.allSatisfy { part in if case .literal = part { true } else { false } }
  }

  func text(_ values: inout RequestValues, _ reading: inout RequestReading) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .plain(let name): text += values.value(name, &reading) ?? ""
      case .escaped(let name):
        text += JSONText.escaped(values.value(name, &reading) ?? "", .required)
      case .json(let name): text += Self.json(values.value(name, &reading))
      }
    }
    return text
  }

  /// Returns a JSON value: text that is already JSON unchanged, other text as a string, nil as
  /// `null`.
  private static func json(_ text: String?) -> String {
    guard let text else { return "null" }
    let isJSON = (try? JSONValue(json: Array(text.utf8), repeatedNames: .kept)) != nil
    return isJSON ? text : "\"" + JSONText.escaped(text, .required) + "\""
  }
}

// MARK: Reading

extension TextTemplate {
  init(_ text: String, captures: Set<String>) {
    var scanner = Scanner(text, captures: captures)
    while let byte = scanner.peek() {
      guard byte == UInt8(ascii: "{"), let found = scanner.placeholder(at: scanner.index) else {
        scanner.index += 1
        continue
      }
      scanner.add(
        found.isJSON ? .json(found.name) : .plain(found.name),
        from: scanner.index,
        to: found.end
      )
    }
    parts = scanner.finished()
  }

  init(json text: String, captures: Set<String>) {
    var scanner = Scanner(text, captures: captures)
    while let byte = scanner.peek() {
      scanner.index += 1
      if byte == UInt8(ascii: "\"") { scanner.string() }
    }
    parts = scanner.finished()
  }

  private struct Scanner {
    private let bytes: [UInt8]
    private let captures: Set<String>
    private var parts: [Part] = []
    /// The start of the literal text that is not yet in `parts`.
    private var pending = 0
    var index = 0

    init(_ text: String, captures: Set<String>) {
      bytes = Array(text.utf8)
      self.captures = captures
    }

    func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func add(_ part: Part, from start: Int, to end: Int) {
      addLiteral(to: start)
      parts.append(part)
      pending = end
      index = end
    }

    private mutating func addLiteral(to end: Int) {
      guard end > pending else { return }
      parts.append(.literal(String(decoding: bytes[pending..<end], as: UTF8.self)))
    }

    mutating func finished() -> [Part] {
      addLiteral(to: bytes.count)
      return parts
    }

    /// Reads a JSON string after its opening quote.
    mutating func string() {
      if let found = placeholder(at: index), found.isJSON, found.end < bytes.count,
        bytes[found.end] == UInt8(ascii: "\"")
      {
        return add(.json(found.name), from: index - 1, to: found.end + 1)
      }
      while let byte = peek(), byte != UInt8(ascii: "\"") {
        if let found = placeholder(at: index), !found.isJSON {
          add(.escaped(found.name), from: index, to: found.end)
        } else {
          index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
      }
      index += 1
    }

    /// Returns the placeholder that begins here, or nil.
    func placeholder(at start: Int) -> (name: Name, isJSON: Bool, end: Int)? {
      guard start < bytes.count, bytes[start] == UInt8(ascii: "{"),
        let close = bytes[start...].prefix(Self.longest).firstIndex(of: UInt8(ascii: "}"))
      else { return nil }
      var text = String(decoding: bytes[start + 1..<close], as: UTF8.self)
      let isJSON = text.hasSuffix(":json")
      if isJSON { text.removeLast(5) }
      return name(text).map { ($0, isJSON, close + 1) }
    }

    private static let longest = 200

    private func name(_ text: String) -> Name? {
      if captures.contains(text) { return .capture(text) }
      switch text {
      case "method": return .method
      case "path": return .path
      case "body": return .body
      case "count": return .count
      case _ where text.hasPrefix("query."): return .query(String(text.dropFirst(6)))
      case _ where text.hasPrefix("header."): return .header(String(text.dropFirst(7)))
      default: return nil
      }
    }
  }
}
