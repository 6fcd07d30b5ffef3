import LibC
import Rehearsal
import Testing

/// The file of `record` while a session goes back in time.
@MainActor @Suite final class DiskFilesTests {
  private let folder: String
  private let path: String

  init() throws {
    var template = Array("/tmp/rehearse-recording.XXXXXX".utf8CString)
    folder = String(cString: try #require(mkdtemp(&template)))
    path = folder + "/session.transcript"
  }

  deinit {
    for name in ["session.transcript", "elsewhere"] { unlink(folder + "/" + name) }
    rmdir(folder)
  }

  private func text() throws -> String {
    String(decoding: try DiskFiles().readAny(path, limitInBytes: 1000), as: UTF8.self)
  }

  private func status() -> stat {
    var status = stat()
    stat(path, &status)
    return status
  }

  @Test func `text after the kept beginning is replaced, and the file grows again`() throws {
    let file = try DiskFiles().append(to: path)
    try file.append("a\nb\nc\n")
    try file.replace(after: 2, with: "d\n")
    try file.append("e\n")
    #expect(try text() == "a\nd\ne\n")
    file.close()
  }

  @Test func `a reader sees the old lines or the new ones`() throws {
    let file = try DiskFiles().append(to: path)
    try file.append("a\nb\nc\n")
    chmod(path, 0o640)
    let old = status()
    let reader = open(path, O_RDONLY)
    try file.replace(after: 2, with: "d\n")
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(read(reader, &bytes, bytes.count) == 6)
    #expect(String(decoding: bytes[..<6], as: UTF8.self) == "a\nb\nc\n")
    #expect(status().st_ino != old.st_ino)
    #expect(status().st_mode == old.st_mode)
    close(reader)
    file.close()
  }

  @Test func `a file that was replaced by another one is left alone`() throws {
    let file = try DiskFiles().append(to: path)
    try file.append("a\nb\n")
    rename(path, folder + "/elsewhere")
    let other = try DiskFiles().append(to: path)
    try other.append("theirs\n")
    try file.replace(after: 2, with: "c\n")
    #expect(try text() == "theirs\n")
    other.close()
    file.close()
  }

  @Test func `a file that another program deletes or writes is an error`() throws {
    let gone = try DiskFiles().append(to: path)
    try gone.append("a\n")
    unlink(path)
    #expect(throws: FileProblem.missing) { try gone.append("b\n") }
    #expect(throws: FileProblem.missing) { try gone.replace(after: 0, with: "c\n") }
    gone.close()
    let file = try DiskFiles().append(to: path)
    try file.append("a\n")
    try file.replace(after: 0, with: "longer\n")
    try file.append("b\n")
    truncate(path, 0)
    #expect(throws: FileProblem.changed) { try file.append("c\n") }
    #expect(throws: FileProblem.changed) { try file.replace(after: 2, with: "d\n") }
    file.close()
  }
}
