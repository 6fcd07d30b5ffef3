import Harness

/// Transcripts: each is parsed, played against a program with any output, updated, and must then
/// pass.
struct TranscriptTarget: FuzzTarget {
  let name = "transcript"
  let words = TranscriptCheck.words

  func pieces(of golden: [UInt8]) -> [[UInt8]] { [golden] }

  func check(_ bytes: [UInt8]) throws(Finding) {
    try TranscriptCheck(path: "fuzz.transcript").check(bytes)
  }
}

/// Transcripts in code blocks of Markdown.
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

/// Patterns of expected lines: the first half of the input is expected, the second half is printed.
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
