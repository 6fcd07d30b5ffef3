import RehearsalBase

/// A guess about bytes that are not the expected content.
struct ContentGuess {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes.drop { $0 <= 0x20 }
  }

  /// HTML or XML; nil for other content.
  var markup: String? {
    let start = String(decoding: bytes.prefix(512), as: UTF8.self).lowercased()
    if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return "HTML" }
    if start.hasPrefix("<svg") || (start.hasPrefix("<?xml") && start.contains("<svg")) {
      return "SVG"
    }
    return start.hasPrefix("<?xml") ? "XML" : nil
  }

  /// One or two words, or the first bytes.
  var words: String {
    if bytes.isEmpty { return "nothing" }
    if bytes.starts(with: "%PDF-".utf8) { return "PDF" }
    if let markup { return markup }
    if bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "["),
      (try? JSONValue(json: Array(bytes), repeatedNames: .kept)) != nil
    {
      return "JSON"
    }
    return isText ? "text" : "bytes \(hexadecimal(bytes.prefix(8)))"
  }

  private var isText: Bool {
    guard let text = String(validating: bytes.prefix(64), as: UTF8.self) else { return false }
    return !text.unicodeScalars.contains {
      $0.value < 0x20 && !"\t\n\r".unicodeScalars.contains($0)
    }
  }
}
