import FakePerformer
import Foundation
import LibC
import Testing

@testable import Harness

@Suite struct RunningFilesTests {
  private func selected(
    _ folder: TemporaryFolder,
    _ names: [String] = [""]
  ) -> [String] {
    let paths = names.map { $0.isEmpty ? folder.path : folder.path + "/" + $0 }
    return TranscriptSelection(paths: paths).entries.map {
      String($0.path.dropFirst(folder.path.count + 1))
    }
  }

  @Test func `folders are searched, and files sorted by bytes`() throws {
    let folder = try TemporaryFolder()
    for name in ["b.transcript", "a/z.md", "a.transcript", "B.md", "é.md", ".git/c.md", "a/n.txt"] {
      try folder.write(name, "> echo\n")
    }

    #expect(selected(folder) == ["B.md", "a.transcript", "a/z.md", "b.transcript", "é.md"])
    #expect(selected(folder, ["a", "", "b.transcript", "a/"]).count == 5)
    #expect(selected(folder, ["a/n.txt"]) == ["a/n.txt"])
  }

  @Test func `links are followed, and a cycle of links is reported`() throws {
    let folder = try TemporaryFolder()
    try folder.write("real/a.transcript", "> echo\n")
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "real")
    try files.createSymbolicLink(atPath: folder.path + "/real/up", withDestinationPath: "..")
    try files.createSymbolicLink(atPath: folder.path + "/self.md", withDestinationPath: "self.md")
    let entries = TranscriptSelection(paths: [folder.path]).entries
    let loops = entries.filter { $0.problem == .symlinkLoop }.map(\.path)

    #expect(entries.contains { $0.path.hasSuffix("link/a.transcript") && $0.problem == nil })
    #expect(loops.contains(folder.path + "/self.md"))
    #expect(loops.contains(folder.path + "/real/up"))
  }

  @Test func `deep folders are searched on a small stack`() async throws {
    let folder = try TemporaryFolder()
    var paths = [folder.path]
    for _ in 0..<1_500 {
      paths.append(paths[paths.count - 1] + "/d")
      try #require(mkdir(paths[paths.count - 1], 0o700) == 0)
    }
    let file = paths[paths.count - 1] + "/a.transcript"
    try AtomicFile.write(Array("> echo\n".utf8), to: file)
    defer {
      unlink(file)
      for path in paths.dropFirst().reversed() { rmdir(path) }
    }
    let found = await withCheckedContinuation { continuation in
      let thread = Thread { [root = folder.path] in
        continuation.resume(returning: TranscriptSelection(paths: [root]).entries.map(\.path))
      }
      thread.stackSize = 256 << 10
      thread.start()
    }

    #expect(found == [file])
  }

  @Test func `nonblocking standard input is read to its end`() throws {
    let (input, output) = try Descriptor.makePipe(isNonblocking: true)
    let writer = Thread {
      for text in ["loadable ", "a\n"] {
        usleep(50_000)
        try? Descriptor.write(Array(text.utf8), to: output)
      }
      close(output)
    }
    writer.start()

    #expect(try FileBytes.readInput(from: input) == Array("loadable a\n".utf8))
    close(input)
  }

  @Test func `a file is refused with reason and place`() throws {
    let folder = try TemporaryFolder()
    try folder.write("latin.transcript", Array("> echo a\n  caf".utf8) + [0xE9, 0x0A])
    mkfifo(folder.path + "/pipe", 0o600)

    #expect(throws: FileProblem.notUTF8(line: 2)) {
      try FileBytes.read(folder.path + "/latin.transcript")
    }
    #expect(throws: FileProblem.missing) { try FileBytes.read(folder.path + "/none") }
    #expect(throws: FileProblem.folder) { try FileBytes.read(folder.path) }
    #expect(throws: FileProblem.notAFile) { try FileBytes.read(folder.path + "/pipe") }
    #expect(
      Transcripts.in(folder.path).map { $0.replay { FakePerformer($0, $1) } }.joined().map(
        \.message
      )
        == ["line 2 is not UTF-8"]
    )
  }

  @Test func `a folder without a transcript fails a test that is given its transcripts`() throws {
    let folder = try TemporaryFolder()
    let problems = { (path: String) in
      Transcripts.in(path).flatMap { $0.replay { FakePerformer($0, $1) } }.map(\.problem)
    }

    #expect(problems(folder.path) == [.file(.noTranscript)])
    #expect(problems(folder.path + "/none") == [.file(.missing)])
  }

  @Test func `a file is replaced completely, keeps its mode and leaves no other file`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", "old")
    chmod(folder.path + "/a", 0o640)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link",
      withDestinationPath: "a"
    )
    try AtomicFile.write(Array("new".utf8), to: folder.path + "/link")
    var status = stat()
    stat(folder.path + "/a", &status)

    #expect(try folder.text("a") == "new")
    #expect(status.st_mode & 0o777 == 0o640)
    #expect(try folder.names == ["a", "link"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/link") == "a")
  }

  @Test func `a file that cannot be written says why`() {
    #expect(throws: FileProblem.missing) { try AtomicFile.write([1], to: "/nowhere/at/all") }
  }
}
