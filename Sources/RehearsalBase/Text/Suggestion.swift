/// Decides which possible word a mistyped word means: by its letters, or by the table of other tools' words.
package enum Suggestion {
  /// Returns the candidate nearest to `word`, if it is near enough to suggest or begins with `word`; the first of several
  /// equally near ones.
  package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased().unicodeScalars.prefix(longestCompared))
    let limit = max(1, typed.count / 3)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates where candidate != word {
      let other = Array(candidate.lowercased().unicodeScalars.prefix(longestCompared))
      let isBeginning = typed.count >= 3 && other.starts(with: typed)
      let distance = min(editDistance(typed, other), isBeginning ? limit : .max)
      if distance <= limit, distance < (best?.distance ?? .max) { best = (candidate, distance) }
    }
    return best?.candidate
  }

  /// Returns what to write instead of a word of another tool, or else the nearest candidate; nil if none is near enough.
  package static func meant(by word: String, in candidates: some Sequence<String>) -> String? {
    replacement(for: word, in: candidates) ?? nearest(to: word, in: candidates)
  }

  /// Returns what to write instead of a word of another tool or of an earlier version; nil if it is not known.
  package static func replacement(
    for word: String,
    in candidates: some Sequence<String>
  ) -> String? { OtherWords.proposal(for: word, in: candidates) }

  /// Returns what may be written instead of a word of another tool, as words; empty if it is not known.
  package static func replacements(for word: String) -> [[String]] {
    (OtherWords.meanings[word.lowercased()] ?? []).compactMap(\.literalWords)
  }

  /// Whether another tool or an earlier version has a meaning for a word.
  package static func isOtherWord(_ word: String) -> Bool {
    OtherWords.meanings[word.lowercased()] != nil
  }

  /// Returns a hint with what was probably meant; nil if nothing is near enough.
  package static func hint(for word: String, in candidates: some Sequence<String>) -> String? {
    meant(by: word, in: candidates).map { "did you mean '\($0)'?" }
  }

  /// Whether `word` is `meant` with another case and at most two typing errors.
  package static func isMisspelt(_ word: String, for meant: String) -> Bool {
    let typed = Array(word.lowercased().unicodeScalars.prefix(longestCompared))
    return editDistance(typed, Array(meant.lowercased().unicodeScalars)) <= 2
  }

  private static let longestCompared = 64

  /// The number of insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
  private static func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(
          previous[j + 1] + 1,
          row[j] + 1,
          previous[j] + (a[i] == b[j] ? 0 : 1)
        )
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, beforePrevious[j - 1] + 1)
        }
        row.append(least)
      }
      beforePrevious = previous
      previous = row
    }
    return previous[b.count]
  }
}
