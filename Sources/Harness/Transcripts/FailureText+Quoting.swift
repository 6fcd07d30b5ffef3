import RehearsalBase

extension FailureText {
  /// A path as a shell wants it typed; what a terminal would obey is spelt out.
  package static func quoted(_ path: String) -> String {
    let isOption = path.utf8.first == UInt8(ascii: "-")
    let needsEscape = path.unicodeScalars.contains(where: \.needsEscape)
    if path.utf8.allSatisfy(isPlain), !isOption, !needsEscape { return path }
    let path = isOption ? "./" + path : path
    if needsEscape { return spelt(path) }
    let inner = path.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''")
    return "'\(inner)'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }

  /// In the quotes that know escapes: POSIX has them since 2024, and shells for long.
  private static func spelt(_ path: String) -> String {
    var text = ""
    for scalar in path.unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "'", "\\": text += "\\\(scalar)"
      default: text += scalar.needsEscape ? bytes(scalar) : String(scalar)
      }
    }
    return "$'\(text)'"
  }

  private static func bytes(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf8.map { "\\x" + ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
