/// What a file would be if its differences were accepted, kept until somebody has decided.
///
/// As a file it begins with a line that binds it to the content it was made for; the whole new content
/// follows. After a part of it was accepted that line also says how far the lines of the rest have moved.
package struct PendingResult: Sendable, Equatable {
  /// The content that it was made for, by its hash.
  let base: UInt64
  /// The whole new file.
  let content: [UInt8]
  /// For each difference, what to add to a line of the file for the line that it had in the run; empty where
  /// all are as they were.
  let moved: [Int]

  private static let opening = "#: pending for "
  private static let moves = " moved "

  /// Reads the bytes of a file; nil where they are no pending result.
  init?(bytes: [UInt8]) {
    guard bytes.starts(with: Self.opening.utf8), let end = bytes.firstIndex(of: .lineFeed) else {
      return nil
    }
    let words = String(decoding: bytes[Self.opening.utf8.count..<end], as: UTF8.self)
    guard words.utf8.count >= 16, let base = UInt64(words.prefix(16), radix: 16),
      let moved = Self.moved(words.dropFirst(16))
    else { return nil }
    self.init(base: base, content: Array(bytes[(end + 1)...]), moved: moved)
  }

  init(base: UInt64, content: [UInt8], moved: [Int] = []) {
    (self.base, self.content) = (base, content)
    self.moved = moved.contains { $0 != 0 } ? moved : []
  }

  private static func moved(_ words: Substring) -> [Int]? {
    guard !words.isEmpty else { return [] }
    guard words.hasPrefix(moves) else { return nil }
    let numbers = words.dropFirst(moves.count).split(
      separator: " ",
      omittingEmptySubsequences: false
    )
    let moved = numbers.compactMap { Int($0) }
    // No line is moved farther than a file is long.
    let farthest = FileBytes.limitInBytes
    let isPossible = moved.allSatisfy { (-farthest...farthest).contains($0) }
    return moved.count == numbers.count && isPossible ? moved : nil
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    let digits = String(base, radix: 16)
    let zeros = String(repeating: "0", count: 16 - digits.count)
    let moves = moved.isEmpty ? "" : Self.moves + moved.map(String.init).joined(separator: " ")
    return Array("\(Self.opening)\(zeros)\(digits)\(moves)\n".utf8) + content
  }

  /// Whether it was made for this content.
  func fits(_ bytes: [UInt8]) -> Bool { base == FNV1a.hash(bytes) }
}
