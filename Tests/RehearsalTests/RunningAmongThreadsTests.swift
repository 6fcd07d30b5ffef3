import Testing

@testable import Rehearsal

/// `test` in a process with several threads, such as this one.
@Suite struct RunningAmongThreadsTests {
  @Test(arguments: [nil, "/nowhere/rehearse"])
  func `a session on the disk plays no transcript without a worker program`(program: String?) {
    let lines = Lines()
    let host = SessionHost(files: DiskFiles(program: program)) { lines.all.append($0) }
    defer { host.end() }
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    host.perform("test " + root.joined(separator: "/") + "/transcripts/shell/names.transcript")

    #expect(host.hasFailed)
    #expect(
      lines.all == [
        "error: transcripts cannot be replayed in a separate process",
        "hint: 'rehearse test FILE' replays them",
      ]
    )
  }

  @MainActor private final class Lines {
    nonisolated(unsafe) var all: [String] = []
    nonisolated init() {}
  }
}
