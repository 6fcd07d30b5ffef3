/// Finds secrets after a telling name: `name=value`, quoted pairs, form fields, XML elements and HTML fields.
extension SecretFinder {
  private static let longestName = 100
  /// The minimum length of a name, as in `key` and `pin`. Minified code has many shorter names.
  private static let shortestName = 3

  // MARK: name=value, "name": "value"

  /// Finds a name, a separator at `index`, and a value.
  mutating func assignment(at index: Int) {
    guard language != .binary, let name = name(endingAt: index) else { return }
    if language == .form { return formField(name, at: index) }
    let value = index + 1 + text[(index + 1)...].prefix(8).prefix(while: \.isASCIISpace).count
    if let quoted = quoted(from: value) {
      guard name.isQuoted || name.strength == .certain || looksDrawn(quoted) else { return }
      return add(quoted, .field)
    }
    if isInURL(name.start), text[index] == UInt8(ascii: "=") {
      return add(bareValue(from: index + 1, until: "&;#)\\"), .query)
    }
    guard name.strength == .certain else { return }
    plainValue(bareValue(from: value, until: "&;#,)}](\\"))
  }

  private mutating func formField(_ name: Name, at index: Int) {
    guard name.start == 0 || text[name.start - 1] == UInt8(ascii: "&") else { return }
    add(index + 1..<(text[(index + 1)...].firstIndex(of: UInt8(ascii: "&")) ?? text.count), .field)
  }

  /// Finds `password: hunter2`, `Authorization: Bearer abc`.
  private mutating func plainValue(_ value: Range<Int>) {
    let word = String(decoding: text[value], as: UTF8.self).lowercased()
    if ["bearer", "basic", "digest", "token"].contains(word) {
      return add(bareValue(from: value.upperBound + 1, until: ",;\\"), .token)
    }
    let isCall = value.upperBound < text.count && text[value.upperBound] == UInt8(ascii: "(")
    if isCall || ["null", "true", "false", "undefined"].contains(word) { return }
    if language == .plain || looksDrawn(value) { add(value, .field) }
  }

  private struct Name {
    let start: Int
    let isQuoted: Bool
    let strength: SecretName.Strength
  }

  private func name(endingAt separator: Int) -> Name? {
    var end = separator
    while end > 0, separator - end < 8, text[end - 1] == 0x20 { end -= 1 }
    let isQuoted = end > 0 && Self.isQuote(text[end - 1])
    if isQuoted { end -= 1 }
    while isQuoted, end > 0, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
    var start = end
    while start > 0, end - start < Self.longestName, Self.isNameByte(text[start - 1]) { start -= 1 }
    guard end - start >= Self.shortestName,
      let strength = SecretName.strength(of: String(decoding: text[start..<end], as: UTF8.self))
    else { return nil }
    return Name(start: start, isQuoted: isQuoted, strength: strength)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "_-.[]%".utf8.contains(byte)
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private func isInURL(_ start: Int) -> Bool {
    start > 0 && "?&;#".utf8.contains(text[start - 1])
  }

  private func bareValue(from start: Int, until stops: String) -> Range<Int> {
    guard start < text.count else { return text.count..<text.count }
    let value = text[start...].prefix {
      !$0.isASCIISpace && !Self.isQuote($0) && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">")
        && !stops.utf8.contains($0)
    }
    return value.startIndex..<value.endIndex
  }

  /// Returns the range between quotes, which are escaped if the text is nested in another text.
  private func quoted(from start: Int) -> Range<Int>? {
    var index = start
    while index < text.count, text[index] == UInt8(ascii: "\\") { index += 1 }
    guard index < text.count, Self.isQuote(text[index]) else { return nil }
    let quote = text[index]
    let level = index - start
    let first = index + 1
    var slashes = 0
    for place in first..<max(first, text.count) {
      if text[place] == UInt8(ascii: "\\") {
        slashes += 1
      } else {
        if text[place] == quote, slashes == level || (level == 0 && slashes.isMultiple(of: 2)) {
          return first..<place - (level == 0 ? 0 : slashes)
        }
        slashes = 0
      }
    }
    return first..<max(first, text.count)
  }

  // MARK: Markup

  /// Finds `<password>…</password>`. The first tag ends at `index`.
  mutating func element(opened index: Int) {
    guard language != .binary, let tag = tag(endingAt: index) else { return }
    let name = text[tag].prefix { Self.isNameByte($0) || $0 == UInt8(ascii: ":") }
    guard SecretName.strength(of: String(decoding: name, as: UTF8.self)) == .certain else { return }
    let value = text[(index + 1)...].prefix { $0 != UInt8(ascii: "<") }
    if !value.allSatisfy(\.isASCIISpace) { add(value.startIndex..<value.endIndex, .field) }
  }

  /// Returns the range between `<` and the `>` at `index`.
  private func tag(endingAt index: Int) -> Range<Int>? {
    var start = index
    while start > 0, index - start < 2 * Self.longestName, text[start - 1] != UInt8(ascii: ">") {
      start -= 1
      guard text[start] == UInt8(ascii: "<") else { continue }
      return text[index - 1] == UInt8(ascii: "/") ? nil : start + 1..<index
    }
    return nil
  }

  /// Finds `<input name="csrf-token" value="…">` and `<meta name="csrf-token" content="…">`.
  mutating func field(at index: Int) {
    guard language != .binary, has("<input", at: index) || has("<meta", at: index) else { return }
    let tag = text[(index + 1)...].prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
    let attributes = attributes(in: tag)
    let isSecret = attributes.contains { attribute in
      ["name", "id", "property"].contains(attribute.name)
        && SecretName.strength(of: String(decoding: text[attribute.value], as: UTF8.self)) != nil
    }
    guard isSecret else { return }
    for attribute in attributes where ["value", "content"].contains(attribute.name) {
      add(attribute.value, .field)
    }
  }

  private func attributes(
    in tag: ArraySlice<UInt8>
  ) -> [(name: String, value: Range<Int>)] {
    var attributes: [(name: String, value: Range<Int>)] = []
    var index = tag.startIndex
    while let equals = tag[index...].firstIndex(of: UInt8(ascii: "=")) {
      let name = tag[index..<equals].reversed().prefix(while: \.isASCIILetter).reversed()
      let quoted = equals + 1 < tag.endIndex && Self.isQuote(text[equals + 1])
      let start = equals + (quoted ? 2 : 1)
      let value = tag[min(start, tag.endIndex)...].prefix {
        quoted ? $0 != text[equals + 1] : !$0.isASCIISpace && $0 != UInt8(ascii: "/")
      }
      attributes.append(
        (String(decoding: name, as: UTF8.self).lowercased(), value.startIndex..<value.endIndex)
      )
      index = min(value.endIndex + (quoted ? 1 : 0), tag.endIndex)
    }
    return attributes
  }
}
