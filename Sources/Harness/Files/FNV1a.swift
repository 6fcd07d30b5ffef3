/// The hash of Fowler, Noll and Vo, in its variant 1a with 64 bits: the same on every machine, on every day.
///
/// It tells contents apart that differ by accident. It does not withstand somebody who tries.
enum FNV1a {
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  /// Returns a hash as sixteen hexadecimal digits.
  static func digits(_ hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
