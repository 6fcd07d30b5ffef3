import RehearsalBase

/// An incomplete JSON value, read piece by piece.
///
/// It agrees with `JSONCursor.value`, which needs the whole text: an unfinished value is `open`
/// here, and any mistake is `broken`. It reads each byte once, for any number of lines.
struct OpenValue {
  /// The state of the value after the pieces so far. Each piece is a line.
  enum Progress { case open, closed, broken }

  /// The tokens that may come next in the innermost bracket.
  private enum NextToken { case value, valueOrEnd, field, fieldOrEnd, colon, separator }

  private enum Bracket {
    case array
    case object(FieldNames)
  }

  private var brackets: [Bracket] = []
  private var place = NextToken.value
  private var openText: OpenText?

  /// Reads another piece. After `closed` or `broken` it must not be called.
  mutating func read(_ piece: ArraySlice<UInt8>) -> Progress {
    var bytes = Array(piece)
    // The rest of a text is read like a new text.
    if openText != nil { bytes.insert(UInt8(ascii: "\""), at: 0) }
    var cursor = JSONCursor(bytes, at: 0, textsMaySpanLines: true)
    while true {
      if openText == nil { cursor.skipSpace() }
      guard cursor.position < bytes.count else { return .open }
      let progress = step(&cursor)
      if progress != .open || openText != nil { return progress }
      if brackets.isEmpty { return .closed }
    }
  }

  private mutating func step(_ cursor: inout JSONCursor) -> Progress {
    let byte = cursor.bytes[cursor.position]
    if let openText { return text(&cursor, isName: openText.isName) }
    switch (place, byte) {
    case (.value, UInt8(ascii: "[")), (.valueOrEnd, UInt8(ascii: "[")):
      return enter(.array, .valueOrEnd, &cursor)
    case (.value, UInt8(ascii: "{")), (.valueOrEnd, UInt8(ascii: "{")):
      return enter(.object(FieldNames()), .fieldOrEnd, &cursor)
    case (.valueOrEnd, UInt8(ascii: "]")), (.fieldOrEnd, UInt8(ascii: "}")):
      return leave(&cursor)
    case (.value, UInt8(ascii: "\"")), (.valueOrEnd, UInt8(ascii: "\"")):
      return text(&cursor, isName: false)
    case (.field, UInt8(ascii: "\"")), (.fieldOrEnd, UInt8(ascii: "\"")):
      return text(&cursor, isName: true)
    case (.value, _), (.valueOrEnd, _):
      // A number or a word, which cannot continue in another line.
      guard (try? cursor.value()) != nil else { return .broken }
      place = .separator
      return .open
    case (.colon, UInt8(ascii: ":")):
      cursor.position += 1
      place = .value
      return .open
    case (.separator, _): return separator(byte, &cursor)
    case (.field, _), (.fieldOrEnd, _), (.colon, _): return .broken
    }
  }

  private mutating func enter(
    _ bracket: Bracket,
    _ inside: NextToken,
    _ cursor: inout JSONCursor
  ) -> Progress {
    guard brackets.count < JSONCursor.deepest else { return .broken }
    brackets.append(bracket)
    place = inside
    cursor.position += 1
    return .open
  }

  private mutating func leave(_ cursor: inout JSONCursor) -> Progress {
    brackets.removeLast()
    place = .separator
    cursor.position += 1
    return .open
  }

  private mutating func separator(_ byte: UInt8, _ cursor: inout JSONCursor) -> Progress {
    switch (brackets.last, byte) {
    case (.array?, UInt8(ascii: "]")), (.object?, UInt8(ascii: "}")): return leave(&cursor)
    case (.array?, UInt8(ascii: ",")): place = .value
    case (.object?, UInt8(ascii: ",")): place = .field
    default: return .broken
    }
    cursor.position += 1
    return .open
  }

  /// Reads a text, or the rest of one, as far as possible.
  private mutating func text(_ cursor: inout JSONCursor, isName: Bool) -> Progress {
    if openText?.isBroken == true { return .broken }
    let start = cursor.position + 1
    var text = openText ?? OpenText(isName: isName)
    do throws(JSONProblem) {
      let token = try cursor.stringToken()
      if !text.isName { _ = try cursor.strictText(of: token) }
    } catch {
      guard case .unfinished = error.reason else { return .broken }
      let isWhole = (try? cursor.strictText(of: start - 1..<cursor.position + 1)) != nil
      // A line break must not follow the beginning of an escape.
      text.add(
        cursor.bytes[start...],
        isBroken: !isWhole || cursor.position < cursor.bytes.count
      )
      openText = text
      cursor.position = cursor.bytes.count
      return .open
    }
    openText = nil
    place = text.isName ? .colon : .separator
    guard text.isName else { return .open }
    text.add(cursor.bytes[start..<cursor.position - 1], isBroken: false)
    return insert(text.written) ? .open : .broken
  }

  /// Notes a field's name as written. Returns false if the object already has it.
  private mutating func insert(_ written: [UInt8]) -> Bool {
    let name = [UInt8(ascii: "\"")] + written + [UInt8(ascii: "\"")]
    var cursor = JSONCursor(name, at: 0, textsMaySpanLines: true)
    guard case .object(var names)? = brackets.popLast(), let token = try? cursor.stringToken(),
      let name = try? cursor.strictText(of: token)
    else { return false }
    defer { brackets.append(.object(names)) }
    return names.insert(name)
  }
}

/// A text without its closing quote so far.
private struct OpenText {
  /// Whether it is a field's name.
  let isName: Bool
  /// The name as written, without the quotes; other texts are not kept.
  private(set) var written: [UInt8] = []
  /// Whether no more text can complete it.
  private(set) var isBroken = false

  init(isName: Bool) {
    self.isName = isName
  }

  mutating func add(_ bytes: ArraySlice<UInt8>, isBroken: Bool) {
    self.isBroken = isBroken
    if isName { written += bytes }
  }
}
