/// Why a text is not JSON (RFC 8259), and where.
package struct JSONProblem: Error, Equatable, Sendable {
  package let reason: Reason
  /// The bytes with the problem; empty at the end of the text.
  package let range: Range<Int>

  package enum Reason: Equatable, Sendable {
    /// The text has no value.
    case empty
    /// No value begins here, but this word does; it is empty at the end of the text.
    case notAValue(String)
    case notANumber(String)
    /// The text ends inside a value, which begins at the start of the range.
    case unfinished(JSONCursor.Kind)
    case nestedTooDeep
    case controlCharacter
    case unknownEscape(String)
    /// `\u` is not followed by four hexadecimal digits.
    case malformedCodeUnit
    case loneSurrogate
    /// A field's name does not begin with a quote.
    case nameWithoutQuotes
    case missingColon
    /// Neither a comma nor this bracket follows.
    case missingSeparator(close: Unicode.Scalar)
    case repeatedName(String)
    /// There is more text after the value.
    case textAfterValue
    case notUTF8(UInt8)
    /// A value of another kind is needed.
    case wrongKind(expected: JSONCursor.Kind, found: JSONCursor.Kind)
  }

  package init(_ reason: Reason, at range: Range<Int>) {
    self.reason = reason
    self.range = range
  }

  /// The problem as text, in lower case.
  package var sentence: String { reason.sentence }

  /// Whether the text ends in the middle of a value, so that more text could complete it.
  package func isCutOff(in bytes: [UInt8]) -> Bool {
    switch reason {
    case .unfinished, .notAValue(""): true
    case .notAValue(let word):
      range.upperBound == bytes.count
        && ["true", "false", "null"].contains { $0.hasPrefix(word) }
    case .notANumber(let text):
      range.upperBound == bytes.count && text.last.map { !$0.isWholeNumber } == true
    default: false
    }
  }

  /// Returns line and column of an offset, both from 1. The column counts Unicode scalars.
  package static func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    let before = bytes[..<min(offset, bytes.count)]
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return (
      before.count { $0 == 0x0A } + 1,
      before[start...].count { $0 & 0xC0 != 0x80 } + 1
    )
  }
}

extension JSONProblem.Reason {
  package var sentence: String {
    switch self {
    case .empty: "nothing"
    case .notAValue(""): "expected a JSON value, but the text ends here"
    case .notAValue(let word): "expected a JSON value, but found '\(word)'"
    case .notANumber(let text): "'\(text)' is not a number"
    case .unfinished(let kind): "the \(kind.rawValue) is never closed"
    case .nestedTooDeep: "nested deeper than \(JSONCursor.deepest) levels"
    case .controlCharacter: "a text contains a control character"
    case .unknownEscape(let escape): "there is no escape '\(escape)'"
    case .malformedCodeUnit: "'\\u' must be followed by four hexadecimal digits"
    case .loneSurrogate: "half of a surrogate pair"
    case .nameWithoutQuotes: "a field name must be in quotes"
    case .missingColon: "expected ':' between name and value"
    case .missingSeparator(let close): "expected ',' or '\(close)'"
    case .repeatedName(let name): "the field '\(name)' is given twice"
    case .textAfterValue: "unexpected text after the value"
    case .notUTF8(let byte): "not UTF-8: byte \(String(byte, radix: 16))"
    case .wrongKind(let expected, let found):
      "expected \(expected.withArticle), found \(found.withArticle)"
    }
  }
}
