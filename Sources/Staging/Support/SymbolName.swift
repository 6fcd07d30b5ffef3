import CVirtualTime
import LibC

/// Converts symbols of the executable to names for readers.
package enum SymbolName {
  private static let libraries = [
    "$s8Dispatch", "$sSo17OS_dispatch", "$s10Foundation", "$s20Foundation", "$sS", "$ss", "CF",
    "_CF", "__CF", "_Z", "swift_", "_dispatch_", "dispatch_", "$s11OpenCombine", "$s9Pipelines",
    "$s7Staging", "cvt_", "pthread_cond_", "nanosleep", "clock_nanosleep", "usleep", "sleep",
  ]

  /// Returns whether a mangled symbol belongs to a library, or to a function that the compiler made
  /// to convert between types of closures.
  package static func isOfLibrary(_ symbol: String) -> Bool {
    libraries.contains(where: symbol.hasPrefix) || symbol.hasSuffix("_TR")
      || symbol.hasSuffix("_TRTA")
  }

  /// Returns the type and the base name of a mangled symbol: `Model.refresh()`. A closure gets the
  /// name of the function that contains it.
  static func short(_ symbol: String) -> String {
    guard let text = demangled(symbol) else { return symbol + "()" }
    return short(demangled: text)
  }

  package static func short(demangled: String) -> String {
    let all = withoutPrivateScopes(demangled)
    var text = Substring(all)
    // "(1) suspend resume partial function for closure #1 () -> () in App.Model.refresh() -> ()"
    if let range = text.lastRange(of: " function for ") { text = text[range.upperBound...] }
    if text.hasPrefix("closure #"), let range = text.lastRange(of: " in ") {
      text = text[range.upperBound...]
    }
    // "(extension in App):Swift.Array.load(Swift.Int) -> ()"
    if text.hasPrefix("(extension in "), let colon = text.firstIndex(of: ":") {
      text = text[text.index(after: colon)...]
    }
    // "App.Model.value.getter : Swift.Int"
    if let colon = text.firstRange(of: " : ") { text = text[..<colon.lowerBound] }
    let hasParameters = text.contains("(")
    text = text.prefix { $0 != "(" && $0 != "<" }
    if let blank = text.lastIndex(of: " ") { text = text[text.index(after: blank)...] }
    if let dot = text.firstIndex(of: ".") { text = text[text.index(after: dot)...] }
    return hasParameters ? "\(text)()" : String(text)
  }

  /// Removes private discriminators: "App.(Model in _E3F…).refresh() -> ()" becomes
  /// "App.Model.refresh() -> ()".
  private static func withoutPrivateScopes(_ demangled: String) -> String {
    var text = ""
    var rest = demangled[...]
    while let scope = rest.firstRange(of: " in _") {
      guard let opening = rest[..<scope.lowerBound].lastIndex(of: "("),
        let closing = rest[scope.upperBound...].firstIndex(of: ")")
      else { break }
      text += rest[..<opening] + rest[rest.index(after: opening)..<scope.lowerBound]
      rest = rest[rest.index(after: closing)...]
    }
    return text + rest
  }

  private static func demangled(_ symbol: String) -> String? {
    guard let text = swiftDemangle(symbol, UInt(symbol.utf8.count), nil, nil, 0) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}

@_silgen_name("swift_demangle") private func swiftDemangle(
  _ name: UnsafePointer<CChar>,
  _ length: UInt,
  _ output: UnsafeMutablePointer<CChar>?,
  _ outputSize: UnsafeMutablePointer<UInt>?,
  _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

extension Substring {
  fileprivate func lastRange(of text: String) -> Range<Index>? {
    var last: Range<Index>?
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      last = range
      rest = rest[range.upperBound...]
    }
    return last
  }
}
