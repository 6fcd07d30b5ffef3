/// Text put into JSON.
enum JSONText {
  /// What stands between the quotes of a string.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        result += (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A value: text that is JSON already as it is, other text as a string, and `null` for nothing.
  static func value(_ text: String?) -> String {
    guard let text else { return "null" }
    return JSONTree(Array(text.utf8)) == nil ? "\"\(escaped(text))\"" : text
  }
}
