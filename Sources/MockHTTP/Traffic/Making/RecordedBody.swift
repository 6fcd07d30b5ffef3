/// A recorded body, its secrets masked, before it is decided where it goes.
struct RecordedBody {
  var bytes: [UInt8]
  /// Where nothing was masked: the bytes as they came.
  var original: [UInt8]?
  var kind = Kind.binary
  var type = ContentType("")

  enum Kind {
    case json
    case text
    /// Or a text that a command cannot hold.
    case binary
  }

  /// As many bytes that are no text are no longer than the name of a file.
  private static let smallBinary = 64

  /// The body as a part of a command; nil where it has to be a file.
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

  /// Whether no control character is in it that no editor would show.
  private var isWritable: Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
  }

  /// Whether a route would take a part of it for a place to fill in, `{name}`.
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
  /// Whether a route would say the same of its own accord.
  fileprivate func isUsual(for content: ScriptedBody.Content) -> Bool {
    let plain = text.lowercased().filter { $0 != " " }
    return switch content {
    case .json: plain == "application/json" || plain == "application/json;charset=utf-8"
    case .text: plain == "text/plain" || plain == "text/plain;charset=utf-8"
    case .empty, .bytes, .file, .filler: false
    }
  }

  /// What secrets may look like in it.
  var language: SecretFinder.Language {
    if isForm { return .form }
    let isCode = ["html", "javascript", "ecmascript", "css"].contains { essence.hasSuffix($0) }
    return isCode ? .code : .plain
  }
}
