/// The hash of Fowler, Noll and Vo, variant 1a with 64 bits. It is the same on every machine.
///
/// It detects accidental differences of contents. It does not withstand an attacker.
package struct FNV1a: Sendable {
  /// The hash of the bytes so far.
  @usableFromInline package internal(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func combine(_ byte: UInt8) { combine(UInt64(byte)) }

  package mutating func combine(_ bytes: some Sequence<UInt8>) {
    // The compiler does not specialise this function for other modules, so the loop has a concrete type.
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { bytes in
      for byte in bytes { combine(byte) }
    }
    if isDone == nil { for byte in bytes { combine(byte) } }
  }

  /// Adds a number in one step, as if it were one byte.
  @inlinable package mutating func combine(_ number: UInt64) {
    value = (value ^ number) &* 0x0000_0100_0000_01B3
  }

  package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = FNV1a()
    hash.combine(bytes)
    return hash.value
  }

  /// Adds a text. Takes eight bytes in a step, because the text may be long.
  package mutating func combine(text: String) {
    var text = text
    text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      let whole = bytes.count & ~7
      for start in stride(from: 0, to: whole, by: 8) {
        let word = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian
        combine(word)
        // A step spreads only the lower bits of a number.
        combine(word.byteSwapped)
      }
      combine(bytes[whole...])
    }
  }

  /// Returns a digest of a text as eight hexadecimal digits.
  package static func shortDigest(of text: String) -> String {
    var hash = FNV1a()
    hash.combine(text: text)
    return hash.shortDigest
  }

  /// The hash as eight hexadecimal digits, for readers.
  package var shortDigest: String { String(Self.digits(value ^ value >> 32).suffix(8)) }

  /// A hash as sixteen hexadecimal digits.
  package static func digits(_ hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
