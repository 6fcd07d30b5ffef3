import Testing

@testable import LineEditing

@Suite struct UTF8DecoderTests {
  @Test(arguments: ["a", "é", "日本語", "🙂", "\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"])
  func `valid characters are decoded unchanged`(text: String) {
    #expect(decode(Array(text.utf8)) == text)
  }

  @Test(
    arguments: [
      ([0xFF, 0x0A], "\u{FFFD}\n"),
      ([0x80, 0x0A], "\u{FFFD}\n"),
      ([0xC3, 0x0A], "\u{FFFD}\n"),
      ([0xE6, 0x97, 0x0A], "\u{FFFD}\n"),
      ([0xF0, 0x9F, 0x99, 0x0A], "\u{FFFD}\n"),
      ([0xE6, 0xC3, 0xA9], "\u{FFFD}é"),
      ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"),
      ([0xED, 0xA0, 0x80, 0x61], "\u{FFFD}\u{FFFD}\u{FFFD}a"),
      ([0xF5, 0x61], "\u{FFFD}a"),
    ] as [([UInt8], String)]
  )
  func `an invalid character does not affect the next one`(bytes: [UInt8], expected: String) {
    #expect(decode(bytes) == expected)
  }

  @Test func `every pair of bytes decodes as the standard library decodes it`() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let bytes = [first, second, 0x0A]
        #expect(decode(bytes) == String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  @Test func `a character is complete only after its last byte`() {
    var decoder = UTF8Decoder()
    decoder.feed(0xE6)
    decoder.feed(0x97)
    #expect(decoder.next() == nil)
    decoder.feed(0xA5)
    #expect(decoder.next() == "日")
  }

  @Test func `a reset drops an incomplete character`() {
    var decoder = UTF8Decoder()
    decoder.feed(0xE6)
    decoder.reset()
    decoder.feed(0x61)
    #expect(decoder.next() == "a")
  }

  private func decode(_ bytes: [UInt8]) -> String {
    var decoder = UTF8Decoder()
    var scalars = String.UnicodeScalarView()
    for byte in bytes {
      decoder.feed(byte)
      while let scalar = decoder.next() { scalars.append(scalar) }
    }
    return String(scalars)
  }
}
