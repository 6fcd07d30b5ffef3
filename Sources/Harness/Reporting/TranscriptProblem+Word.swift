/// Kinds of problems by a word, for reports that programs read.
extension TranscriptProblem {
  private static let words: [Int: String] = [
    0: "differs", 1: "tooLong", 2: "stray", 3: "endedEarly", 4: "crashed", 5: "exited", 6: "slow",
    7: "unstable", 8: "noCommand", 9: "noFence", 10: "noTranscript",
    11: "tooMuchMemory", 12: "outOfTime", 13: "otherOutput", 14: "overflowed",
    20: "missing", 21: "notPermitted", 22: "symlinkLoop", 23: "folder", 24: "notAFile",
    25: "notUTF8", 26: "tooLarge", 27: "diskFull", 28: "readOnly", 29: "system", 30: "notEmpty",
    31: "changed",
  ]

  /// The word for a kind as `parts` numbers it.
  static func word(for kind: Int) -> String { words[kind] ?? "problem\(kind)" }

  /// The kind that a word stands for.
  static func kind(of word: String) -> Int? {
    if let known = words.first(where: { $0.value == word }) { return known.key }
    guard word.hasPrefix("problem") else { return nil }
    return Int(word.dropFirst("problem".count))
  }
}
