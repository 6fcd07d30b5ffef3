import Foundation
import Testing

@testable import Harness

/// The read files that shards compare.
@Suite struct ReadDigestsTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder(["a.rehearse": "now\n"])
    path = folder.path + "/a.rehearse"
  }

  @Test func `a file from before the run is compared`() {
    let read = ReadDigests([FileReading(of: path)], since: FileMoment(.max, 0))

    #expect(read.digests.count == 1)
    #expect(read.notes.isEmpty)
  }

  @Test func `a file that was written after the run began is named`() throws {
    let read = ReadDigests([FileReading(of: path), FileReading(of: path)], since: FileMoment(0, 0))

    #expect(read.digests.isEmpty)
    #expect(read.notes.count == 1)
    #expect(
      read.notes.first?.hasSuffix(
        "a.rehearse is not compared with what other shards read: it was written after the run began, or by a clock that is ahead"
      ) == true
    )
  }

  @Test func `a deleted file is reported, one that never existed is not`() {
    let reading = FileReading(of: path)
    #expect(unlink(path) == 0)
    let missing = FileReading(of: folder.path + "/b.rehearse")
    let read = ReadDigests([reading, missing], since: FileMoment(.max, 0))

    #expect(read.digests.isEmpty)
    #expect(
      read.notes.map { $0.hasSuffix("there is no such file, since a transcript read it") } == [true]
    )
  }

  @Test(arguments: ["/dev/full", "/"])
  func `a device and a folder are compared as such`(path: String) {
    let reading = FileReading(of: path)
    let read = ReadDigests([reading], since: FileMoment(0, 0))

    #expect(Array(read.digests.values) == ["no file"])
    #expect(read.notes.isEmpty)
  }
}
