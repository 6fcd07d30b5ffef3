import FakePerformer
import Foundation
import RehearsalBase
import Script
import Testing

@testable import Harness

@Suite struct ReviewingPictureTests {
  private func review(_ text: String) throws -> (review: Review, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", text)
    var options = TranscriptRunner.Options()
    options.pending = .beside
    let runner = TranscriptRunner(options: options) { FakePerformer($0, $1) }
    _ = runner.runInProcess(paths: [folder.path]) { _ in }
    let path = folder.path + "/a.transcript"
    return (Review([try PendingFile(path: path, place: path + ".pending")]), folder)
  }

  private func lines(
    _ text: String,
    columns: Int = 160,
    rows: Int = 25,
    colour: Bool = false,
    _ change: (inout ReviewPicture) -> Void = { _ in }
  ) throws -> [String] {
    let (review, folder) = try review(text)
    var picture = ReviewPicture(columns: columns, rows: rows, colour: colour)
    change(&picture)
    return picture.lines(review).map { $0.replacing(folder.path, with: "F") }
  }

  private let text = "> lines 1s  a,2s  b\n  0s  a\n  1s  b\n"

  @Test func `place, command, reason, difference and keys are shown`() throws {
    let lines = try lines(text)

    #expect(lines[0].hasPrefix("F/a.transcript:2 "))
    #expect(lines[0].hasSuffix("1 of 1"))
    #expect(
      lines.dropFirst() == [
        "> lines 1s  a,2s  b", "only times differ (each 1s later)", "",
        "-  0s  a", "   ^^", "-  1s  b", "   ^^", "+  1s  a", "   ^^", "+  2s  b", "   ^^", "",
        "a accept  r reject  s skip  A R all  o n b old new both  u undo  ? help  q quit",
      ]
    )
  }

  @Test func `one side alone has no marks`() throws {
    #expect(try lines(text) { $0.side = .old }[4...5] == ["-  0s  a", "-  1s  b"])
    #expect(try lines(text) { $0.side = .new }[4...5] == ["+  1s  a", "+  2s  b"])
    #expect(try lines("> echo a\n") { $0.side = .old }[3] == "  (no output)")
  }

  @Test func `colours mark lines, and the words that changed`() throws {
    let lines = try lines("> echo 1s  a\n  0s  a\n", colour: true)

    #expect(lines.contains("\u{1B}[31m-  \u{1B}[1;4;31m0s\u{1B}[0;31m  a\u{1B}[0m"))
    #expect(lines.contains("\u{1B}[32m+  \u{1B}[1;4;32m1s\u{1B}[0;32m  a\u{1B}[0m"))
  }

  @Test(arguments: [9, 20, 40, 80, 200])
  func `all rows fit the terminal`(columns: Int) throws {
    let long = String(repeating: "wörter und 漢字 ", count: 30)
    for rows in [7, 12, 24] {
      for foot in [ReviewPicture.Foot.keys, .help, .allOf(.accept), .message(long)] {
        let lines = try lines(
          "> echo \(long)\n  \(long.dropFirst())\n",
          columns: columns,
          rows: rows
        ) {
          $0.foot = foot
        }
        #expect(lines.allSatisfy { $0.widthInColumns < columns })
        #expect(lines.count < rows)
      }
    }
  }

  @Test(arguments: [37, 40, 60, 72, 73, 100])
  func `the help of the keys is complete in every width`(columns: Int) throws {
    let lines = try lines(text, columns: columns, rows: 24) { $0.foot = .help }

    #expect(lines.contains { $0.hasPrefix("q  leave") })
    for key in ["a", "r", "s", "u", "A", "R", "o", "n", "b", "j", "k", "space"] {
      #expect(lines.contains { " \($0)".contains(" \(key) ") })
    }
    #expect(!lines.dropFirst().contains { $0.contains("…") })
  }

  @Test func `a message that is too long for a row is wrapped`() throws {
    let lines = try lines(text, columns: 40) {
      $0.foot = .message(
        "t/a-rather-long-name.transcript: the file has changed since; nothing was written"
      )
    }

    #expect(
      lines.suffix(4) == [
        "", "t/a-rather-long-name.transcript: the", "file has changed since; nothing was",
        "written",
      ]
    )
  }

  @Test func `a long difference is shown in pages`() throws {
    let words = (0..<100).map { "w\($0)" }.joined(separator: ",")
    let (review, _) = try review("> lines \(words)\n")
    var picture = ReviewPicture(columns: 80, rows: 20, colour: false)
    var seen: Set<String> = []
    while true {
      let rows = picture.lines(review)
      seen.formUnion(rows.filter { $0.hasPrefix("+") })
      #expect(rows.count < 20)
      if picture.scrolled >= picture.scrollLimit(review) { break }
      picture.scrolled += picture.page(review)
    }
    #expect(seen.count == 100)
  }

  @Test func `characters that move the cursor are spelled out`() throws {
    let lines = try lines("> echo \u{1B}[2J\n  \u{202E}x\n")

    #expect(lines.allSatisfy { !$0.contains("\u{1B}") && !$0.contains("\u{202E}") })
  }
}
