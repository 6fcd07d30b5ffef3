import Exploring
import NetworkAccess
import Scenes
import Testing

@testable import Rehearsal

/// The golden transcripts under `swift test`, many at once on its threads, beside ordinary tests.
@Suite struct GoldenTests {
  /// Those about the runner need worker processes, which only the program can have.
  static let transcripts = Transcripts.in(folder).filter { !$0.path.contains("/runner/") }

  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/") + "/transcripts"

  @Test(arguments: transcripts.indices)
  func `a golden transcript replays inside the test process`(index: Int) {
    let failures = Self.transcripts[index].replay {
      SessionPerformer(fixtures: $0, folder: $1, network: .sockets(), scenes: Scenes.all)
    }
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }

  /// In a search each hop of a task between executors is a job; in a plain session most are none.
  @Test(arguments: transcripts.indices)
  func `the default schedule of a search prints what a plain session prints`(index: Int) {
    let failures = Self.transcripts[index].replay {
      let performer = SessionPerformer(
        fixtures: $0,
        folder: $1,
        network: .sockets(),
        scenes: Scenes.all
      )
      performer.host.stage.direct(by: ListedDecisions(Schedule()))
      return performer
    }
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }

  @Test func `there are transcripts to replay`() {
    #expect(Self.transcripts.count > 100)
  }
}
