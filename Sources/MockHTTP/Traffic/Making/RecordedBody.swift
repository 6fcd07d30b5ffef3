/// A recorded body with its secrets masked.
struct RecordedBody {
  var bytes: [UInt8]
  /// The original bytes, if nothing was masked.
  var original: [UInt8]?
  var kind = Kind.binary
  var type = ContentType("")

  enum Kind {
    case json
    case text
    /// Binary data, or a text that a command cannot contain.
    case binary
  }

  /// The maximum size of binary data that is not longer than a file name.
  private static let smallBinary = 64

  /// Returns the body as part of a command, nil if it must be a file.
  func inline(atMost limit: Int, evenBytes: Bool) -> ScriptedBody? {
    guard bytes.count <= limit else { return nil }
    guard kind != .binary, isWritable, !resemblesTemplate,
      let text = String(validating: bytes, as: UTF8.self)
    else { return base64(atMost: evenBytes ? limit : Self.smallBinary) }
    let content: ScriptedBody.Content = kind == .json ? .json(text) : .text(text)
    let isUsual = type.text.isEmpty || type.isUsual(for: content)
    return ScriptedBody(content, type: isUsual ? nil : type.text)
  }

  private func base64(atMost limit: Int) -> ScriptedBody? {
    let bytes = original ?? bytes
    guard bytes.count <= limit else { return nil }
    return ScriptedBody(.bytes(bytes), type: type.text.isEmpty ? nil : type.text)
  }

  /// Whether the text has no invisible control characters.
  private var isWritable: Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
  }

  /// Whether a route would interpret a part of it as a placeholder, `{name}`.
  private var resemblesTemplate: Bool {
    var rest = bytes[...]
    while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
      rest = rest[(brace + 1)...]
      let name = rest.prefix {
        $0.isASCIILetter || $0.isASCIIDigit || "_-.:".utf8.contains($0)
      }
      if !name.isEmpty, rest.dropFirst(name.count).first == UInt8(ascii: "}") { return true }
    }
    return false
  }
}

extension ContentType {
  /// Returns whether a route implies this type anyway.
  fileprivate func isUsual(for content: ScriptedBody.Content) -> Bool {
    let plain = text.lowercased().filter { $0 != " " }
    return switch content {
    case .json: plain == "application/json" || plain == "application/json;charset=utf-8"
    case .text: plain == "text/plain" || plain == "text/plain;charset=utf-8"
    case .empty, .bytes, .file, .filler: false
    }
  }

  /// The language, which determines what secrets look like.
  var language: SecretFinder.Language {
    if isForm { return .form }
    let isCode = ["html", "javascript", "ecmascript", "css"].contains { essence.hasSuffix($0) }
    return isCode ? .code : .plain
  }
}
