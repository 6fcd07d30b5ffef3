import Foundation
import RehearsalBase
import Testing

@testable import Harness

@Suite struct ReviewingSelectionTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["a.transcript", "x/b.md", "x/c:12", "x/c"] {
      try folder.write(name, "> echo\n")
      let result = PendingResult(
        base: FNV1a.hash("> echo\n".utf8),
        content: Array("> echo\n  \n".utf8)
      )
      try folder.write(name + ".pending", result.bytes)
    }
    try folder.write("none.transcript", "> echo\n")
    try folder.write("foreign.pending", "something else\n")
    try folder.write(".git/d.pending", PendingResult(base: 0, content: []).bytes)
    return folder
  }

  private func found(_ arguments: String...) throws -> [String] {
    let folder = try folder()
    let selection = PendingSelection(arguments.map { folder.path + "/" + $0 }, in: .beside)
    let entries = selection.entries.map { "\($0.path)\($0.isWhole ? "" : " \($0.lines)")" }
    let missing = selection.missing.map { "\($0.argument): \($0.reason)" }
    return (entries + missing).map { $0.replacing(folder.path + "/", with: "") }
  }

  @Test func `a folder selects all pending results below it`() throws {
    #expect(try found("") == ["a.transcript", "x/b.md", "x/c", "x/c:12"])
    #expect(try found("x") == ["x/b.md", "x/c", "x/c:12"])
    #expect(try found("x/") == ["x/b.md", "x/c", "x/c:12"])
  }

  @Test func `the pending result of a hidden file is found in its folder`()
    throws
  {
    let folder = try folder()
    try folder.write(".e.transcript", "> echo\n")
    let result = PendingResult(
      base: FNV1a.hash("> echo\n".utf8),
      content: Array("> echo\n  \n".utf8)
    )
    try folder.write(".e.transcript.pending", result.bytes)

    let found = PendingSelection([folder.path], in: .beside).entries.map(\.path)
    #expect(found.contains { $0.hasSuffix("/.e.transcript") })
  }

  @Test func `a file is selected by its name or that of its pending result`() throws {
    #expect(try found("a.transcript") == ["a.transcript"])
    #expect(try found("a.transcript.pending") == ["a.transcript"])
    #expect(try found("a.transcript", "a.transcript:3") == ["a.transcript"])
  }

  @Test func `a line number is removed, unless the file has that name`() throws {
    #expect(try found("a.transcript:3", "a.transcript:7") == ["a.transcript [3, 7]"])
    #expect(try found("x/c:12") == ["x/c:12"])
    #expect(try found("x/c:13") == ["x/c [13]"])
    #expect(try found("x/c:12:4") == ["x/c:12 [4]"])
  }

  @Test func `a missing pending result is reported with the reason`() throws {
    #expect(
      try found(
        "none.transcript",
        "none.transcript:3",
        "gone",
        "gone:3",
        "gone:0",
        "a.transcript:0",
        "a.transcript:2-4",
        "none.transcript:x"
      ) == [
        "none.transcript: nothing is pending here", "none.transcript:3: nothing is pending here",
        "gone: there is no such file", "gone:3: there is no such file",
        "gone:0: there is no such file", "a.transcript:0: lines are counted from 1",
        "a.transcript:2-4: '2-4' is not the number of one line",
        "none.transcript:x: 'x' is not the number of one line",
      ]
    )
  }

  @Test func `in a folder of pending results the paths are those of the files`() throws {
    let (tree, other) = (try folder(), try TemporaryFolder())
    let place = PendingPlace(folder: other.path)
    let file = tree.path + "/x/b.md"
    let pending = place.path(for: file)
    try other.write(
      String(pending.dropFirst(other.path.count + 1)),
      PendingResult(base: 0, content: []).bytes
    )

    for argument in [file, file + ":3", tree.path, tree.path + "/x"] {
      let entries = PendingSelection([argument], in: place).entries
      #expect(entries.map(\.path) == [file])
      #expect(entries.map(\.place) == [pending])
    }
    #expect(PendingSelection([tree.path + "/a.transcript"], in: place).entries.isEmpty)
  }

  @Test(arguments: ["", "/", "//"])
  func `the current folder selects everything in a folder of pending results`(end: String) throws {
    let other = try TemporaryFolder()
    for name in ["a.transcript", "x/b.md", "@root/y/c.md"] {
      try other.write(name + ".pending", PendingResult(base: 0, content: []).bytes)
    }
    let place = PendingPlace(folder: other.path + end)
    let current = try #require(Folder.realPath("."))

    for argument in [".", "./", current] {
      let found = PendingSelection([argument], in: place)
      #expect(found.entries.map(\.path) == ["/y/c.md", "a.transcript", "x/b.md"])
      #expect(found.missing.isEmpty)
    }
    #expect(PendingSelection(["x"], in: place).entries.map(\.path) == ["x/b.md"])
    #expect(PendingSelection(["/y"], in: place).entries.map(\.path) == ["/y/c.md"])
  }
}
