/// Kinds of problems by a word, for reports that programs read.
extension TranscriptProblem {
  private static let words: [Int: String] = [
    0: "differs", 1: "tooLong", 3: "endedEarly", 4: "crashed", 5: "exited", 6: "slow",
    7: "unstable", 8: "noCommand", 9: "noFence",
    11: "tooMuchMemory", 12: "outOfTime", 13: "otherOutput", 14: "overflowed",
    15: "needsShelter", 16: "unread", 17: "unperformed", 18: "unreadFixture",
    20: "missing", 21: "notPermitted", 22: "symlinkLoop", 23: "folder", 24: "notAFile",
    25: "notUTF8", 26: "tooLarge", 27: "diskFull", 28: "readOnly", 29: "system", 30: "notEmpty",
    31: "changed", 32: "nameNotUTF8", 33: "notWritable", 34: "exists", 35: "noFolder",
    36: "noTranscript", 37: "danglingLink",
  ]

  /// Lines that mean nothing, by their number in `parts`.
  private static let strayWords: [Int: String] = [
    0: "conflictMarker", 1: "unindented", 2: "indentedByTab", 3: "indentedByOne",
    4: "joinedPrompt", 5: "continuationAlone", 6: "outputAlone", 7: "carriageReturns",
    8: "fence", 9: "script", 10: "carriageReturn",
    100: "outsideFixture", 101: "repeatedFixture", 102: "conflict",
  ]

  /// The problem as a word, with what the word leaves open: a number that is 0, a text that is empty
  /// where there is no more to say.
  var spelling: (word: String, number: Int, text: String) {
    let parts = parts
    guard case .stray(let line) = self else {
      return (Self.words[parts.kind] ?? "problem", parts.number, parts.text)
    }
    let word = Self.strayWords[parts.number] ?? "stray"
    if case .conflict(let lastLine) = line { return (word, lastLine, "") }
    return (word, 0, parts.text)
  }

  /// Reads what `spelling` says; nil where no problem is called so.
  init?(word: String, number: Int, text: String) {
    if let stray = Self.strayWords.first(where: { $0.value == word })?.key {
      self.init(kind: 2, number: stray, text: word == "conflict" ? "\(number)" : text)
    } else if let kind = Self.words.first(where: { $0.value == word })?.key {
      self.init(kind: kind, number: number, text: text)
    } else {
      return nil
    }
  }
}
