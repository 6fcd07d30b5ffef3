/// Decides which bytes are digits, letters or part of a word of the command language.
extension UInt8 {
  package var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  package var isLetter: Bool {
    (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z")
  }

  /// Whether it is a byte of a name, a keyword, a number or a duration.
  package var isWordByte: Bool {
    isLetter || isDigit || self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
      || self == UInt8(ascii: ".")
  }

  /// The value of a hexadecimal digit.
  package var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the text begins like an expectation of Swift Testing. After a `#`, it is a comment for Rehearse, and its
  /// author may believe that it checks something.
  package var beginsSwiftExpectation: Bool {
    func begins(with word: StaticString) -> Bool {
      let length = word.utf8CodeUnitCount
      return count >= length && (0..<length).allSatisfy { self[$0] == word.utf8Start[$0] }
    }
    return begins(with: "#expect(") || begins(with: "#require(")
  }
}
