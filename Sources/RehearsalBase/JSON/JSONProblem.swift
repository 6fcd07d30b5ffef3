/// Why a text is not JSON (RFC 8259), and where.
package struct JSONProblem: Error, Equatable, Sendable {
  package let reason: Reason
  /// The bytes that it is about; empty at the end of the text.
  package let range: Range<Int>

  package enum Reason: Equatable, Sendable {
    /// The text has no value.
    case empty
    /// No value begins here; the word that stands here instead, empty at the end of the text.
    case notAValue(String)
    case notANumber(String)
    /// The text ends inside a value, which begins at the start of the range.
    case unfinished(JSONCursor.Kind)
    case nestedTooDeep
    case controlCharacter
    case unknownEscape(String)
    /// Four hexadecimal digits do not follow `\u`.
    case malformedCodeUnit
    case loneSurrogate
    /// A field's name does not begin with a quote.
    case nameWithoutQuotes
    case missingColon
    /// Neither a comma nor this bracket comes next.
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

  /// A fact about the text, in lower case.
  package var sentence: String { reason.sentence }

  /// Whether the text ends in the middle of a value, so that more text could make it one.
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

  /// Line and column of an offset, from 1, the column in Unicode scalars.
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
    case .notANumber(let text): "'\(text)' is no number"
    case .unfinished(let kind): "the \(kind.rawValue) is never closed"
    case .nestedTooDeep: "nested deeper than \(JSONCursor.deepest) levels"
    case .controlCharacter: "a control character stands in a text"
    case .unknownEscape(let escape): "there is no escape '\(escape)'"
    case .malformedCodeUnit: "four hexadecimal digits follow '\\u'"
    case .loneSurrogate: "half of a surrogate pair"
    case .nameWithoutQuotes: "the name of a field stands in quotes"
    case .missingColon: "':' comes between name and value"
    case .missingSeparator(let close): "',' or '\(close)' comes here"
    case .repeatedName(let name): "the field '\(name)' is given twice"
    case .textAfterValue: "the value has ended here"
    case .notUTF8(let byte): "not UTF-8: byte \(String(byte, radix: 16))"
    case .wrongKind(let expected, let found):
      "expected \(expected.withArticle), found \(found.withArticle)"
    }
  }
}
