import Script

/// What is not played because of a slip in its name: the ending of a file, the word of a fence. Nobody would
/// miss it in a report, so it is told there.
enum NearMiss {
  /// What marks a transcript.
  static let word = "transcript"
  /// How long a misspelt word may be.
  private static let lengths = 8...12
  /// What programs leave beside a transcript on purpose.
  private static let companions: Set<String> = ["pending", "orig", "rej", "bak"]
  /// Files that are named at most.
  private static let namedFiles = 20

  /// Whether a file that is no transcript by its name has nearly the ending of one: `a.transcrpt`,
  /// `a.TRANSCRIPT`, `a.transcript.txt`.
  static func isFile(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let dot = UInt8(ascii: ".")
    guard let last = name.lastIndex(of: dot), last > 0 else { return false }
    let ending = name[(last + 1)...]
    let stem = name[..<last]
    if lengths.contains(ending.count), ending.last != UInt8(ascii: "~") {
      return isMisspelt(ending) && !stem.allSatisfy { $0 == dot }
    }
    guard let before = stem.lastIndex(of: dot), before > 0,
      text(stem[(before + 1)...]) == word
    else { return false }
    return !companions.contains(text(ending)) && ending.last != UInt8(ascii: "~")
  }

  /// Why a fence is not played whose first word is nearly that which marks a transcript: `Transcript`,
  /// `transcripts`; nil where it is another word, or that one.
  static func reason(ofFence mark: String) -> String? {
    guard mark != word, lengths.contains(mark.utf8.count), isMisspelt(mark.utf8) else { return nil }
    return "the fence marked '\(mark)' is not played: the word is '\(word)'"
  }

  /// Why a fence is not played that nobody can be meant to play, or nearly `program`, by its second word.
  static func reason(ofProgram name: String, in program: String) -> String? {
    guard name != program else { return nil }
    let isName = name.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_.".unicodeScalars.contains(scalar)
    }
    let fence = "the fence marked '\(word) \(name)' is not played:"
    guard isName else {
      return "\(fence) a second word names a program; a name and tags are comments in the fence"
    }
    let isNear =
      name.lowercased() == program.lowercased()
      || min(name.count, program.count) >= 6 && Suggestion.isMisspelt(name, for: program)
    return isNear ? "\(fence) this program is '\(program)'" : nil
  }

  /// Why fences are not played because of what stands in front of them.
  static let tab = "the fence is not played: it is indented by a tab, and only blanks count"
  static let quotation = "the fence is not played: it stands in a quotation"

  /// What to say of files, sorted by their paths; nil where there are none.
  static func note(ofFiles paths: [String]) -> String? {
    guard !paths.isEmpty else { return nil }
    let verb = paths.count == 1 ? "is" : "are"
    return "\(names(paths)) \(verb) not played: transcripts end in .transcript"
  }

  /// What to try where there is nothing but such files; nil where there are none.
  static func hint(forFiles paths: [String]) -> String? {
    paths.isEmpty ? nil : "rename \(names(paths)): transcripts end in .transcript"
  }

  /// What to say of a fence.
  static func note(_ reason: String, in path: String, line: Int) -> String {
    "\(FailureText.quoted(path)):\(line): \(reason)"
  }

  private static func names(_ paths: [String]) -> String {
    let names = paths.prefix(namedFiles).map(FailureText.quoted).joined(separator: ", ")
    let rest = paths.count - namedFiles
    return names + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func isMisspelt(_ bytes: some Collection<UInt8>) -> Bool {
    Suggestion.isMisspelt(String(decoding: bytes, as: UTF8.self), for: word)
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).lowercased()
  }
}
