/// The canonical spelling of a command: one blank between words, JSON with a blank after each colon
/// and comma, durations with their short units.
///
/// Only text that the parser ignores changes, so the meaning is the same. A command with an error
/// does not change.
package struct Spelling: Equatable, Sendable {
  /// The command, with the same number of lines.
  package let text: String
  /// The original and the new text of each change, from the verb before it to the end of its line,
  /// for messages.
  package let replaced: [String]

  /// Returns the canonical spelling of a command.
  package init(of text: String, table: CommandTable) {
    var parser = Parser(text, table: table, marking: true)
    let isRead = !parser.isAtEnd && (try? parser.command()) != nil
    let edits = isRead ? SpellingEdits(parser).edits : []
    let spelt = Self.apply(edits, to: parser.bytes)
    guard !edits.isEmpty, Self.isRead(spelt, like: parser) else {
      (self.text, replaced) = (text, [])
      return
    }
    self.text = spelt
    replaced = edits.map { Self.surroundings(of: $0.range, in: parser) }
  }

  /// A change of the text; its range is in bytes.
  struct Edit {
    let range: Range<Int>
    let text: String
  }

  private static func apply(_ edits: [Edit], to bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    var copied = 0
    for edit in edits {
      result += bytes[copied..<edit.range.lowerBound] + Array(edit.text.utf8)
      copied = edit.range.upperBound
    }
    return String(decoding: result + bytes[copied...], as: UTF8.self)
  }

  private static func isRead(_ text: String, like first: Parser) -> Bool {
    var parser = Parser(text, table: first.table, marking: true)
    guard (try? parser.command()) != nil else { return false }
    return parser.marks?.map(\.role) == first.marks?.map(\.role)
  }

  /// Returns the line of a change, from the verb before it. It includes blanks at the end of the
  /// line.
  private static func surroundings(of range: Range<Int>, in parser: Parser) -> String {
    let bytes = parser.bytes
    let feed = UInt8(ascii: "\n")
    var start = bytes[..<range.lowerBound].lastIndex(of: feed).map { $0 + 1 } ?? 0
    for mark in parser.marks ?? []
    where mark.role == .verb && mark.range.lowerBound < range.upperBound {
      start = max(start, mark.range.lowerBound)
    }
    var end = bytes[range.upperBound...].firstIndex(of: feed) ?? bytes.count
    while end > range.upperBound, bytes[end - 1] <= 0x20 { end -= 1 }
    return String(decoding: bytes[min(start, range.lowerBound)..<end], as: UTF8.self)
  }
}
