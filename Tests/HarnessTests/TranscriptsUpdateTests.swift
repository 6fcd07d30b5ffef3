import FakePerformer
import Testing

@testable import Harness

@Suite struct TranscriptsUpdateTests {
  private func updated(_ text: String) -> String {
    let before = transcript(text)
    let replay = Replay(before) { FakePerformer($0, $1) }
    let bytes = TranscriptUpdate(before, replay.differences).bytes
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    // Only the block that differs changes; comments and blank lines stay.
    (
      "# why\n\n> echo a\n  a\n\n# then\n> echo b\n  x\n# end\n",
      "# why\n\n> echo a\n  a\n\n# then\n> echo b\n  b\n# end\n"
    ),
    // Comments and blank lines inside a block stay, too.
    ("> lines a,b\n  x\n# note\n\n  b\n", "> lines a,b\n  a\n# note\n\n  b\n"),
    // New lines replace old ones in place: below the comment about them.
    (
      "> lines a,b,c\n# first\n  x\n\n# second\n  y\n# end\n",
      "> lines a,b,c\n# first\n  a\n\n# second\n  b\n  c\n# end\n"
    ),
    (
      "> lines a,d\n# first\n  x\n# second\n  y\n# last\n  d\n",
      "> lines a,d\n# first\n  a\n# second\n# last\n  d\n"
    ),
    (
      "> lines 1,1,x\n# first\n  {{N:\\d}}\n# second\n  {{N}}{{N}}\n# third\n  y\n",
      "> lines 1,1,x\n# first\n  {{N:\\d}}\n# second\n  1\n# third\n  x\n"
    ),
    // A pattern that still matches its line stays.
    (
      "> lines a1,b,c\n  a{{\\d}}\n  x\n  [..]\n", "> lines a1,b,c\n  a{{\\d}}\n  b\n  [..]\n"
    ),
    // If two lines match, the more specific one stays.
    ("> lines b\n  [..]\n  b\n", "> lines b\n  b\n"),
    ("> lines a,b\n  [..]\n  {{.*}}\n  b\n", "> lines a,b\n  [..]\n  b\n"),
    ("> lines a-b\n  [..]\n  a-{{.}}\n", "> lines a-b\n  a-{{.}}\n"),
    ("> lines a,b,c\n  [..]\n  b\n  x\n  c\n", "> lines a,b,c\n  [..]\n  b\n  c\n"),
    (
      "> lines b1,c,d,e,a\n  x\n  a\n  y\n  b[..]\n  {{.*}}\n",
      "> lines b1,c,d,e,a\n  b[..]\n  {{.*}}\n  d\n  e\n  a\n"
    ),
    // A line `...` stays; the lines next to it are replaced, not covered by it.
    ("> lines x,y,z\n  a\n  ...\n  c\n", "> lines x,y,z\n  x\n  ...\n  z\n"),
    // No output was expected, or none was printed.
    ("> echo a\n> echo b\n", "> echo a\n  a\n> echo b\n  b\n"),
    ("> nothing\n  a\n\n> echo b\n  b\n", "> nothing\n\n> echo b\n  b\n"),
    // The line ends of the file are kept, and a missing last one is added if text follows.
    ("> echo a\r\n  b\r\n", "> echo a\r\n  a\r\n"),
    ("> echo a", "> echo a\n  a\n"),
    ("> echo b\r\n  b\r\n> lines a,b\r\n  a\r", "> echo b\r\n  b\r\n> lines a,b\r\n  a\r\n  b\r\n"),
    ("> lines a,b\n  a", "> lines a,b\n  a\n  b\n"),
    // A file without a last line end has none afterwards either, even if its last line is removed.
    ("> echo a\n  b", "> echo a\n  a"), ("> nothing\n  a", "> nothing"),
    ("> nothing\r\n  a", "> nothing"), ("> nothing\n# why\n  a\n  b", "> nothing\n# why"),
    ("> echo a\n  a\n# one\n  b\n  c", "> echo a\n  a\n# one"),
    ("> nothing\n\n  a", "> nothing\n\n"), ("> nothing\n   \n  a", "> nothing\n   "),
    // Fixtures do not change.
    ("> cat f\n  x\n-- f --\ny", "> cat f\n  y\n-- f --\ny"),
    ("\u{FEFF}> echo a\n  b\n", "\u{FEFF}> echo a\n  a\n"),
    // Output that looks like a pattern is written so that no other line matches.
    ("> echo [..]\n  a\n", "> echo [..]\n  {{\\[\\.\\.\\]}}\n"),
    ("> lines ...\n  a\n", "> lines ...\n  {{\\.{3}}}\n"),
    // A capture stays, and so do references to it: below it in one output, and in later ones.
    (
      "> lines i7,7,x\n  i{{N:\\d}}\n  {{N}}\n  y\n", "> lines i7,7,x\n  i{{N:\\d}}\n  {{N}}\n  x\n"
    ),
    (
      "> lines i7,x\n  i{{N:\\d}}\n  y\n> lines 7,x\n  {{N}}\n  y\n",
      "> lines i7,x\n  i{{N:\\d}}\n  x\n> lines 7,x\n  {{N}}\n  x\n"
    ),
    // Each refers to the last capture above it.
    (
      "> lines i7,7,i8,8,x\n  i{{N:\\d}}\n  {{N}}\n  i{{N:\\d}}\n  {{N}}\n  y\n",
      "> lines i7,7,i8,8,x\n  i{{N:\\d}}\n  {{N}}\n  i{{N:\\d}}\n  {{N}}\n  x\n"
    ),
    // A reference that no longer matches is replaced.
    (
      "> lines i7,8,x\n  i{{N:\\d}}\n  {{N}}\n  y\n", "> lines i7,8,x\n  i{{N:\\d}}\n  8\n  x\n"
    ),
  ])
  func `an update rewrites only differences`(before: String, after: String) {
    #expect(updated(before) == after)
    #expect(failures(after).isEmpty)
    #expect(updated(after) == after)
  }

  @Test func `an update inside a Markdown list keeps its indentation`() throws {
    let text = "- x\n\n  ```transcript\n  > echo a\n    b\n  ```\n  after\n"
    let fence = try #require(
      MarkdownFences.transcripts(path: "a.md", bytes: Array(text.utf8)).first
    )
    let replay = Replay(fence) { FakePerformer($0, $1) }
    let bytes = TranscriptUpdate(fence, replay.differences).bytes

    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "- x\n\n  ```transcript\n  > echo a\n    a\n  ```\n  after\n"
    )
  }

  @Test func `an update of many lines keeps as much as one of few lines`() {
    let lines = (0..<2_000).map { "line \($0)" }
    let expected = lines.map { "  old \($0)\n" }.joined()
    let after = updated("> lines \(lines.joined(separator: ","))\n\(expected)")

    #expect(failures(after).isEmpty)
  }

  @Test func `an update rewrites the changed lines and no other byte`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix(seed)
    for round in 0..<400 {
      let (right, wrong) = RandomTranscript(&generator).texts
      let transcripts = Transcripts.parse("a.md", Array(wrong.utf8), for: nil)
      let transcript =
        transcripts.first ?? Transcript(path: "a.transcript", bytes: Array(wrong.utf8))
      let replay = Replay(transcript) { FakePerformer($0, $1) }
      let updated = TranscriptUpdate(transcript, replay.differences).bytes

      #expect(updated.elementsEqual(right.utf8), "seed \(seed), round \(round)")
      #expect(replay.differences.isEmpty == (right == wrong), "seed \(seed), round \(round)")
    }
  }

  private func run(_ folder: TemporaryFolder, _ options: TranscriptRunner.Options) -> (
    code: ProgramExit, text: String
  ) {
    var text = ""
    let runner = TranscriptRunner(options: options) { FakePerformer($0, $1) }
    let code = runner.runInProcess(paths: [folder.path]) { text += $0 }
    return (code, text.replacing(folder.path, with: "F"))
  }

  private var updating: TranscriptRunner.Options {
    var options = TranscriptRunner.Options()
    options.update = .yes
    options.isCI = false
    return options
  }

  @Test func `an updated file is written, and named`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "> echo a\n  b\n")
    try folder.write("b.md", "```transcript\n> echo 1\n```\n```transcript\n> echo 2\n  3\n```\n")
    let result = run(folder, updating)

    #expect(result.code == .success)
    #expect(result.text == "updated F/a.transcript\nupdated F/b.md\n0 passed, 3 updated\n")
    #expect(try folder.text("a.transcript") == "> echo a\n  a\n")
    #expect(
      try folder.text("b.md")
        == "```transcript\n> echo 1\n  1\n```\n```transcript\n> echo 2\n  2\n```\n"
    )
    #expect(try folder.names == ["a.transcript", "b.md"])
  }

  @Test func `output that differs in every play is refused`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "> clock\n  0\n")
    let result = run(folder, updating)

    #expect(result.code == .differences)
    #expect(result.text.hasPrefix("F/a.transcript:2: not updated: a second run printed other"))
    #expect(try folder.text("a.transcript") == "> clock\n  0\n")
  }

  @Test func `nothing is updated if CI is set, except with '--force'`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "> echo a\n")
    var options = updating
    options.isCI = true
    let refused = run(folder, options)

    #expect(refused.code == .usage)
    #expect(refused.text.contains("--force"))
    #expect(try folder.text("a.transcript") == "> echo a\n")

    options.update = .evenInCI
    #expect(run(folder, options).code == .success)
    #expect(try folder.text("a.transcript") == "> echo a\n  a\n")
  }

  @Test(arguments: ["> echo a\n  b\nstray\n", "> echo a\n  b\n> quit\n> echo b\n", "> much\n"])
  func `a transcript with another mistake is not updated`(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", text)

    #expect(run(folder, updating).code == .differences)
    #expect(try folder.text("a.transcript") == text)
  }
}

/// A passing transcript, and the same with some of its outputs changed.
private struct RandomTranscript {
  private var right: [String] = []
  private var wrong: [String] = []
  private let lineEnd: String
  private let isMarkdown: Bool
  private let hasLastLineEnd: Bool
  private let indentation: String

  init(_ generator: inout SplitMix) {
    lineEnd = Bool.random(using: &generator) ? "\n" : "\r\n"
    isMarkdown = Bool.random(using: &generator)
    hasLastLineEnd = isMarkdown || Bool.random(using: &generator)
    indentation = isMarkdown && Bool.random(using: &generator) ? "   " : ""
    for _ in 0..<Int.random(in: 1...6, using: &generator) { addBlock(&generator) }
  }

  var texts: (right: String, wrong: String) { (text(right), text(wrong)) }

  private func text(_ lines: [String]) -> String {
    let inner = lines.map { $0.isEmpty ? $0 : indentation + $0 }
    let all =
      isMarkdown
      ? ["# Ä page", "1. item", indentation + "```transcript"] + inner + [
        indentation + "```", "end  ",
      ]
      : inner
    return all.joined(separator: lineEnd) + (hasLastLineEnd ? lineEnd : "")
  }

  private mutating func addBlock(_ generator: inout SplitMix) {
    let before = ["", "# comment  ", "  ", "#"].shuffled(using: &generator)
      .prefix(Int.random(in: 0...2, using: &generator))
    let words = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      ["alpha", "beta", "gamma", "1.000s"].randomElement(using: &generator) ?? ""
    }
    let output = words.map { word in
      Int.random(in: 0...4, using: &generator) == 0 ? "  [..]" : "  " + word
    }
    let command = "> lines " + words.joined(separator: ",")
    right += before + [command]
    wrong += before + [command]
    for line in output {
      let above = Int.random(in: 0...3, using: &generator) == 0 ? ["# of this", ""] : []
      let isWrong = line != "  [..]" && Int.random(in: 0...2, using: &generator) == 0
      right += above + [line]
      wrong += above + [isWrong ? "  not so" : line]
    }
  }
}
