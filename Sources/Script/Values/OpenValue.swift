/// A JSON value of which the end has not come yet, read piece by piece.
///
/// It agrees with `JSONReader`, which needs the whole text: what that calls unfinished is `open`
/// here, and any mistake is `broken`. Each byte is looked at once, however many lines there are.
struct OpenValue {
  /// How the value stands after the pieces so far, each of which ended with its line.
  enum Progress { case open, closed, broken }

  /// What may come next in the innermost bracket.
  private enum Place { case value, valueOrEnd, field, fieldOrEnd, colon, separator }

  private enum Bracket {
    case array
    case object(FieldNames)
  }

  private var brackets: [Bracket] = []
  private var place = Place.value
  private var openText: OpenText?

  /// Reads on. After `closed` or `broken` there is nothing more to read.
  mutating func read(_ piece: ArraySlice<UInt8>) -> Progress {
    var bytes = Array(piece)
    // The rest of a text reads like a text of its own.
    if openText != nil { bytes.insert(UInt8(ascii: "\""), at: 0) }
    var reader = JSONReader(bytes: bytes, position: 0)
    while true {
      if openText == nil { reader.skipSpace() }
      guard reader.position < bytes.count else { return .open }
      let progress = step(&reader)
      if progress != .open || openText != nil { return progress }
      if brackets.isEmpty { return .closed }
    }
  }

  private mutating func step(_ reader: inout JSONReader) -> Progress {
    let byte = reader.bytes[reader.position]
    if let openText { return text(&reader, isName: openText.isName) }
    switch (place, byte) {
    case (.value, UInt8(ascii: "[")), (.valueOrEnd, UInt8(ascii: "[")):
      return enter(.array, .valueOrEnd, &reader)
    case (.value, UInt8(ascii: "{")), (.valueOrEnd, UInt8(ascii: "{")):
      return enter(.object(FieldNames()), .fieldOrEnd, &reader)
    case (.valueOrEnd, UInt8(ascii: "]")), (.fieldOrEnd, UInt8(ascii: "}")):
      return leave(&reader)
    case (.value, UInt8(ascii: "\"")), (.valueOrEnd, UInt8(ascii: "\"")):
      return text(&reader, isName: false)
    case (.field, UInt8(ascii: "\"")), (.fieldOrEnd, UInt8(ascii: "\"")):
      return text(&reader, isName: true)
    case (.value, _), (.valueOrEnd, _):
      // A number or a word, which stands in one line.
      guard (try? reader.value()) != nil else { return .broken }
      place = .separator
      return .open
    case (.colon, UInt8(ascii: ":")):
      reader.position += 1
      place = .value
      return .open
    case (.separator, _): return separator(byte, &reader)
    case (.field, _), (.fieldOrEnd, _), (.colon, _): return .broken
    }
  }

  private mutating func enter(
    _ bracket: Bracket,
    _ inside: Place,
    _ reader: inout JSONReader
  ) -> Progress {
    guard brackets.count < JSONReader.deepest else { return .broken }
    brackets.append(bracket)
    place = inside
    reader.position += 1
    return .open
  }

  private mutating func leave(_ reader: inout JSONReader) -> Progress {
    brackets.removeLast()
    place = .separator
    reader.position += 1
    return .open
  }

  private mutating func separator(_ byte: UInt8, _ reader: inout JSONReader) -> Progress {
    switch (brackets.last, byte) {
    case (.array?, UInt8(ascii: "]")), (.object?, UInt8(ascii: "}")): return leave(&reader)
    case (.array?, UInt8(ascii: ",")): place = .value
    case (.object?, UInt8(ascii: ",")): place = .field
    default: return .broken
    }
    reader.position += 1
    return .open
  }

  /// Reads a text, or the rest of one, as far as it goes.
  private mutating func text(_ reader: inout JSONReader, isName: Bool) -> Progress {
    if openText?.endsInBackslash == true { return .broken }
    let start = reader.position + 1
    var text = openText ?? OpenText(isName: isName)
    do throws(Diagnostic) {
      _ = try reader.string()
    } catch {
      guard case .unfinished = error.problem else { return .broken }
      text.add(reader.bytes[start...])
      openText = text
      reader.position = reader.bytes.count
      return .open
    }
    openText = nil
    place = text.isName ? .colon : .separator
    guard text.isName else { return .open }
    text.add(reader.bytes[start..<reader.position - 1])
    return insert(text.written) ? .open : .broken
  }

  /// Notes a field's name, given as it is written; false where the object has it already.
  private mutating func insert(_ written: [UInt8]) -> Bool {
    var reader = JSONReader(
      bytes: [UInt8(ascii: "\"")] + written + [UInt8(ascii: "\"")],
      position: 0
    )
    guard case .object(var names)? = brackets.popLast(), let name = try? reader.string() else {
      return false
    }
    defer { brackets.append(.object(names)) }
    return names.insert(name)
  }
}

/// A text of which the closing quote has not come yet.
private struct OpenText {
  /// Whether it is a field's name.
  let isName: Bool
  /// The name as it is written, without the quotes; of other texts nothing is kept.
  private(set) var written: [UInt8] = []
  /// Whether it ends in the middle of an escape, which no line break may follow.
  private(set) var endsInBackslash = false

  init(isName: Bool) {
    self.isName = isName
  }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    let backslashes = bytes.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
    endsInBackslash = !backslashes.isMultiple(of: 2)
    if isName { written += bytes }
  }
}
