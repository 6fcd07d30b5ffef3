/// Content types of bodies without an explicit one.
enum MediaType {
  static let bytes = "application/octet-stream"

  static func suggested(by content: ScriptedBody.Content) -> String? {
    switch content {
    case .empty: nil
    case .text: "text/plain; charset=utf-8"
    case .json: "application/json"
    case .bytes, .filler: bytes
    case .file(let name, _): ofFile(name)
    }
  }

  /// Returns the content type for a file extension.
  static func ofFile(_ name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return bytes }
    return byExtension[name[dot...].dropFirst().lowercased()] ?? bytes
  }

  private static let byExtension = [
    "json": "application/json", "txt": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "xml": "application/xml", "csv": "text/csv; charset=utf-8", "svg": "image/svg+xml",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "webp": "image/webp", "heic": "image/heic", "ico": "image/x-icon", "pdf": "application/pdf",
    "zip": "application/zip", "gz": "application/gzip", "mp3": "audio/mpeg", "mp4": "video/mp4",
    "woff2": "font/woff2",
  ]
}
