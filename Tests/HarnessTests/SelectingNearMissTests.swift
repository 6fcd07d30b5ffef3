import Foundation
import Testing

@testable import Harness

/// Files and fences that almost look like transcripts, and the fences of Markdown that are played.
@Suite struct SelectingNearMissTests {
  private static let good = "> echo a\n  a\n"
  private static let bad = "> echo a\n  b\n"

  private func run(_ folder: TemporaryFolder, _ arguments: String...) throws -> HostRun {
    try HostRun(in: folder, arguments)
  }

  @Test func `files that almost look like transcripts are reported, in shards like in a whole run`()
    throws
  {
    let folder = try TemporaryFolder([
      "a.transcript": Self.good, "b.transcrpt": Self.bad, "c.transcript.txt": Self.bad,
      "d.md": "```Transcript\n\(Self.bad)```\n", "e.md": "\n```transcripts\n\(Self.bad)```\n",
    ])
    let notes = """
      note: b.transcrpt, c.transcript.txt are not replayed: transcripts end in .transcript
      note: d.md:1: the code block marked 'Transcript' is not replayed: the word is 'transcript'
      note: e.md:2: the code block marked 'transcripts' is not replayed: the word is 'transcript'

      """
    #expect(try run(folder, "--reporter", "json=all.json", ".").text == notes + "1 passed\n")
    for part in 1...3 {
      _ = try run(folder, "--shard", "\(part)/3", "--reporter", "json=\(part).json", ".")
    }
    let parts = [2, 3, 1].map { folder.path + "/\($0).json" }
    #expect(try RunReport(mergingFiles: parts).json() == folder.text("all.json"))
    let named = try run(folder, "b.transcrpt", ".")
    #expect(named.text.contains("note: c.transcript.txt is not replayed: "))
  }

  @Test(arguments: [
    ("p.transcript (1)", true), ("p.transcript 2", true), ("p.transcript-old", true),
    ("p.TRANSCRIPT_1", true), ("p.description", false), ("p.transcript~", false),
    ("p.transcript#", false), ("transcript (1)", false), ("b_transcript", true),
    ("c-transcript", true),
    ("transcript", true), ("transcript.txt", true), ("b_transcript.txt", true),
    ("transcript.js", false),
    ("mytranscript", false), ("script.txt", false),
  ])
  func `the name of a second copy is recognised`(name: String, isNear: Bool) {
    let bytes = Array(name.utf8)

    #expect(bytes.withUnsafeBufferPointer(NearMiss.isFile) == isNear)
  }

  @Test func `pages that are not replayed are named if they have transcripts`() throws {
    let page = "text\n\n```transcript\n\(Self.good)```\n"
    let folder = try TemporaryFolder([
      "a.transcript": Self.good, "b.transcript.md": "# Notes\n", "c.qmd": page,
      "d.Rmd": "```{transcript}\n```\n", "e.rst": ".. code-block:: transcript\n\n   > now\n",
      "f.adoc": "[source,transcript]\n----\n> now\n----\n", "g.org": "no listing of a transcript\n",
      "h.mdx": "# nothing\n", "i.json": page, "j.org": "#+BEGIN_SRC transcript\n",
      "k.mkdown": String(repeating: "text\n", count: 300_000) + page,
    ])

    #expect(
      try run(folder, ".").text == """
        note: b.transcript.md is not replayed: a page has transcripts in code blocks, and a transcript's name ends in .transcript
        note: c.qmd, d.Rmd, e.rst, f.adoc, j.org, k.mkdown are not replayed: pages of Markdown end in .md
        1 passed

        """
    )
  }

  @Test func `disabled pages, and links to transcripts, are reported`() throws {
    let page = "```transcript\n\(Self.bad)```\n"
    let folder = try TemporaryFolder([
      "t/a.transcript": Self.good, "t/p.md.disabled": page, "t/q.md.txt": page,
      "t/r.md.tmpl": "text",
      "t/s.md.bak": page, "u/b.transcript": Self.bad, "u/c.md": page,
    ])
    symlink("../u/b.transcript", folder.path + "/t/link")
    symlink("../u/c.md", folder.path + "/t/page")

    #expect(
      try run(folder, "t").text == """
        note: t/link is not replayed: transcripts end in .transcript
        note: t/p.md.disabled, t/page, t/q.md.txt are not replayed: pages of Markdown end in .md
        1 passed

        """
    )
  }

  @Test func `a folder that is named like a transcript and contains none fails the run`() throws {
    let folder = try TemporaryFolder(["t/a.transcript": Self.good])
    mkdir(folder.path + "/t/b.transcript", 0o777)

    let result = try run(folder, "t")
    #expect(result.code == 2)
    #expect(result.text.contains("t/b.transcript"))
  }

  @Test func `an empty path is refused`() throws {
    let result = try run(try TemporaryFolder(["a.transcript": Self.good]), "")

    #expect(result.code == 2)
    #expect(result.text.hasPrefix("error: a path is empty\n"))
  }

  @Test func `a fence that ends with its list item without a closing mark is named`() throws {
    let folder = try TemporaryFolder([
      "p.md":
        "1. Try it:\n\n   ```transcript\n   > echo a\n     a\n> echo b\n  c\n   ```\n\nEnd.\n",
      "q.md": "- ```transcript\n  > echo a\n    a\n  ```\n\nEnd.\n",
    ])
    let text = try run(folder, ".").text

    #expect(
      text.contains("note: p.md:3: the code block has no closing mark and ends with its list item")
    )
    #expect(!text.contains("q.md"))
  }

  @Test func `lines with a prompt in a fixture are named as not replayed`() throws {
    let fixture = "-- terms.txt --\nTerms.\n\n> echo b\n  c\n"
    let folder = try TemporaryFolder([
      "a.transcript": Self.good + "\n" + fixture,
      "b.transcript": Self.good + "\n-- b.txt --\nTerms.\n-- c.transcript --\n> echo\n",
    ])
    let start = "a.transcript:4: the file 'terms.txt' extends to the next line '-- NAME --'"
    for form in ["tap", "junit", "json", "github", "markdown", "html"] {
      _ = try run(folder, "--reporter", "\(form)=all", ".")
      #expect(try folder.text("all").contains("terms.txt"), "\(form)")
    }
    let text = try run(folder, ".").text
    #expect(text.hasPrefix("note: \(start)"))
    #expect(!text.contains("b.transcript:"))
  }

  @Test(arguments: [
    "# Tags: smoke\n", "# TAGS: smoke\n", "# tag: smoke\n", "# tags: [smoke]\n", "# tags: #smoke\n",
    "> echo a\n  a\n# tags: smoke\n", "# tags: Smoke\n", "# tags: smoke; http\n", "# tags smoke\n",
    "## tags: smoke\n", "# tags：smoke\n", "# tags: smoke|http\n",
  ])
  func `a comment that almost sets a tag is reported if a filter is about tags`(text: String) throws
  {
    let folder = try TemporaryFolder([
      "a.transcript": "# tags: smoke\n" + Self.good, "b.transcript": text + Self.good,
    ])
    let result = try run(folder, "--filter", "tag:smoke", ".")

    #expect(result.text.contains("note: b.transcript:"), "\(result.text)")
    #expect(!result.text.contains("note: a.transcript:"))
    let all = try run(folder, ".").text
    #expect(!all.contains("note: "))
  }

  @Test(arguments: [
    ("\u{2028}", "the line separator U+2028"), ("\u{2029}", "the paragraph separator U+2029"),
    ("\u{85}", "the control character U+0085, next line,"), ("\u{B}", "a vertical tab"),
    ("\u{C}", "a form feed"),
  ])
  func `a comment with a character that looks like a line end is an error`(
    mark: String,
    name: String
  ) throws {
    let folder = try TemporaryFolder(["a.transcript": Self.good + "# Then\(mark)> echo b\n"])
    let result = try run(folder, ".")

    #expect(result.code == 1)
    #expect(
      result.text == """
        a.transcript:3: \(name) is in this line
        note: never reached: 1 command, lines 1 to 2
        hint: some editors show a line end there; write a line feed, or remove it

        0 passed, 1 failed

        """
    )
  }

  @Test func `fences of other programs are in every form of report`() throws {
    let folder = try TemporaryFolder([
      "p.md": "```transcript\n\(Self.good)```\n\n```transcript login\n> x\n```\n"
    ])
    for form in ["tap", "junit", "json", "markdown", "html", "plain", "github"] {
      _ = try run(folder, "--reporter", "\(form)=all", ".")
      #expect(try folder.text("all").contains("login"), "\(form)")
    }
  }

  @Test func `a single part is the whole run, and must not be empty`() throws {
    let folder = try TemporaryFolder(["p.md": "```transcript login\n> x\n```\n"])

    #expect(try run(folder, "--shard", "1/1", ".").code == 2)
  }

  @Test func `a part fails if no part has a transcript`() throws {
    let login = "```transcript login\n> x\n```\n"
    let folder = try TemporaryFolder(["p.md": login])
    let other = try TemporaryFolder(["p.md": login, "a.transcript": Self.good])

    for shard in ["1/2", "2/2"] {
      let result = try run(folder, "--shard", shard, ".")
      #expect(result.code == 2)
      #expect(result.text.contains("no transcript to replay"), "\(result.text)")
      #expect(try run(other, "--shard", shard, ".").code == 0)
    }
  }

  @Test func `a page in UTF-16 is an error`() throws {
    let page = "```transcript\n\(Self.bad)```\n"
    let folder = try TemporaryFolder(["a.transcript": Self.good])
    try folder.write("p.md", page.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    let result = try run(folder, ".")

    #expect(result.code == 2)
    #expect(result.text.contains("p.md:1: line 1 is not UTF-8"), "\(result.text)")
  }

  @Test func `a list of flaky transcripts that names a page without a fence is refused`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": Self.good, "p.md": "# Notes\n", "flaky": "limit 1\np.md\n",
    ])
    let result = try run(folder, "--known-flaky", "flaky", ".")

    #expect(result.code == 2)
    #expect(result.text.contains("p.md is not the path of a transcript"))
  }

  @Test func `transcripts that are hidden by a dot are reported`() throws {
    let page = "```transcript\n\(Self.bad)```\n"
    let folder = try TemporaryFolder([
      "a.transcript": Self.good, ".b.transcript": Self.bad, ".c.md": page, ".d.md": "# text\n",
      "deep/.e/f.transcript": Self.bad, ".e/g.md": page, ".e/h/i.transcript": Self.bad,
      ".transcript": Self.bad, ".md": page, "._a.transcript": "",
      ".#a.transcript": "", ".e/.j.transcript": "", ".k.txt": page,
    ])
    let names = ".b.transcript, .c.md, .e/g.md, .md, .transcript, deep/.e/f.transcript"

    #expect(
      try run(folder, ".").text
        == "note: \(names) are not replayed: names that begin with a dot are left out\n1 passed\n"
    )
    // A named folder is played, with all its subfolders.
    #expect(try run(folder, ".e").text.hasSuffix("0 passed, 2 failed\n"))
    let none = try run(folder, "deep")
    #expect(none.code == 2)
    #expect(
      none.text.hasSuffix(
        "\nhint: rename deep/.e/f.transcript: names that begin with a dot are left out\n"
      )
    )
  }

  @Test(arguments: [
    "rehearse-transcript", "swift-transcript", "transcript-swift", "lang_transcript",
    "trans&#99;ript", "&#x74;ranscript App", "tran\\script",
  ])
  func `a fence that spells the word with escapes is named`(mark: String) {
    let text = "```\(mark)\n> a\n```\n"
    let fences = MarkdownFences(path: "a.md", bytes: Array(text.utf8), program: "rehearse")

    #expect(fences.transcripts.isEmpty)
    #expect(fences.unplayed.count == 1)
  }

  @Test(arguments: ["\u{A0}", "\u{200B}", "\u{FEFF}", "- \u{A0}", "\u{C}", "\u{1B}", "\u{7F}"])
  func `a fence after a character that is not printable ASCII is named`(before: String) {
    let text = "\n\(before)```transcript\n> a\n\(before)```\n"
    let fences = MarkdownFences(path: "a.md", bytes: Array(text.utf8), program: "rehearse")

    #expect(fences.transcripts.isEmpty)
    #expect(fences.unplayed.map(\.line) == [2])
    #expect(fences.unplayed.first?.reason.contains("before it is not printable ASCII") == true)
  }

  @Test(arguments: ["swift", "a&b", "&#99;", "\\", "transport"])
  func `a fence with another word is not named`(mark: String) {
    let fences = MarkdownFences(
      path: "a.md",
      bytes: Array("```\(mark)\n```\n".utf8),
      program: "rehearse"
    )

    #expect(fences.unplayed.isEmpty)
  }

  @Test func `fences in places that are not replayed are reported, those in lists are played`()
    throws
  {
    let folder = try TemporaryFolder([
      "a.md": """
      - ```transcript
        > echo a
          a
        ```

      12. - ~~~transcript
            > echo a
              b
            ~~~

      """,
      "b.md": "- x\n\n\t```transcript\n\t> a\n\t```\n> > ```transcript\n> > > a\n> > ```\n",
      "c.md": "> ```swift\n> ```\n\t~~~ text\n\t~~~\n- x\n3) y\n",
    ])
    #expect(
      try run(folder, ".").text.hasSuffix(
        """
        note: b.md:3: the code block is not replayed: it is indented by a tab, and only spaces count
        note: b.md:6: the code block is not replayed: it is in a block quote
        1 passed, 1 failed

        """
      )
    )
  }

  @Test func `notes about one file are in the order of the file`() throws {
    let bad = (1...12).map { _ in "```Transcript\n\n```\n" }.joined()
    let folder = try TemporaryFolder([
      "a.transcript": Self.good, "b.md": bad, "b10.md": "> ```transcript",
    ])
    let lines = try run(folder, ".").text.split(separator: "\n")
      .compactMap { $0.split(separator: ":").dropFirst(2).first.map(String.init) }

    let expected = (0..<12).map { String($0 * 3 + 1) }
    #expect(lines == expected + ["1"])
  }

  @Test(arguments: [
    ("a2", "a10"), ("a", "a1"), ("a02", "a2"), ("a1b", "a1c"), ("a1", "aa"), ("7", "08"), ("", "0"),
    ("a.md:99999999999999999999998", "a.md:99999999999999999999999"),
  ])
  func `numbers in texts are ordered by value`(first: String, second: String) {
    #expect(NaturalOrder.precedes(first, second))
    #expect(!NaturalOrder.precedes(second, first))
    #expect(!NaturalOrder.precedes(first, first))
  }

  @Test func `a fence ends with the list item that contains it`() throws {
    let folder = try TemporaryFolder([
      "a.md": "- ``` x\n- ~~~ y\n\n```transcript\n\(Self.bad)```\n",
      "b.md": "-\t```transcript\n    > echo\n    ```\n```transcript\n\(Self.bad)```\n",
      "c.md": "- > ```transcript\n> 1. ```transcript\n",
    ])
    let result = try run(folder, ".")

    #expect(result.text.contains("a.md:6: output differs\n"))
    #expect(result.text.contains("b.md:6: output differs\n"))
    #expect(
      result.text.hasSuffix(
        """
        note: b.md:1: the code block is not replayed: it is indented by a tab, and only spaces count
        note: c.md:1: the code block is not replayed: it is in a block quote
        note: c.md:2: the code block is not replayed: it is in a block quote
        0 passed, 2 failed

        """
      )
    )
  }

  @Test(arguments: [
    ("tags:", true), ("title=\"x\"", true), ("{#id}", true), ("Rehearse", true),
    ("reherse", true), ("App", false), ("search-shell_2", false), ("Übung", false),
  ])
  func `a second word that is no program's name, or almost this one's, is reported`(
    word: String,
    isSlip: Bool
  ) {
    let text = "```transcript \(word)\n> a\n```\n"
    let fences = MarkdownFences(path: "a.md", bytes: Array(text.utf8), program: "rehearse")

    #expect(fences.transcripts.isEmpty)
    #expect(fences.unplayed.count == (isSlip ? 1 : 0))
    #expect(fences.others == (isSlip ? [] : [word]))
  }

  @Test func `an empty run reports files that almost look like transcripts`() throws {
    let folder = try TemporaryFolder([
      "a/b.transcrpt": Self.good, "d/d.md": "```Transcript\n\(Self.good)```\n",
    ])
    let files = try run(folder, "a")
    #expect(files.code == 2)
    #expect(
      files.text.hasSuffix("\nhint: rename a/b.transcrpt: transcripts end in .transcript\n")
    )
    let fences = try run(folder, "d")
    #expect(fences.code == 2)
    #expect(
      fences.text.hasPrefix("note: d/d.md:1: the code block marked 'Transcript' is not replayed: ")
    )
  }

  @Test(arguments: [
    ("transcript{.x}", true), ("{.transcript}", true), ("{.transcript #id}", true),
    ("transcript,ignore", true), ("text transcript", true), ("transcript/rehearse", true),
    ("{.text .transcript}", true), ("transcript-like", true), ("text title=transcript", false),
    ("swift", false), ("text", false), ("no-transcript", true), ("transcript_login", true),
    ("transcription", true),
    ("TRANSCRIPT_LOGIN", true), ("descriptor", false), ("text my transcripts", false),
    ("text a transcript of a talk", false), ("{.python file=transcript}", false),
  ])
  func `a fence with the right word among others is reported`(
    mark: String,
    isNamed: Bool
  ) {
    let text = "```\(mark)\n> a\n```\n"
    let fences = MarkdownFences(path: "a.md", bytes: Array(text.utf8), program: "rehearse")
    let reason =
      "the code block marked '\(mark)' is not replayed: 'transcript' has to be the first word, alone"

    #expect(fences.transcripts.isEmpty && fences.others.isEmpty)
    #expect(fences.unplayed.map(\.reason) == (isNamed ? [reason] : []))
  }

  @Test func `a page with transcripts and another extension is reported`() throws {
    let page = "```transcript\n\(Self.bad)```\n"
    let folder = try TemporaryFolder([
      "t/a.transcript": Self.good, "t/d.MD": page, "t/e.markdown": page, "t/h.Md": page,
      "t/i.mdx": page, "t/none.markdown": "```text\n\(Self.bad)```\n", "u/e.markdown": page,
    ])
    #expect(
      try run(folder, "t").text == """
        note: t/d.MD, t/e.markdown, t/h.Md, t/i.mdx are not replayed: pages of Markdown end in .md
        1 passed

        """
    )
    #expect(
      try run(folder, "u").text.hasSuffix(
        "\nhint: rename u/e.markdown: pages of Markdown end in .md\n"
      )
    )
    let named = try run(folder, "t/d.MD")
    #expect(named.code == 1)
    #expect(
      named.text.hasPrefix(
        """
        t/d.MD:1: a Markdown code block, but the name of this file does not end in .md
        hint: rename a page so that it ends in .md; a transcript file has no code blocks

        """
      )
    )
  }
}
