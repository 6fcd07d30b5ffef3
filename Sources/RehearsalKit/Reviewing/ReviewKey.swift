/// A key of the terminal.
enum ReviewKey: Equatable {
  case letter(Character, isControl: Bool)
  case up, down, pageUp, pageDown, escape
  case other

  static func letter(_ letter: Character) -> ReviewKey { .letter(letter, isControl: false) }

  /// Returns the keys in bytes that were read at once.
  static func keys(in bytes: [UInt8]) -> [ReviewKey] {
    var keys: [ReviewKey] = []
    var rest = bytes[...]
    while let first = rest.first {
      if first == 0x1B {
        keys.append(escape(&rest))
      } else {
        rest = rest.dropFirst()
        keys.append(key(first))
      }
    }
    return keys
  }

  private static func key(_ byte: UInt8) -> ReviewKey {
    switch byte {
    case 0x01...0x1A: .letter(Character(Unicode.Scalar(byte + 0x60)), isControl: true)
    case 0x20...0x7E: .letter(Character(Unicode.Scalar(byte)))
    default: .other
    }
  }

  /// Takes an escape sequence, or the key Escape if none follows.
  private static func escape(_ rest: inout ArraySlice<UInt8>) -> ReviewKey {
    rest = rest.dropFirst()
    guard let opening = rest.first, opening == UInt8(ascii: "[") || opening == UInt8(ascii: "O")
    else {
      return .escape
    }
    rest = rest.dropFirst()
    let parameters = rest.prefix { !(0x40...0x7E).contains($0) }
    rest = rest[parameters.endIndex...]
    let letter = rest.popFirst()
    switch (letter, String(decoding: parameters, as: UTF8.self)) {
    case (UInt8(ascii: "A"), _): return .up
    case (UInt8(ascii: "B"), _): return .down
    case (UInt8(ascii: "~"), "5"): return .pageUp
    case (UInt8(ascii: "~"), "6"): return .pageDown
    default: return .other
    }
  }
}
