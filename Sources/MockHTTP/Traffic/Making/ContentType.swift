/// A content type and its meaning for a body.
struct ContentType {
  let text: String
  /// The type and subtype, in lower case: `application/json`.
  let essence: String

  init(_ text: String) {
    self.text = text
    let end = text.firstIndex(of: ";") ?? text.endIndex
    essence = String(text[..<end].filter { !$0.isWhitespace }).lowercased()
  }

  var isJSON: Bool {
    essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
  }
  var isForm: Bool { essence == "application/x-www-form-urlencoded" }

  /// Whether bytes of this type are human-readable text; nil if the type does not say.
  var isText: Bool? {
    if essence.hasPrefix("text/") || isJSON || isForm || essence.hasSuffix("+xml") { return true }
    if Self.texts.contains(essence) { return true }
    let isMedium = ["image/", "audio/", "video/", "font/"].contains { essence.hasPrefix($0) }
    return isMedium || Self.binaries.contains(essence) ? false : nil
  }

  private static let texts: Set<String> = [
    "application/xml", "application/javascript", "application/x-javascript",
    "application/ecmascript", "application/graphql", "application/x-ndjson",
    "application/jsonlines", "application/yaml", "application/x-yaml", "application/toml",
    "application/vnd.apple.mpegurl", "application/x-mpegurl", "application/sql",
  ]
  private static let binaries: Set<String> = [
    "application/pdf", "application/zip", "application/gzip", "application/wasm",
    "application/x-protobuf", "application/grpc", "application/msgpack",
  ]

  /// The type with the charset of a decoded text.
  var inUTF8: String {
    let parts = text.split(separator: ";").map(Self.trimmed)
    guard parts.contains(where: { $0.lowercased().hasPrefix("charset=") }) else { return text }
    return parts.map { $0.lowercased().hasPrefix("charset=") ? "charset=utf-8" : $0 }
      .joined(separator: "; ")
  }

  private static func trimmed(_ part: Substring) -> String {
    String(part.drop { $0 == " " })
  }

  /// The file extension, from a fixed list.
  var fileExtension: String {
    if isJSON { return "json" }
    if let known = Self.extensions[essence] { return known }
    if essence.hasSuffix("+xml") { return "xml" }
    return isText == true ? "txt" : "bin"
  }

  private static let extensions = [
    "text/html": "html", "text/css": "css", "text/csv": "csv", "text/xml": "xml",
    "application/xml": "xml", "text/javascript": "js", "application/javascript": "js",
    "application/x-javascript": "js", "image/png": "png", "image/jpeg": "jpg",
    "image/gif": "gif", "image/webp": "webp", "image/avif": "avif", "image/svg+xml": "svg",
    "image/x-icon": "ico", "image/vnd.microsoft.icon": "ico", "image/bmp": "bmp",
    "image/heic": "heic", "image/tiff": "tiff", "font/woff": "woff", "font/woff2": "woff2",
    "font/ttf": "ttf", "font/otf": "otf", "audio/mpeg": "mp3", "video/mp4": "mp4",
    "video/webm": "webm", "application/pdf": "pdf", "application/zip": "zip",
    "application/wasm": "wasm",
  ]
}
