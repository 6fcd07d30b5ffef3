import FakePerformer
import RehearsalBase
import Testing

@testable import Harness

@Suite struct TranscriptsMarkdownTests {
  private func fences(_ text: String) -> [Transcript] {
    MarkdownFences.transcripts(path: "a.md", bytes: Array(text.utf8))
  }

  @Test func `each fence marked transcript is a separate transcript`() {
    let found = fences(
      "text\n```transcript\n> a\n```\n```swift\n> b\n```\n~~~ transcript rehearse\n> c\n~~~~\n"
    )

    #expect(found.map { $0.blocks.map($0.command) } == [["a"], ["c"]])
    #expect(found.map(\.fence) == [1, 2])
  }

  @Test func `a fence of another program is not replayed, but counted`() {
    let text = "```transcript\n> a\n```\n```transcript Mine\n> b\n```\n```swift Mine\n```\n"
    let ours = MarkdownFences(path: "a.md", bytes: Array(text.utf8), program: "rehearse")
    let mine = MarkdownFences(path: "a.md", bytes: Array(text.utf8), program: "Mine")

    #expect(ours.transcripts.map { $0.blocks.map($0.command) } == [["a"]])
    #expect(ours.others == ["Mine"])
    #expect(mine.transcripts.map { $0.blocks.map($0.command) } == [["a"], ["b"]])
    #expect(mine.others.isEmpty)
  }

  @Test func `a fence that is almost marked transcript is collected with its line`() {
    let text =
      "# T\n```Transcript\n> a\n```\n```transcripts x\n```\n```typescript\n```\n~~~trancript\n"
    let found = MarkdownFences(path: "a.md", bytes: Array(text.utf8), program: "rehearse")

    #expect(found.transcripts.isEmpty)
    #expect(found.unplayed.map(\.line) == [2, 5, 9])
    #expect(
      found.unplayed.map { $0.reason.split(separator: "'")[1] } == [
        "Transcript", "transcripts", "trancript",
      ]
    )
  }

  @Test func `a byte order mark does not hide the fence after it`() {
    #expect(fences("\u{FEFF}```transcript\n> a\n```\n").map(\.firstLine) == [2])
  }

  @Test(arguments: [
    ("<!--\n%--> a\n", [], [2]), ("<!-- a\n%b --> c\n%", [7], [2]), ("<!-- a -->\n%", [3], []),
    ("<!--->\n%", [3], []), ("   <!--\n%", [], [2]), ("    <!--\n%", [3], []),
    ("a <!--\n%-->", [3], []), ("%<!-- b", [2], []),
  ])
  func `a fence in a comment is not replayed, but collected`(
    text: String,
    played: [Int],
    unplayed: [Int]
  ) {
    let text = text.replacing("%", with: "```transcript\n> a\n```\n")
    let found = MarkdownFences(path: "a.md", bytes: Array(text.utf8), program: "rehearse")

    #expect(found.transcripts.map(\.firstLine) == played)
    #expect(found.unplayed.map(\.line) == unplayed)
    #expect(found.unplayed.allSatisfy { $0.reason.hasSuffix("it is in a comment") })
  }

  @Test(arguments: [
    ("```swift\na\n```transcript\n> a\n```\n", [3]),
    ("````swift\na\n```\n```transcript\n> a\n```\n", [4]),
    ("```swift\na\n~~~\n~~~transcript\n> a\n~~~\n", [4]),
    ("````\n```\na\n```transcript\n> a\n```\n````\n", [4]),
    ("````\n```transcript\n> a\n```\n````\n", []),
    ("```transcript Mine\n> a\n```transcript\n> b\n```\n", [3]),
    ("- ```\n  ```transcript\n  > a\na\n", [2]),
  ])
  func `a transcript in an unclosed fence is reported`(text: String, lines: [Int]) {
    let found = MarkdownFences(path: "a.md", bytes: Array(text.utf8), program: "rehearse")

    #expect(found.transcripts.isEmpty)
    #expect(found.unplayed.map(\.line) == lines)
    #expect(found.unplayed.allSatisfy { $0.reason.contains("which is not closed before it") })
  }

  @Test func `single carriage returns end lines, even in an updated page`() {
    let text = "a\r```transcript\r> echo a\r  b\r\r> echo c\r  c\r```\rb\r"
    let found = fences(text)
    #expect(found.map { $0.blocks.map($0.command) } == [["echo a", "echo c"]])
    #expect(found.flatMap { $0.replay { FakePerformer($0, $1) } }.map(\.line) == [4])

    let differences = found.flatMap { transcript in
      Replay(transcript, { FakePerformer($0, $1) }).differences
    }
    let updated = TranscriptUpdate(found[0], differences).bytes
    #expect(String(decoding: updated, as: UTF8.self) == text.replacing("  b\r", with: "  a\r"))
  }

  @Test func `a carriage return within a line of a transcript file is a mistake`() {
    let found = transcript("> echo a\r\n  a\r\n# b\rc\n> echo b\r  b\n-- f --\na\rb\n")

    #expect(found.strays.map(\.line) == [3, 4])
    #expect(found.strays.allSatisfy { $0.problem == .lookalike(.carriageReturn) })
  }

  @Test func `failures name the line of the Markdown file`() {
    let found = fences("# Title\n\n```transcript\n> echo a\n  b\n```\n")

    #expect(found.flatMap { $0.replay { FakePerformer($0, $1) } }.map(\.line) == [5])
  }

  @Test(arguments: ["# Title\n\n```transcript\n```\n", "# Title\n\n```transcript"])
  func `an empty fence fails where it opens`(text: String) {
    let found = fences(text)

    #expect(found.flatMap { $0.replay { FakePerformer($0, $1) } }.map(\.line) == [3])
  }

  @Test func `inside a longer fence a shorter one is text`() {
    #expect(fences("````\n```transcript\n> a\n```\n````\n").isEmpty)
  }

  @Test func `a fence in a list loses the list's indentation`() {
    let found = fences("- item\n\n  ```transcript\n  > echo a\n    a\n  ```\n")

    #expect(found.count == 1)
    #expect(found.flatMap { $0.replay { FakePerformer($0, $1) } }.isEmpty)
  }

  @Test(arguments: [
    "```transcripts\n> a\n```\n", "``transcript\n> a\n``\n", "``` `transcript`\n> a\n",
  ])
  func `other fences are not transcripts`(text: String) {
    #expect(fences(text).isEmpty)
  }

  @Test func `a conflict around whole fences is reported, although either side could be played`() {
    let side = { (text: String) in "```transcript\n> echo \(text)\n  \(text)\n```\n" }
    let text =
      "# Title\n=======\n\(side("z"))<<<<<<< HEAD\n\(side("a"))=======\n\(side("b"))>>>>>>> theirs\n\(side("c"))"
    let transcripts = MarkdownFences.transcripts(path: "x.md", bytes: Array(text.utf8))

    #expect(transcripts.map(\.strays.count) == [0, 1, 0, 0])
    #expect(transcripts[1].strays.first?.line == 7)
    #expect(transcripts[1].strays.first?.problem == .conflict(lastLine: 17))
  }

  @Test func `a conflict that begins in HTML is also reported`() {
    let fence = "\n```transcript\n> a\n```\n\n"
    let text =
      "<details>\n<<<<<<< a\n<summary>A</summary>\n\(fence)=======\n\(fence)</details>\n>>>>>>> b\n"

    #expect(fences(text).first?.strays.first?.problem == .conflict(lastLine: 16))
  }
}
