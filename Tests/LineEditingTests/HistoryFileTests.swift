import LibC
import Testing

@testable import LineEditing

@Suite struct HistoryFileTests {
  let folder: TemporaryFolder
  let file: HistoryFile

  init() throws {
    folder = try TemporaryFolder()
    file = HistoryFile(path: folder.path(of: "history"), limit: 3)
  }

  @Test func `a missing file is an empty history`() throws {
    #expect(try file.load().entries == [])
  }

  @Test func `an entry is on disk as soon as it is added`() throws {
    try file.append("one")
    try file.append("two\nlines")
    #expect(try file.load().entries == ["one", "two\nlines"])
  }

  @Test func `only the owner can read it, even if it was open to all before`() throws {
    try folder.write([], to: "history")
    chmod(file.path, 0o644)
    try file.append("secret")
    #expect(try folder.status(of: "history").st_mode & 0o777 == 0o600)
    for entry in ["a", "b", "c", "secret"] { try file.append(entry) }
    try file.compact(slack: 0)
    #expect(try folder.status(of: "history").st_mode & 0o777 == 0o600)
  }

  @Test func `missing folders are created`() throws {
    let deep = HistoryFile(path: folder.path(of: "state/rehearse/history"), limit: 3)
    try deep.append("one")
    #expect(try deep.load().entries == ["one"])
  }

  @Test func `it is rewritten without repeated and too old entries`() throws {
    for entry in ["a", "b", "a", "c", "d"] { try file.append(entry) }
    try file.compact(slack: 0)
    #expect(try folder.read("history") == "a\nc\nd\n")
  }

  @Test func `it is not rewritten while few of its entries are obsolete`() throws {
    for entry in ["a", "b", "a", "c", "d"] { try file.append(entry) }
    try file.compact(slack: 2)
    #expect(try folder.read("history") == "a\nb\na\nc\nd\n")
  }

  @Test func `the leftover of a killed session is removed`() throws {
    for entry in ["a", "b", "a", "c", "d"] { try file.append(entry) }
    try folder.write(Array("a half".utf8), to: "history.new")
    try file.compact(slack: 0)
    #expect(try folder.read("history") == "a\nc\nd\n")
    #expect(access(folder.path(of: "history.new"), F_OK) != 0)
  }

  @Test func `it is not rewritten while another session holds its lock`() throws {
    for entry in ["a", "a", "a"] { try file.append(entry) }
    let other = try OpenFile(opening: file.path, O_RDONLY)
    let result = flock(other.number, LOCK_EX)
    #expect(result == 0)
    try file.compact(slack: 0)
    withExtendedLifetime(other) {}
    #expect(try folder.read("history") == "a\na\na\n")
  }

  @Test func `an entry after a truncated line is on its own line`() throws {
    try folder.write(Array("whole\ncut o".utf8), to: "history")
    try file.append("new")
    #expect(try file.load().entries == ["whole", "cut o", "new"])
  }

  @Test func `the valid lines of a damaged file are read`() throws {
    try folder.write([0xFF, 0x00, 0x0A] + Array("good\n".utf8), to: "history")
    #expect(try file.load().entries == ["good"])
    try file.compact(slack: 0)
    #expect(try folder.read("history") == "good\n")
  }

  @Test func `a folder at its path is an error and is not changed`() throws {
    mkdir(file.path, 0o700)
    #expect(throws: SystemError.self) { try file.load() }
    #expect(throws: SystemError.self) { try file.append("one") }
  }

  @Test func `a symbolic link is kept`() throws {
    try folder.write(Array("a\na\n".utf8), to: "real")
    symlink(folder.path(of: "real"), file.path)
    try file.compact(slack: 0)
    #expect(try folder.read("real") == "a\n")
    var status = stat()
    lstat(file.path, &status)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `concurrent sessions lose no entries`() async throws {
    let shared = HistoryFile(path: folder.path(of: "history"), limit: 1000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for session in 0..<4 {
        group.addTask {
          for number in 0..<25 {
            try shared.append("\(session)-\(number)")
            if number % 5 == 0 { try shared.compact(slack: 0) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try shared.load().entries.count == 100)
  }
}
