import FakePerformer
import Foundation
import RehearsalBase
import Testing

@testable import Harness

@Suite struct ReviewingPendingTests {
  private func run(
    _ folder: TemporaryFolder,
    _ pending: PendingPlace? = .beside,
    failFast: Bool = false
  ) -> (code: ProgramExit, text: String) {
    var options = TranscriptRunner.Options()
    options.isCI = false
    options.pending = pending
    options.failFast = failFast
    var text = ""
    let runner = TranscriptRunner(options: options) { FakePerformer($0, $1) }
    let code = runner.runInProcess(paths: [folder.path]) { text += $0 }
    return (code, text.replacing(folder.path, with: "F"))
  }

  private func pending(_ folder: TemporaryFolder, _ name: String) throws -> PendingResult? {
    PendingResult(bytes: Array(try folder.text(name).utf8))
  }

  @Test func `a difference leaves a pending result and an unchanged file`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "> echo a\n  b\n")
    let result = run(folder)
    let pending = try #require(try pending(folder, "a.transcript.pending"))

    #expect(result.code == .differences)
    #expect(result.text.contains("to accept: rehearse accept F/a.transcript:2\n"))
    #expect(try folder.text("a.transcript") == "> echo a\n  b\n")
    #expect(String(decoding: pending.content, as: UTF8.self) == "> echo a\n  a\n")
    #expect(pending.fits(Array("> echo a\n  b\n".utf8)))
    #expect(!pending.fits(Array("> echo a\n  c\n".utf8)))
  }

  @Test func `all fences of a file are in one pending result, except those with other mistakes`()
    throws
  {
    let folder = try TemporaryFolder()
    let text =
      "```transcript\n> echo 1\n```\n```transcript\n> echo x\n  y\nstray\n```\n"
      + "- a\n  ```transcript\n  > echo 2\n    3\n  ```\n"
    try folder.write("b.md", text)
    _ = run(folder)
    let pending = try #require(try pending(folder, "b.md.pending"))

    #expect(
      String(decoding: pending.content, as: UTF8.self)
        == "```transcript\n> echo 1\n  1\n```\n```transcript\n> echo x\n  y\nstray\n```\n"
        + "- a\n  ```transcript\n  > echo 2\n    2\n  ```\n"
    )
  }

  @Test func `the folder of pending results exists even if there are none`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "> echo a\n  a\n")
    let place = PendingPlace(folder: folder.path + "/out/pending")

    #expect(run(folder, place).code == .success)
    #expect(Folder.isFolder(folder.path + "/out/pending"))
  }

  @Test func `a passing run removes the pending result of its file only`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "> echo a\n  b\n")
    try folder.write("b.transcript", "> echo b\n  c\n")
    _ = run(folder)
    try folder.write("a.transcript", "> echo a\n  a\n")
    _ = run(folder)

    #expect(
      try folder.names == ["a.transcript", "b.transcript", "b.transcript.pending"]
    )
  }

  @Test(arguments: ["> echo a\n  b\nstray\n", "> echo a\n  b\n> quit\n> echo b\n", ""])
  func `a run of a file with other mistakes removes an outdated pending result`(
    text: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "> echo a\n  b\n")
    _ = run(folder)
    #expect(try folder.names == ["a.transcript", "a.transcript.pending"])
    try folder.write("a.transcript", text)
    _ = run(folder)

    #expect(try folder.names == ["a.transcript"])
  }

  @Test func `a name that is too long for a pending result is reported`() throws {
    let folder = try TemporaryFolder()
    try folder.write(String(repeating: "a", count: 240) + ".transcript", "> echo a\n  b\n")
    try folder.write("b.transcript", "> echo b\n  c\n")
    let text = run(folder).text

    #expect(text.contains("note: no pending result: its name would be too long for the disk\n"))
    #expect(text.contains("to accept: rehearse test --update F/aaa"))
    #expect(text.contains("to accept: rehearse accept F/b.transcript:2\n"))
  }

  @Test func `output that differs in every play leaves no pending result, with a reason`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "> clock\n  0\n")
    let result = run(folder)

    #expect(
      result.text.contains("note: no pending result: a transcript that expects this fails, too; ")
    )
    #expect(!result.text.contains("to accept"))
    #expect(try folder.names == ["a.transcript"])
  }

  @Test func `a hint removes an unusable pending result at its path`() {
    let place = PendingPlace(folder: "out/")

    #expect(PendingProblem.orphaned.hint("a b", in: .beside) == "remove it: rehearse reject 'a b'")
    #expect(
      PendingProblem.changed.hint("a", in: place)
        == "run the test again: rehearse test a; or remove it: rehearse reject --pending out a"
    )
  }

  @Test(arguments: ["> echo a\n  b\nstray\n", "> echo a\n  b\n> quit\n> echo b\n", "> much\n"])
  func `a transcript with another mistake leaves no pending result`(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", text)
    _ = run(folder)

    #expect(try folder.names == ["a.transcript"])
  }

  @Test func `without a location no pending result is written`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "> echo a\n")

    #expect(run(folder, nil).code == .differences)
    #expect(try folder.names == ["a.transcript"])
  }

  @Test func `another folder mirrors the paths, and the tree is not touched`() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    try folder.write("x/a.transcript", "> echo a\n")
    let place = PendingPlace(folder: other.path + "/new")
    let result = run(folder, place)
    let path = place.path(for: folder.path + "/x/a.transcript")

    #expect(path == other.path + "/new/@root" + folder.path + "/x/a.transcript.pending")
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(place.file(of: path) == folder.path + "/x/a.transcript")
    #expect(result.text.contains("accept --pending \(other.path)/new F/x/a.transcript:1\n"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/x") == ["a.transcript"]
    )
  }

  @Test(arguments: ["a.transcript", "docs/b.md", "x/y/c:12.transcript"])
  func `the path of a pending result leads back to its file`(path: String) {
    let place = PendingPlace(folder: "out")

    #expect(place.path(for: path) == "out/\(path).pending")
    #expect(place.file(of: "out/\(path).pending") == path)
    #expect(PendingPlace.beside.file(of: PendingPlace.beside.path(for: path)) == path)
    #expect(PendingPlace.beside.file(of: path) == nil)
  }

  @Test func `a folder that cannot be written is one note, whatever the number of files`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c"] { try folder.write("\(name).transcript", "> echo a\n") }
    let result = run(folder, PendingPlace(folder: "/dev/null/x"))

    #expect(result.code == .differences)
    #expect(result.text.components(separatedBy: "no pending result was written").count == 2)
  }

  @Test func `a pending result that cannot be written is reported`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "out/b", "out/c"] { try folder.write("\(name).transcript", "> echo a\n") }
    // Folders at the paths of the files, which even root cannot overwrite.
    for name in ["b", "c"] {
      try folder.write("out/\(name).transcript.pending/full", "")
    }
    let text = run(folder).text

    #expect(
      text.contains(
        """
        note: F/out/b.transcript.pending and 1 more: the pending result was not written: this is a folder; \
        '--pending FOLDER' sets another folder

        """
      )
    )
    #expect(!text.contains("no pending result was written"))
    #expect(text.contains("to accept: rehearse accept F/a.transcript:1\n"))
  }

  @Test func `with '--fail-fast' only the first failed file gets a pending result`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] { try folder.write("\(name).transcript", "> echo a\n") }
    _ = run(folder, failFast: true)

    #expect(try folder.names == ["a.transcript", "a.transcript.pending", "b.transcript"])
  }

  @Test(arguments: [
    "", "#: pending for", "#: pending for 12\nx", "#: pending for 00000000000000zz\nx",
    "> echo a\n  a\n", "#: pending for 0000000000000001 moved\nx",
    "#: pending for 0000000000000001 moved 1 b\nx", "#: pending for 0000000000000001 1\nx",
    "#: pending for 0000000000000001 moved 9223372036854775807 0\nx",
    "#: pending for 0000000000000001 moved 0 -9223372036854775808\nx",
    "#: pending for 0000000000000001 failing\nx", "#: pending for 0000000000000001 failing 1 x\nx",
  ])
  func `a file of another kind is not a pending result`(text: String) {
    #expect(PendingResult(bytes: Array(text.utf8)) == nil)
  }

  @Test func `a pending result is read as it was written`() {
    for content in ["", "> a\n", "x\r\n\u{FEFF}"] {
      for moved in [[], [0, -12, 3]] {
        for failing in [[], [0, 12]] {
          let result = PendingResult(
            base: 0xAB,
            content: Array(content.utf8),
            moved: moved,
            failing: failing
          )
          #expect(PendingResult(bytes: result.bytes) == result)
        }
      }
    }
    #expect(FNV1a.hash("foobar".utf8) == 0x8594_4171_F739_67E8)
  }
}
