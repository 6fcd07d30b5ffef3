import FakePerformer
import Foundation
import RehearsalBase
import Testing

@testable import Harness

/// Files that another program writes at the same time.
@Suite struct FilesChangingTests {
  @Test func `a file that was saved in the meantime is not overwritten`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.transcript"
    try folder.write("a.transcript", "mine\n")

    #expect(throws: FileProblem.changed) {
      try AtomicFile.write(Array("new\n".utf8), to: path, replacing: Array("old\n".utf8))
    }
    #expect(try folder.text("a.transcript") == "mine\n")
    #expect(try folder.names == ["a.transcript"])
  }

  @Test func `a failure shows no text of a file that was saved during the play`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "> echo a\n  a\n> save a.transcript\n")

    #expect(
      try HostRun(in: folder, ["."]).text == """
        a.transcript:3: crashed, by an abort
        note: the file has changed in the meantime; this result is about its old content
        hint: if this is intended, end its output with 'error: crashed, by an abort'

        0 passed, 1 failed

        """
    )
  }

  @Test func `a page that changes after the selection of its fences fails the run`() throws {
    let folder = try TemporaryFolder()
    let fence = "```transcript\n# tags: x\n> echo a\n  a\n```\n"
    try folder.write("a.transcript", "# tags: x\n> save p.md\n  error: crashed, by an abort\n")
    try folder.write("p.md", fence + fence)
    let run = try HostRun(in: folder, ["--jobs", "1", "--filter", "tag:x", "."])

    #expect(run.code == 1)
    #expect(run.text.contains("error: p.md: it has changed since it was read\n"))
    #expect(run.text.contains("3 passed"))
    let again = try HostRun(in: folder, ["--filter", "tag:x", "p.md"])
    #expect(again == HostRun(code: 0, text: "2 passed\n"))
  }

  @Test func `a file that was deleted in the meantime is not created again`() throws {
    let folder = try TemporaryFolder()

    #expect(throws: FileProblem.missing) {
      try AtomicFile.write([2], to: folder.path + "/a.transcript", replacing: [1])
    }
    #expect(try folder.names.isEmpty)
  }

  @Test func `two updates with the same result both succeed`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.transcript"
    try folder.write("a.transcript", "new\n")
    try AtomicFile.write(Array("new\n".utf8), to: path, replacing: Array("old\n".utf8))

    #expect(try folder.text("a.transcript") == "new\n")
  }

  @Test func `an update notices that the transcript is no longer the one that was played`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.transcript"
    try folder.write("a.transcript", "> echo a\n")
    let plays = accepted(path, Array("> echo a\n".utf8))
    try folder.write("a.transcript", "> echo b\n")
    let written = record(plays, path)

    #expect(plays.map(\.outcome) == [.updated])
    #expect(written.first?.outcome == .failed)
    #expect(written.first?.failures.map(\.problem) == [.file(.changed)])
    #expect(try folder.text("a.transcript") == "> echo b\n")
  }

  @Test func `an update that another process has already made succeeds`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.md"
    let fences = { (first: String, second: String) in
      "```transcript\n> echo a\n\(first)```\n```transcript\n> echo b\n\(second)```\n"
    }
    let plays = accepted(path, Array(fences("", "").utf8))
    try folder.write("a.md", fences("  a\n", "  b\n"))
    let written = record(plays, path)

    #expect(plays.map(\.outcome) == [.updated, .updated])
    #expect(written == plays)
    #expect(try folder.text("a.md") == fences("  a\n", "  b\n"))

    try folder.write("a.md", fences("  a\n", "  c\n"))
    #expect(record(plays, path).map(\.hasFailed) == [true, true])
    #expect(try folder.text("a.md") == fences("  a\n", "  c\n"))
  }

  /// Returns the results that an update reports for the transcripts of a file, before it writes the file.
  private func accepted(_ path: String, _ bytes: [UInt8]) -> [TranscriptPlay] {
    var plays: [TranscriptPlay] = []
    var options = TranscriptRunner.Options()
    options.update = .evenInCI
    for (fence, transcript) in Transcripts.parse(path, bytes, for: nil).enumerated() {
      TranscriptPlay.perform(
        transcript,
        file: 0,
        fence: fence,
        place: 0,
        base: FNV1a.hash(bytes),
        options,
        { FakePerformer($0, $1) },
        report: { plays.append($0) }
      )
    }
    return plays
  }

  private func record(_ plays: [TranscriptPlay], _ path: String) -> [TranscriptPlay] {
    AcceptedOutput(plays, [.init(path: path, isNamed: true)]).plays
  }

  @Test func `a file is read completely while it is replaced or written`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    let sizes = [10, 1 << 20]
    try folder.write("a", Array(repeating: 0x61, count: sizes[0]))
    let writer = Thread {
      for round in 0..<60 {
        let file = open(path, O_WRONLY | O_TRUNC)
        let byte = UInt8(0x61 + round % 2)
        let bytes = [UInt8](repeating: byte, count: sizes[round % 2])
        _ = write(file, bytes, bytes.count)
        close(file)
        let whole = [UInt8](repeating: byte, count: sizes[(round + 1) % 2])
        try? AtomicFile.write(whole, to: path)
      }
      try? AtomicFile.write([0x7A], to: path)
    }
    writer.start()
    while true {
      guard let bytes = try? FileBytes.readAny(path, limitInBytes: 1 << 21) else { continue }
      #expect(bytes.allSatisfy { $0 == bytes.first })
      if bytes == [0x7A] { break }
    }
  }
}
