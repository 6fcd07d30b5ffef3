import Harness

/// Transcripts: they are read, played against a program that answers anything, updated, and pass then.
struct TranscriptTarget: FuzzTarget {
  let name = "transcript"
  let words = TranscriptCheck.words

  func pieces(of golden: [UInt8]) -> [[UInt8]] { [golden] }

  func check(_ bytes: [UInt8]) throws(Finding) {
    try TranscriptCheck(path: "fuzz.transcript").check(bytes)
  }
}

/// The same in the fences of Markdown.
struct MarkdownTarget: FuzzTarget {
  let name = "markdown"
  let words =
    TranscriptCheck.words + [
      "\r", "```", "~~~", "````", "```transcript\n", "\n```\n", "- ", "1. ", "    ",
    ]

  func pieces(of golden: [UInt8]) -> [[UInt8]] { [golden] }

  func check(_ bytes: [UInt8]) throws(Finding) {
    try TranscriptCheck(path: "fuzz.md").check(bytes)
  }
}

/// What a line of a transcript may stand for: an expectation, a line feed, and what was printed.
struct PatternTarget: FuzzTarget {
  let name = "pattern"
  let words = TranscriptCheck.words

  func check(_ bytes: [UInt8]) throws(Finding) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let expected = lines.prefix(lines.count / 2).map { "  ".utf8 + $0 }
    var printed = lines.dropFirst(expected.count).map { String(decoding: $0, as: UTF8.self) }
    printed.removeAll { $0.allSatisfy(\.isWhitespace) }
    let text = [Array("> x".utf8)] + expected.map { Array($0) }
    try TranscriptCheck(path: "fuzz.transcript", printed: printed)
      .check(Array(text.joined(separator: [0x0A])))
  }
}
