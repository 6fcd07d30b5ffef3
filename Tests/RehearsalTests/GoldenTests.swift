import Exploring
import Harness
import NetworkAccess
import Scenes
import Script
import Testing

@testable import Rehearsal
@testable import Staging

/// The golden transcripts under `swift test`, on many threads and in parallel with other tests.
@Suite struct GoldenTests {
  /// All transcripts except those about the runner. Those need worker processes, which only the
  /// program can start.
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

  /// In a search, each hop of a task between executors is a job. In a plain session most hops are
  /// not.
  @Test(arguments: transcripts.indices)
  func `the default schedule of a search prints the same as a plain session`(index: Int) {
    let failures = Self.inSearch(Self.transcripts[index], scenes: Scenes.all)
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }

  /// Plays a transcript as the default schedule of a search, with the open values of its session.
  private static func inSearch(
    _ transcript: Transcript,
    scenes: [Rehearsal.Scene]
  ) -> [TranscriptFailure] {
    transcript.replay {
      let performer = SessionPerformer(
        fixtures: $0,
        folder: $1,
        network: .sockets(),
        scenes: scenes
      )
      let scheduler = ReplayScheduler(Schedule())
      if transcript.commands.contains(where: isRefusedInSearch) {
        performer.host.stage.schedule(by: scheduler)
      } else {
        performer.host.decide(by: scheduler)
      }
      #expect(performer.host.stage.executor.hopsAreApart)
      return performer
    }
  }

  /// Whether a session of a search refuses a command, because it sets the order or goes back.
  private static func isRefusedInSearch(_ command: String) -> Bool {
    let effects =
      CommandText.command(command)?.effects ?? CommandText.definition(of: command)?.effects ?? []
    return !effects.isDisjoint(
      with: [.choosesOrder, .choosesJobs, .explores, .undoes, .performsFile]
    )
  }

  /// Without the transcript that has ten thousand jobs, because each job is listed and chosen.
  private static let withFewJobs = transcripts.indices.filter {
    !transcripts[$0].path.hasSuffix("requests-are-kept-in-bounds.transcript")
  }

  @Test(arguments: withFewJobs)
  func `a session in which the first job is always chosen prints the same as a plain session`(
    index: Int
  ) {
    let transcript = Self.transcripts[index]
    if transcript.commands.contains(where: Self.isRefusedInSearch) { return }
    let failures = transcript.replay { FirstJobPerformer(fixtures: $0, folder: $1) }
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }

  private actor Account {
    private(set) var balance = 100
    func set(_ balance: Int) { self.balance = balance }
  }

  private static let bank = Rehearsal.Scene(
    "bank",
    "Two accounts, and tasks that hop between them."
  ) {
    scene in
    let (first, second) = (Account(), Account())
    let journal = scene.journal("journal")
    scene.command("move", "Moves ten.") {
      await first.set(await first.balance - 10)
      await second.set(await second.balance + 10)
      journal.note("moved, \(await first.balance) and \(await second.balance)")
    }
  }

  private static let moves = ["scene bank", "in 1s move", "in 1s move", "settle"]

  /// Returns the output of a session; `prepare` is called before the first command.
  private static func printed(_ prepare: (SessionHost) -> Void) -> [String] {
    nonisolated(unsafe) var lines: [String] = []  // Only this thread performs commands.
    let host = SessionHost(files: MemoryFiles(), scenes: [bank]) { lines.append($0) }
    defer { host.end() }
    prepare(host)
    for command in moves { host.perform(command) }
    return lines
  }

  /// No bundled scene has two actors.
  @Test func `two actors print the same in the default schedule of a search and in a session`()
    throws
  {
    let plain = Self.printed { #expect(!$0.stage.executor.hopsAreApart) }
    let inSearch = Self.printed { host in
      host.decide(by: ReplayScheduler(Schedule()))
      #expect(host.stage.executor.hopsAreApart)
    }
    #expect(plain.count { $0.contains("journal  moved, ") } == 2)
    #expect(inSearch == plain)

    // Other schedules show that the hops are separate: some lose an update, and others do not.
    let text = Self.moves.joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [Self.bank])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<10_000), script.play)
    let seen = exploration.run().groups.flatMap(\.outcome.seen)
    #expect(seen.contains { $0.hasSuffix("moved, 80 and 120") })
    #expect(seen.contains { $0.hasSuffix("moved, 90 and 110") })
    #expect(seen.contains { $0.hasSuffix("moved, 90 and 120") })
  }

  @Test func `there are transcripts to replay`() {
    #expect(Self.transcripts.count > 100)
  }
}
