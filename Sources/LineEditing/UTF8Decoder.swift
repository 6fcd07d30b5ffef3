/// Decodes bytes to characters, one at a time, from a terminal that may send invalid UTF-8.
///
/// A byte that cannot continue a sequence ends it as U+FFFD, and is then decoded as the start of the next one. So an
/// Enter after half a character is still an Enter.
struct UTF8Decoder {
  private var sequence: [UInt8] = []
  private var expected = 0
  private var decoded: [Unicode.Scalar] = []

  /// Removes and returns the next complete character.
  mutating func next() -> Unicode.Scalar? {
    decoded.isEmpty ? nil : decoded.removeFirst()
  }

  /// Adds a byte. It completes at most two characters: an invalid one and the next one.
  mutating func feed(_ byte: UInt8) {
    if !sequence.isEmpty {
      if continues(byte) {
        sequence.append(byte)
        if sequence.count == expected { finish() }
        return
      }
      replaceSequence()
    }
    begin(with: byte)
  }

  /// Drops all bytes and characters.
  mutating func reset() {
    sequence = []
    decoded = []
  }

  private mutating func begin(with byte: UInt8) {
    switch byte {
    case 0..<0x80: decoded.append(Unicode.Scalar(byte))
    case 0xC2..<0xE0: expect(2, after: byte)
    case 0xE0..<0xF0: expect(3, after: byte)
    case 0xF0..<0xF5: expect(4, after: byte)
    default: decoded.append("\u{FFFD}")
    }
  }

  private mutating func expect(_ count: Int, after byte: UInt8) {
    sequence = [byte]
    expected = count
  }

  /// Whether `byte` may come next. The second byte reveals overlong forms, surrogates and values above U+10FFFF.
  private func continues(_ byte: UInt8) -> Bool {
    guard sequence.count == 1 else { return 0x80..<0xC0 ~= byte }
    switch sequence[0] {
    case 0xE0: return 0xA0..<0xC0 ~= byte
    case 0xED: return 0x80..<0xA0 ~= byte
    case 0xF0: return 0x90..<0xC0 ~= byte
    case 0xF4: return 0x80..<0x90 ~= byte
    default: return 0x80..<0xC0 ~= byte
    }
  }

  private mutating func finish() {
    decoded.append(contentsOf: String(decoding: sequence, as: UTF8.self).unicodeScalars)
    sequence = []
  }

  private mutating func replaceSequence() {
    decoded.append("\u{FFFD}")
    sequence = []
  }
}
