import RehearsalBase

/// The words of a command for rewording it, with texts in quotes, objects and lists as one word each.
struct Words {
  let list: [String]

  /// Nil if a quote or a bracket is open, or if the text has a comment or several lines.
  init?(_ text: String) {
    var words: [String] = []
    let bytes = Array(text.utf8)
    var place = 0
    while place < bytes.count {
      let start = place
      switch bytes[place] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        place += 1
        continue
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "#"): return nil
      case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
        guard let end = Self.endOfValue(in: bytes, from: place) else { return nil }
        place = end
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: "|"): place += 1
      case let byte where Self.signs.contains(byte):
        while place < bytes.count, Self.signs.contains(bytes[place]) { place += 1 }
      default:
        while place < bytes.count, !" \t\n\r\"(),|=".utf8.contains(bytes[place]) { place += 1 }
        // 'feed: String', but not 'http://localhost'
        if place - start > 1, bytes[place - 1] == UInt8(ascii: ":") { place -= 1 }
      }
      words.append(String(decoding: bytes[start..<place], as: UTF8.self))
    }
    list = words
  }

  private static let signs = Array("=<>!-".utf8)

  private static func endOfValue(in bytes: [UInt8], from start: Int) -> Int? {
    var (depth, isInText, place) = (0, false, start)
    while place < bytes.count {
      let byte = bytes[place]
      if isInText, byte == UInt8(ascii: "\\") {
        place += 1
      } else if byte == UInt8(ascii: "\"") {
        isInText.toggle()
      } else if !isInText {
        if "{[".utf8.contains(byte) { depth += 1 }
        if "}]".utf8.contains(byte) { depth -= 1 }
      }
      place += 1
      if depth == 0, !isInText { return place }
    }
    return nil
  }

  /// The words of a call of Swift as those of a command: `feed.load("x")` as `load feed "x"`; nil if the text is no call.
  var withoutCalls: [String]? {
    guard let verb = list.first else { return nil }
    let isPipe = ["pipe", "publisher"].contains(verb)
    var words = list.enumerated().flatMap { index, word -> [String] in
      let parts = word.split(separator: ".").map(String.init)
      let isName = parts.allSatisfy { $0.utf8.first?.isLetter == true }
      guard isName, word.utf8.allSatisfy(\.isWordByte) else { return [word] }
      if isPipe, index > 2, word.contains("."), !WordChanges.isUnit(parts[0]) {
        return (word.hasPrefix(".") ? ["|"] : []) + parts.map { [$0] }.joined(separator: ["|"])
      }
      if parts.count == 2, index < 2, WordChanges.isFiller(parts[1]),
        index == 0 || !Self.usualFields.contains(parts[1])
      {
        return [parts[0]]
      }
      if parts.count == 2, index == 1 || index == 2 && list[1] == "(" {
        if StateSpec.words.contains(parts[1]) { return parts }
        if let state = WordChanges.state(in: parts[1]) { return [parts[0], state] }
      }
      // The verb comes first: 'load feed', not 'feed.load'.
      return parts.count != 2 || index > 1 ? [word] : index == 0 ? parts.reversed() : parts
    }
    words.removeAll { ["(", ")"].contains($0) || $0 == "," && !isPipe }
    guard words != list else { return nil }
    words = words.map { $0.count > 1 && $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    return words.isEmpty ? nil : words
  }

  /// Fillers that are more often fields of a value: `expect user.name is "Ann"`.
  private static let usualFields: Set = [
    "name", "type", "status", "code", "count", "time", "steps",
  ]

  /// Returns the text of these words.
  static func joined(_ words: [String]) -> String {
    var text = ""
    for (index, word) in words.enumerated() {
      let isClose = index == 0 || [",", ")", ":"].contains(word) || words[index - 1] == "("
      text += (isClose ? "" : " ") + word
    }
    return text
  }

  /// Returns the index of the word that has a byte of the text. The words were read from it. Their number for its end.
  func index(ofByte byte: Int, in text: String) -> Int {
    var rest = text[...]
    for (index, word) in list.enumerated() {
      guard let range = rest.firstRange(of: word) else { return 0 }
      if byte < text.utf8.distance(from: text.startIndex, to: range.upperBound) { return index }
      rest = rest[range.upperBound...]
    }
    return list.count
  }

  /// Returns the index of the word that has this byte of `joined(words)`; their number for its end.
  static func index(ofByte byte: Int, in words: [String]) -> Int {
    for index in words.indices where byte < joined(Array(words[...index])).utf8.count {
      return index
    }
    return words.count
  }
}
