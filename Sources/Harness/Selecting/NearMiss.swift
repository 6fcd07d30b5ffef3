import Script

/// What is not played because of a slip in its name: the ending of a file, the word of a fence. Nobody would
/// miss it in a report, so it is told there.
enum NearMiss {
  private static let word = "transcript"
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

  /// Whether the first word of a fence is nearly that which marks a transcript: `Transcript`, `transcripts`.
  static func isFence(_ mark: some Collection<UInt8>) -> Bool {
    lengths.contains(mark.count) && isMisspelt(mark)
  }

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
  static func note(ofFence mark: String, in path: String, line: Int) -> String {
    let place = "\(FailureText.quoted(path)):\(line)"
    return "\(place): the fence marked '\(mark)' is not played: the word is '\(word)'"
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
