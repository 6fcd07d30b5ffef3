import LibC
import RehearsalBase

/// The kinds of HTML blocks, by how they begin (CommonMark 0.31.2, "HTML blocks").
enum HTMLBlock: Equatable {
  /// `<script>`, `<pre>` and others, up to the closing tag of one of them.
  case raw
  case comment, instruction, declaration, data
  /// The tag of a block element, up to a blank line.
  case element
  /// Any other tag alone on its line, up to a blank line.
  case tag

  /// Creates the block that begins with the next text of a line; nil if none does.
  init?(_ cursor: LineCursor) {
    guard cursor.next == UInt8(ascii: "<") else { return nil }
    let text = HTMLText(cursor.buffer, cursor.text)
    if text.begins("<!--") {
      self = .comment
    } else if text.begins("<?") {
      self = .instruction
    } else if text.begins("<![CDATA[") {
      self = .data
    } else if text.begins("<!"), text.isLetter(2) {
      self = .declaration
    } else if text.beginsRaw {
      self = .raw
    } else if text.beginsElement {
      self = .element
    } else if text.isTag {
      self = .tag
    } else {
      return nil
    }
  }

  /// Whether only a blank line ends it.
  var endsAtBlank: Bool { self == .element || self == .tag }

  /// Whether it ends in this line, which belongs to it.
  func ends(in cursor: LineCursor) -> Bool {
    let text = HTMLText(cursor.buffer, cursor.text)
    switch self {
    case .comment: return text.contains("-->")
    case .instruction: return text.contains("?>")
    case .declaration: return text.contains(">")
    case .data: return text.contains("]]>")
    case .raw: return text.containsRawEnd
    case .element, .tag: return false
    }
  }
}

/// A part of a line that may be HTML.
private struct HTMLText {
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ buffer: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    bytes = UnsafeBufferPointer(rebasing: buffer[range])
  }

  private static let rawNames: Set<String> = ["script", "pre", "style", "textarea"]
  private static let elementNames: Set<String> = [
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center",
    "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset",
    "figcaption",
    "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head",
    "header", "hr", "html", "iframe", "legend", "li", "link", "main", "menu", "menuitem", "nav",
    "noframes", "ol", "optgroup", "option", "p", "param", "search", "section", "summary", "table",
    "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
  ]

  func begins(_ words: StaticString) -> Bool { isAt(0, words) }

  private func isAt(_ place: Int, _ words: StaticString) -> Bool {
    guard place >= 0, place + words.utf8CodeUnitCount <= bytes.count, let base = bytes.baseAddress
    else { return false }
    return memcmp(base + place, words.utf8Start, words.utf8CodeUnitCount) == 0
  }

  /// Whether it contains words that end in `>`.
  func contains(_ words: StaticString) -> Bool {
    places(of: UInt8(ascii: ">")) { isAt($0 + 1 - words.utf8CodeUnitCount, words) }
  }

  var containsRawEnd: Bool {
    places(of: UInt8(ascii: "<")) { place in
      guard isAt(place, "</") else { return false }
      let end = nameEnd(place + 2)
      return byte(end) == UInt8(ascii: ">") && Self.rawNames.contains(name(place + 2..<end))
    }
  }

  private func places(of byte: UInt8, _ isFound: (Int) -> Bool) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var start = 0
    while let found = memchr(base + start, Int32(byte), bytes.count - start) {
      let place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if isFound(place) { return true }
      start = place + 1
    }
    return false
  }

  private func byte(_ place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

  func isLetter(_ place: Int) -> Bool {
    byte(place).map { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
      ?? false
  }

  private func isDigit(_ place: Int) -> Bool {
    byte(place).map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false
  }

  private func isBlank(_ place: Int) -> Bool {
    byte(place).map { $0 == .space || (9...13).contains($0) } ?? false
  }

  /// Returns where the letters and digits end that begin at a position. Stops after the longest known name.
  private func nameEnd(_ start: Int) -> Int {
    var end = start
    while end - start < 12, isLetter(end) || isDigit(end) { end += 1 }
    return end
  }

  private func name(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self).lowercased()
  }

  var beginsRaw: Bool {
    let end = nameEnd(1)
    return (end == bytes.count || isBlank(end) || byte(end) == UInt8(ascii: ">"))
      && Self.rawNames.contains(name(1..<end))
  }

  var beginsElement: Bool {
    let start = byte(1) == UInt8(ascii: "/") ? 2 : 1
    let end = nameEnd(start)
    return
      (end == bytes.count || isBlank(end) || byte(end) == UInt8(ascii: ">") || isAt(end, "/>"))
      && Self.elementNames.contains(name(start..<end))
  }

  /// Whether it consists of one tag and spaces.
  var isTag: Bool {
    let isClosing = byte(1) == UInt8(ascii: "/")
    var place = isClosing ? 2 : 1
    guard isLetter(place) else { return false }
    while isLetter(place) || isDigit(place) || byte(place) == UInt8(ascii: "-") { place += 1 }
    if !isClosing {
      while let end = attributeEnd(place) { place = end }
    }
    place = blanksEnd(place)
    if !isClosing, byte(place) == UInt8(ascii: "/") { place += 1 }
    return byte(place) == UInt8(ascii: ">") && blanksEnd(place + 1) == bytes.count
  }

  private func blanksEnd(_ start: Int) -> Int {
    var place = start
    while isBlank(place) { place += 1 }
    return place
  }

  /// Returns where an attribute after a space ends; nil if there is none.
  private func attributeEnd(_ start: Int) -> Int? {
    var place = blanksEnd(start)
    guard place > start, isLetter(place) || isOne(of: "_:", place) else { return nil }
    while isLetter(place) || isDigit(place) || isOne(of: "_:.-", place) { place += 1 }
    let sign = blanksEnd(place)
    guard byte(sign) == UInt8(ascii: "=") else { return place }
    let value = blanksEnd(sign + 1)
    if let quote = byte(value), isOne(of: "\"'", value) {
      var end = value + 1
      while let next = byte(end), next != quote { end += 1 }
      return end < bytes.count ? end + 1 : nil
    }
    var end = value
    while let next = byte(end), next > .space, !isOne(of: "\"'=<>`", end) { end += 1 }
    return end > value ? end : nil
  }

  private func isOne(of signs: StaticString, _ place: Int) -> Bool {
    guard let byte = byte(place) else { return false }
    return signs.withUTF8Buffer { $0.contains(byte) }
  }
}
