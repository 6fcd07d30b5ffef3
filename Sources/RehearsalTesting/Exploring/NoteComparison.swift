/// The notes of two runs in one list: `-` marks lines of the default schedule only, `+` lines of the other run only.
struct NoteComparison {
  let lines: [String]

  /// The maximum number of lines.
  private static let mostLines = 40
  /// The number of equal lines before the first different one.
  private static let context = 3

  init(plain: [String], other: [String]) {
    let all = Self.merge(plain, other)
    let first = all.firstIndex { !$0.hasPrefix(" ") } ?? 0
    let start = all.count > Self.mostLines ? max(0, first - Self.context) : 0
    let shown = all[start...].prefix(Self.mostLines)
    let more = all.count - start - shown.count
    lines =
      (start > 0 ? ["  … \(start) before"] : []) + shown + (more > 0 ? ["  … \(more) more"] : [])
  }

  private static func merge(_ plain: [String], _ other: [String]) -> [String] {
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in other.difference(from: plain) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [String] = []
    var (before, after) = (0, 0)
    while before < plain.count || after < other.count {
      if removed.contains(before) {
        lines.append("- " + plain[before])
        before += 1
      } else if inserted.contains(after) {
        lines.append("+ " + other[after])
        after += 1
      } else {
        lines.append("  " + other[after])
        before += 1
        after += 1
      }
    }
    return lines
  }
}
