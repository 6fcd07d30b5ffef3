import RehearsalBase

/// The format of a pending result: the content of a file with its differences accepted, and the content that it was
/// made for.
///
/// The stored file begins with a line that names the content it was made for; the whole new content follows. That line
/// also lists the failing commands, by their indexes in the file from 0. After a part was accepted, the line also has
/// the number of lines by which the rest has moved.
package struct PendingResult: Sendable, Equatable {
  /// The hash of the content that it was made for.
  let base: UInt64
  /// The whole new file.
  let content: [UInt8]
  /// For each difference, the offset from a line of the file to its line in the run; empty if no line has moved.
  let moved: [Int]
  /// Indexes of the commands of the file that fail and whose output would be accepted.
  let failing: [Int]

  private static let opening = "#: pending for "
  private static let moves = " moved "
  private static let fails = " failing "

  /// Parses the bytes of a file; nil if it is not a pending result.
  init?(bytes: [UInt8]) {
    guard bytes.starts(with: Self.opening.utf8), let end = bytes.firstIndex(of: .lineFeed) else {
      return nil
    }
    let words = String(decoding: bytes[Self.opening.utf8.count..<end], as: UTF8.self)
    guard words.utf8.count >= 16, let base = UInt64(words.prefix(16), radix: 16) else { return nil }
    var rest = words.dropFirst(16)
    guard let failing = Self.numbers(Self.fails, &rest),
      let moved = Self.numbers(Self.moves, &rest),
      rest.isEmpty
    else { return nil }
    self.init(base: base, content: Array(bytes[(end + 1)...]), moved: moved, failing: failing)
  }

  init(base: UInt64, content: [UInt8], moved: [Int] = [], failing: [Int] = []) {
    (self.base, self.content, self.failing) = (base, content, failing)
    self.moved = moved.contains { $0 != 0 } ? moved : []
  }

  /// Removes a word and the numbers after it from the front. Returns no numbers if the word is not there, and nil if
  /// anything else follows it.
  private static func numbers(_ word: String, _ words: inout Substring) -> [Int]? {
    guard words.hasPrefix(word) else { return [] }
    words = words.dropFirst(word.count)
    let text = words.prefix { $0 == " " || $0 == "-" || $0.isNumber }
    let end = text.last == " " ? text.dropLast() : text
    words = words.dropFirst(end.count)
    let numbers = end.split(separator: " ", omittingEmptySubsequences: false)
    let moved = numbers.compactMap { Int($0) }
    // No line can move farther than a file is long.
    let farthest = FileBytes.limitInBytes
    let isPossible = moved.allSatisfy { (-farthest...farthest).contains($0) }
    return moved.count == numbers.count && isPossible ? moved : nil
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    let text = { (word: String, numbers: [Int]) in
      numbers.isEmpty ? "" : word + numbers.map(String.init).joined(separator: " ")
    }
    let words = text(Self.fails, failing) + text(Self.moves, moved)
    return Array("\(Self.opening)\(FNV1a.digits(base))\(words)\n".utf8) + content
  }

  /// Returns whether it was made for a content.
  func fits(_ bytes: [UInt8]) -> Bool { base == FNV1a.hash(bytes) }
}
