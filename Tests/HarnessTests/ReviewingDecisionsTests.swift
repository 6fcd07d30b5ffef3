import FakePerformer
import Foundation
import Testing

@testable import Harness

@Suite struct ReviewingDecisionsTests {
  private let text = "# why\n> echo a\n  x\n\n> echo b\n  b\n# c\n> lines c,d\n  y\n  d\n"

  /// A folder with a file and its pending result, as after a run.
  private func folder(_ text: String, name: String = "a.transcript") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(name, text)
    Self.play(folder.path)
    return folder
  }

  private static func play(_ folder: String) {
    var options = TranscriptRunner.Options()
    options.pending = .beside
    let runner = TranscriptRunner(options: options) { FakePerformer($0, $1) }
    _ = runner.runInProcess(paths: [folder]) { _ in }
  }

  private func open(
    _ folder: TemporaryFolder,
    _ name: String = "a.transcript"
  ) throws(PendingProblem) -> PendingFile {
    let path = folder.path + "/" + name
    return try PendingFile(path: path, place: path + ".pending")
  }

  @Test func `each command with different output needs a decision`() throws {
    let file = try open(try folder(text))

    #expect(file.hunks.map(\.command) == ["echo a", "lines c,d"])
    #expect(file.hunks.map(\.line) == [3, 9])
    #expect(file.hunks.map(\.lines) == [2...4, 8...10])
    #expect(file.hunks[1].diff.map(\.text) == ["y", "c", "d"])
  }

  @Test func `a hunk that was accepted through another name of the file is done`() throws {
    let folder = try TemporaryFolder(["x/a.transcript": text])
    symlink("x/a.transcript", folder.path + "/link.transcript")
    Self.play(folder.path)
    var (first, second) = (try open(folder, "x/a.transcript"), try open(folder, "link.transcript"))
    try first.carryOut([.accept, .accept])
    try second.carryOut([.accept, .accept])

    #expect(try folder.names == ["link.transcript", "x"])
    #expect(try folder.text("link.transcript").hasPrefix("# why\n> echo a\n  a\n"))
  }

  @Test func `one hunk can be accepted while the other stays open`() throws {
    let folder = try folder(text)
    var file = try open(folder)
    try file.carryOut([.accept, nil])

    #expect(try folder.text("a.transcript") == text.replacing("  x\n", with: "  a\n"))
    let left = try open(folder)
    #expect(left.hunks.map(\.command) == ["lines c,d"])
  }

  /// Messages of a run name a line for each hunk. Accepting one of them moves the lines of the others.
  @Test func `line numbers are those of the run, even after a part was accepted`() throws {
    let folder = try folder("> echo a\n  x\n  y\n> lines b,c\n  b\n> echo d\n> echo e\n  z\n")
    for (accepted, lines) in [(1, [1...3, 4...5, 6...6, 7...8]), (1, [1...3, 6...6, 7...8])] {
      var file = try open(folder)
      #expect(file.hunks.map(\.lines) == lines)
      try file.carryOut(file.hunks.indices.map { $0 == accepted ? .accept : nil })
    }
    var file = try open(folder)
    #expect(file.hunks.map(\.lines) == [1...3, 7...8])
    #expect(file.hunks.map(\.line) == [2, 8])
    try file.carryOut(file.decisions(.accept, atLines: [8]).decisions)

    #expect(
      try folder.text("a.transcript")
        == "> echo a\n  x\n  y\n> lines b,c\n  b\n  c\n> echo d\n  d\n> echo e\n  e\n"
    )
    Self.play(folder.path)
    #expect(try open(folder).hunks.map(\.lines) == [1...3])
  }

  @Test func `a rejected hunk keeps the expected output and is not offered again`() throws {
    let folder = try folder(text)
    var file = try open(folder)
    try file.carryOut([.reject, nil])
    let left = try open(folder)

    #expect(try folder.text("a.transcript") == text)
    #expect(left.hunks.map(\.command) == ["lines c,d"])
    try file.carryOut([.reject, .reject])
    #expect(try folder.names == ["a.transcript"])
  }

  @Test func `a written decision can be undone`() throws {
    let folder = try folder(text)
    let pending = try folder.text("a.transcript.pending")
    var file = try open(folder)
    try file.carryOut([.accept, .accept])
    #expect(try folder.names == ["a.transcript"])
    try file.carryOut([nil, nil])

    #expect(try folder.text("a.transcript") == text)
    #expect(try folder.text("a.transcript.pending") == pending)
  }

  @Test func `a file that has changed in the meantime is not written`() throws {
    let folder = try folder(text)
    var file = try open(folder)
    try folder.write("a.transcript", text + "# more\n")

    #expect(throws: PendingProblem.changed) { try file.carryOut([.accept, .accept]) }
    #expect(try folder.text("a.transcript") == text + "# more\n")
    #expect(try folder.names == ["a.transcript", "a.transcript.pending"])
    #expect(throws: PendingProblem.changed) { try open(folder) }
  }

  @Test func `a pending result without its file, or with other changes, is reported`() throws {
    let folder = try folder(text)
    let result = try #require(
      PendingResult(bytes: Array(try folder.text("a.transcript.pending").utf8))
    )
    let more = PendingResult(base: result.base, content: result.content + Array("# more\n".utf8))
    try folder.write("a.transcript.pending", more.bytes)
    #expect(throws: PendingProblem.unfit) { try open(folder) }

    try folder.write("a.transcript.pending", "nothing\n")
    #expect(throws: PendingProblem.noResult) { try open(folder) }

    try folder.write("gone.transcript.pending", result.bytes)
    #expect(throws: PendingProblem.orphaned) { try open(folder, "gone.transcript") }
    #expect(throws: PendingProblem.unreadable(.missing)) { try open(folder, "none") }
  }

  @Test(arguments: ["-44 0", "0 -8", "9223372036854775807 0"])
  func `a pending result that moves lines out of the file is invalid`(moves: String) throws {
    let folder = try folder(text)
    let pending = try folder.text("a.transcript.pending")
    let lines = pending.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    try folder.write("a.transcript.pending", "\(lines[0]) moved \(moves)\n\(lines[1])")
    #expect(throws: PendingProblem.noResult) { try open(folder) }

    Self.play(folder.path)
    #expect(try folder.text("a.transcript.pending") == pending)
  }

  @Test(arguments: [
    "> echo a", "> echo a\r\n  x\r\n> echo b\r\n", "> echo a\n  x\n-- f --\n> echo",
    "\u{FEFF}> echo a\n",
    "> lines a,b\n  x\n# note\n\n  b\n\n\n", "> shout 1\n. 2\n  got\n# end",
  ])
  func `accepting all hunks one by one gives the same file as an update`(text: String) throws {
    let folder = try folder(text)
    let wanted = try #require(
      PendingResult(bytes: Array(try folder.text("a.transcript.pending").utf8))
    )
    while try folder.names.count > 1 {
      var file = try open(folder)
      try file.carryOut([.accept] + Array(repeating: nil, count: file.hunks.count - 1))
    }
    #expect(try FileBytes.read(folder.path + "/a.transcript") == wanted.content)
  }

  @Test func `fences of one file are decided one by one`() throws {
    let text = "- x\n  ```transcript\n  > echo 1\n    0\n  ```\n\n```transcript\n> echo 2\n```\n"
    let folder = try folder(text, name: "b.md")
    var file = try open(folder, "b.md")

    #expect(file.hunks.map(\.lines) == [3...4, 8...8])
    try file.carryOut([nil, .accept])
    #expect(try folder.text("b.md") == text.replacing("echo 2\n", with: "echo 2\n  2\n"))
    file = try open(folder, "b.md")
    try file.carryOut([.accept])
    #expect(try folder.text("b.md").contains("  > echo 1\n    1\n  ```\n"))
  }

  @Test func `accepting a hunk again through another name changes nothing`() throws {
    let folder = try folder(text)
    let link = folder.path + "/link.transcript"
    try FileManager.default.createSymbolicLink(
      atPath: link,
      withDestinationPath: folder.path + "/a.transcript"
    )
    try folder.write("link.transcript.pending", folder.text("a.transcript.pending"))
    var file = try open(folder, "link.transcript")
    try file.carryOut([.accept, .accept])

    #expect(throws: PendingProblem.empty) { _ = try open(folder) }
  }

  // MARK: Moving through the items

  private func review(_ count: Int) throws -> Review {
    let text = (0..<count).map { "> echo \($0)\n" }.joined()
    let folder = try folder(text)
    try folder.write("b.transcript", "> echo x\n")
    Self.play(folder.path)
    return Review([try open(folder), try open(folder, "b.transcript")])
  }

  @Test func `a decision moves to the next open item and wraps around`() throws {
    var review = try review(2)
    #expect(review.take(.next) == [])
    #expect(review.take(.decide(.accept)) == [0])
    #expect(review.cursor == 2)
    #expect(review.take(.decide(.reject)) == [1])
    #expect(review.cursor == 0)
    #expect(!review.isOver)
    #expect(review.take(.skip) == [])
    #expect(review.isOver)
    #expect(review.items.map(\.decision) == [nil, .accept, .reject])
  }

  @Test
  func `all open items of a file, or all open items, can be decided at once`()
    throws
  {
    var review = try review(3)
    _ = review.take(.decide(.reject))
    #expect(review.take(.decideFile(.accept)) == [0])
    #expect(review.items.map(\.decision) == [.reject, .accept, .accept, nil])
    #expect(review.path.hasSuffix("b.transcript"))
    _ = review.take(.undo)
    #expect(review.items.map(\.decision) == [.reject, nil, nil, nil])
    #expect(review.take(.decideAll(.accept)) == [0, 1])
    #expect(review.isOver)
  }

  @Test func `a decision that could not be written stays open`() throws {
    let folder = try folder("> echo a\n> echo b\n> echo c\n")
    var review = Review([try open(folder)])
    for file in review.take(.decide(.accept)) { try review.carryOut(file) }
    try folder.write("a.transcript", "# mine\n" + folder.text("a.transcript"))
    #expect(review.take(.decideAll(.reject)) == [0])
    #expect(throws: PendingProblem.changed) { try review.carryOut(0) }

    #expect(review.items.map(\.decision) == [.accept, nil, nil])
    #expect(review.isOver)
  }

  @Test func `every step can be undone`() throws {
    var review = try review(2)
    _ = review.take(.decide(.accept))
    _ = review.take(.skip)
    _ = review.take(.decide(.reject))
    #expect(review.take(.undo) == [1])
    #expect(review.take(.undo) == [])
    #expect(review.take(.undo) == [0])
    #expect(!review.canUndo)
    #expect(review.take(.undo) == [])
    #expect(review.cursor == 0)
    #expect(review.items.allSatisfy { $0.isOpen })
  }

  // MARK: Concurrent changes

  @Test func `an edit that is saved while a decision is written is not lost`() throws {
    let folder = try folder(text)
    let (path, mine) = (folder.path, text + "# mine\n")
    let writing = try HeldFile(path + "/.a.transcript.new")
    let deciding = Thread {
      var file = try? PendingFile(
        path: path + "/a.transcript",
        place: path + "/a.transcript.pending"
      )
      try? file?.carryOut([.accept, nil])
    }
    deciding.start()
    #expect(isLocked(path))
    try folder.write("a.transcript", mine)
    writing.release()
    while !deciding.isFinished { usleep(1000) }

    #expect(try folder.text("a.transcript") == mine)
  }

  @Test func `a pending result that is written during a review fits the file`() throws {
    let folder = try folder(text)
    let path = folder.path
    var file = try open(folder)
    unlink(file.place)
    let writing = try HeldFile(path + "/.a.transcript.pending.new")
    let playing = Thread { Self.play(path) }
    playing.start()
    #expect(isLocked(path))
    writing.release()
    try file.carryOut([.accept, nil])
    while !playing.isFinished { usleep(1000) }

    #expect(try open(folder).hunks.map(\.command) == ["lines c,d"])
  }
}

/// Whether another process locks the files of a folder. Waits for it, up to a limit.
private func isLocked(_ path: String) -> Bool {
  for _ in 0..<5000 {
    let folder = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(folder) }
    if flock(folder, LOCK_EX | LOCK_NB) != 0 { return true }
    usleep(1000)
  }
  return false
}

/// A file that another process seems to be writing.
private struct HeldFile {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(flock(descriptor, LOCK_EX) == 0)
  }

  func release() { close(descriptor) }
}
