import LibC
import Testing

@testable import Harness

/// The files on the disk after a file was replaced, or could not be.
@Suite struct AtomicFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func mode(_ name: String) -> mode_t {
    var status = stat()
    return stat(folder.path + "/" + name, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  private func write(_ text: String, _ name: String = "f") throws(FileProblem) {
    try AtomicFile.write(Array(text.utf8), to: folder.path + "/" + name)
  }

  @Test func `a new file has the permissions that the umask leaves`() throws {
    // Read, not set, because the umask belongs to the whole process and other tests write meanwhile.
    let mask = umask(0o022)
    umask(mask)
    try write("new")
    #expect(mode("f") == 0o666 & ~mask)
    #expect(try folder.names == ["f"])
  }

  @Test func `a file that is replaced keeps its permissions`() throws {
    try folder.write("f", "old")
    chmod(folder.path + "/f", 0o640)
    try write("new")
    #expect(mode("f") == 0o640)
    #expect(try folder.text("f") == "new")
  }

  @Test func `a link stays a link, and leads to the new content`() throws {
    try folder.write("real", "old")
    symlink("real", folder.path + "/link")
    try write("new", "link")
    #expect(try folder.text("real") == "new")
    #expect(try folder.names == ["link", "real"])
  }

  @Test func `a write through a dangling link creates its target`() throws {
    symlink("later", folder.path + "/link")
    try write("new", "link")
    #expect(try folder.text("later") == "new")
    #expect(try folder.names == ["later", "link"])
  }

  @Test func `a link to itself is a problem`() {
    symlink("loop", folder.path + "/loop")
    #expect(throws: FileProblem.symlinkLoop) { try write("new", "loop") }
  }

  @Test(.enabled(if: geteuid() != 0))
  func `a folder that may not be written keeps the old file and nothing else`() throws {
    try folder.write("f", "old")
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    #expect(throws: FileProblem.notWritable) { try write("new") }
    #expect(try folder.text("f") == "old")
  }

  @Test func `a write removes the leftover of a killed process`() throws {
    try folder.write("f", "old")
    try folder.write(".f.new", "half")
    try write("new")
    #expect(try folder.text("f") == "new")
    #expect(try folder.names == ["f"])
  }

  @Test func `the leftover of a killed process can be removed without writing`() throws {
    try folder.write("f", "old")
    try folder.write(".f.new", "half")
    AtomicFile.removeLeftover(of: folder.path + "/f")
    #expect(try folder.names == ["f"])
    #expect(try folder.text("f") == "old")
  }

  @Test func `a file with a name of maximum length can be replaced`() throws {
    let name = String(repeating: "é", count: 127)
    try write("new", name)
    #expect(try folder.names == [name])
  }

  // MARK: New files

  private func create(_ text: String, _ name: String) throws(FileProblem) {
    try AtomicFile.create(Array(text.utf8), at: folder.path + "/" + name)
  }

  @Test func `a new file is created without leftovers`() throws {
    try create("new", "f")
    #expect(try folder.text("f") == "new")
    #expect(try folder.names == ["f"])
  }

  @Test func `creating a file replaces neither an existing file nor a dangling link`() throws {
    try folder.write("f", "old")
    symlink("later", folder.path + "/link")
    for name in ["f", "link"] {
      #expect(throws: FileProblem.exists) { try create("new", name) }
    }
    #expect(try folder.text("f") == "old")
    #expect(try folder.names == ["f", "link"])
  }

  @Test func `without hard links, an existing file is not replaced`() throws {
    let path = folder.path + "/f"
    let new = try NewFile(for: path)
    try new.fill(Array("new".utf8), permissions: nil, false)
    try folder.write("f", "old")
    #expect(throws: FileProblem.exists) { try new.takeWithoutLink(path) }
    #expect(try folder.text("f") == "old")
    unlink(path)
    try new.takeWithoutLink(path)
    #expect(try folder.text("f") == "new")
    #expect(try folder.names == ["f"])
  }

  @Test func `exactly one of many processes creates a file`() async throws {
    let path = folder.path + "/f"
    let winners = await withTaskGroup(of: UInt8?.self) { group in
      for writer in UInt8(0)..<8 {
        group.addTask {
          do { try AtomicFile.create([writer], at: path) } catch { return nil }
          return writer
        }
      }
      return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
    }
    #expect(try FileBytes.readAny(path, limitInBytes: 8) == winners)
    #expect(try folder.names == ["f"])
  }

  @Test func `concurrent writers leave one complete file`() async throws {
    let path = folder.path + "/f"
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          let bytes = [UInt8](repeating: UInt8(writer), count: 50_000)
          for _ in 0..<10 { try? AtomicFile.write(bytes, to: path) }
        }
      }
    }
    let bytes = try FileBytes.readAny(path, limitInBytes: 1 << 20)
    #expect(bytes.count == 50_000)
    #expect(Set(bytes).count == 1)
    #expect(try folder.names == ["f"])
  }
}
