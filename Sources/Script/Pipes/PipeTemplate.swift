package import RehearsalBase

/// A text with placeholders: `{value}` for a value, and `{value.FIELD}` for a part of it.
package struct PipeTemplate: Sendable {
  package let pieces: [Piece]

  package enum Piece: Sendable, Equatable {
    case text(String)
    case value(path: [String])
    /// An unknown word in braces.
    case unknown(String)

    /// The text as written.
    var text: String {
      switch self {
      case .text(let text): text
      case .value(let path): "{" + (["value"] + path).joined(separator: ".") + "}"
      case .unknown(let name): "{" + name + "}"
      }
    }
  }

  package init(_ text: String) {
    var pieces: [Piece] = []
    var rest = text[...]
    var plain = ""
    while let open = rest.firstIndex(of: "{") {
      plain += rest[..<open]
      rest = rest[open...]
      let end = rest.dropFirst().firstIndex { $0 == "{" || $0 == "}" }
      guard let end, rest[end] == "}",
        let piece = Self.piece(named: rest[rest.index(after: open)..<end])
      else {
        plain.append(rest.removeFirst())
        continue
      }
      if !plain.isEmpty { pieces.append(.text(plain)) }
      plain = ""
      pieces.append(piece)
      rest = rest[rest.index(after: end)...]
    }
    plain += rest
    if !plain.isEmpty { pieces.append(.text(plain)) }
    self.pieces = pieces
  }

  private static func piece(named name: Substring) -> Piece? {
    let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if path.first == "value", !path.contains("") { return .value(path: Array(path.dropFirst())) }
    guard !name.isEmpty, name.utf8.allSatisfy(\.isWordByte) else { return nil }
    return .unknown(String(name))
  }

  /// Returns the text with a value inserted. Applies `escape` to each insertion. Stops when the
  /// text is larger than `JSONValue.largest`.
  func filled(with value: JSONValue, escape: (String) -> String = { $0 }) -> String {
    pieces.reduce(into: "") { text, piece in
      guard text.utf8.count <= JSONValue.largest else { return }
      if case .value(let path) = piece {
        text += escape(value.field(at: path).bareText)
      } else {
        text += piece.text
      }
    }
  }
}

extension JSONValue {
  /// Returns the part of a value at a path; null if it does not exist.
  package func field(at path: some Sequence<String>) -> JSONValue {
    if case .success(let part) = value(at: path) { part } else { .null }
  }

  /// The value as part of a longer text: a text without its quotes.
  package var bareText: String {
    if case .string(let text) = self { text } else { text }
  }

  /// Returns the value with `{value}` replaced. A text that is only a placeholder becomes the value
  /// itself. Stops when the value is larger than `largest`.
  package func filled(with value: JSONValue) -> JSONValue {
    var room = Self.largest
    return filled(with: value, room: &room)
  }

  private func filled(with value: JSONValue, room: inout Int) -> JSONValue {
    switch self {
    case .null, .bool, .number: return self
    case .string(let text):
      guard text.utf8.contains(UInt8(ascii: "{")) else { return self }
      let template = PipeTemplate(text)
      if case .value(let path)? = template.pieces.first, template.pieces.count == 1 {
        return value.field(at: path)
      }
      guard room >= 0 else { return .null }
      let filled = template.filled(with: value)
      room -= filled.utf8.count
      return .string(filled)
    case .array(let values):
      return .array(values.map { $0.filled(with: value, room: &room) })
    case .object(let fields):
      return .object(
        fields.map { Field(name: $0.name, value: $0.value.filled(with: value, room: &room)) }
      )
    }
  }
}
