/// The shown parts of long lines in a difference: for two lines that belong together, the part around their first
/// difference.
struct LongLines {
  /// The shown part of each line; nil for lines that are short or have no counterpart.
  private(set) var pieces: [String?]

  /// Number of bytes that are shown before the first difference.
  private static let contextInBytes = 80

  private let limitInBytes: Int

  init(_ diff: [TranscriptFailure.DiffLine], limitInBytes: Int) {
    self.limitInBytes = limitInBytes
    pieces = diff.map { _ in nil }
    var (removed, added): ([Int], [Int]) = ([], [])
    for (index, line) in diff.enumerated() {
      if line.mark == .actual {
        added.append(index)
        continue
      }
      if line.mark == .same || !added.isEmpty {
        shorten(removed, added, of: diff)
        (removed, added) = ([], [])
      }
      if line.mark == .expected { removed.append(index) }
    }
    shorten(removed, added, of: diff)
  }

  private mutating func shorten(
    _ removed: [Int],
    _ added: [Int],
    of diff: [TranscriptFailure.DiffLine]
  ) {
    for (one, other) in zip(removed, added) {
      let (old, new) = (diff[one].text, diff[other].text)
      guard max(old.utf8.count, new.utf8.count) > limitInBytes else { continue }
      let start = Self.start(old, new)
      pieces[one] = piece(of: old, from: start)
      pieces[other] = piece(of: new, from: start)
    }
  }

  /// Returns a position shortly before the first byte in which two lines differ.
  private static func start(_ old: String, _ new: String) -> Int {
    let common = zip(old.utf8, new.utf8).prefix { $0 == $1 }.count
    return common <= contextInBytes * 2 ? 0 : common - contextInBytes
  }

  private func piece(of line: String, from start: Int) -> String {
    let bytes = line.utf8
    // Both lines have the same bytes up to there, so they are cut at the same character.
    let begin = bytes.dropFirst(start).drop { $0 & 0xC0 == 0x80 }
    let before = bytes.count - begin.count
    let shown = begin.prefix(limitInBytes)
    let text = String(decoding: shown, as: UTF8.self)
    let head = before == 0 ? "" : "(\(before) bytes) …"
    return head + text + (shown.count < begin.count ? "… (\(bytes.count) bytes)" : "")
  }
}
