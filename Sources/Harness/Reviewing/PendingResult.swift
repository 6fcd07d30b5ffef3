/// What a file would be if its differences were accepted, kept until somebody has decided.
///
/// As a file it begins with a line that binds it to the content it was made for; the whole new content
/// follows.
package struct PendingResult: Sendable, Equatable {
  /// The content that it was made for, by its hash.
  let base: UInt64
  /// The whole new file.
  let content: [UInt8]

  private static let opening = "#: pending for "

  /// Reads the bytes of a file; nil where they are no pending result.
  init?(bytes: [UInt8]) {
    guard bytes.starts(with: Self.opening.utf8), let end = bytes.firstIndex(of: .lineFeed) else {
      return nil
    }
    let digits = bytes[Self.opening.utf8.count..<end]
    guard digits.count == 16,
      let base = UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
    else { return nil }
    self.init(base: base, content: Array(bytes[(end + 1)...]))
  }

  init(base: UInt64, content: [UInt8]) {
    (self.base, self.content) = (base, content)
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    let digits = String(base, radix: 16)
    let zeros = String(repeating: "0", count: 16 - digits.count)
    return Array("\(Self.opening)\(zeros)\(digits)\n".utf8) + content
  }

  /// Whether it was made for this content.
  func fits(_ bytes: [UInt8]) -> Bool { base == FNV1a.hash(bytes) }
}
