import NetworkAccess
import Scenes
import Script
import Testing

@testable import Harness
@testable import Rehearsal
@testable import Staging
@testable import Timelines

/// Performs a transcript in a session in which the user chooses every job, always the first one.
final class FirstJobPerformer: CommandPerformer {
  private let host: SessionHost
  private let lines: KeptLines

  init(fixtures: Fixtures, folder: String) {
    let lines = KeptLines()
    self.lines = lines
    host = SessionHost(
      files: MemoryFiles(fixtures: fixtures, folder: folder),
      network: .sockets(),
      scenes: Scenes.all
    ) { lines.add($0) }
    host.stage.enter { [session = host.session] in
      #expect(throws: Never.self) { try session.scheduling.chooseByHand(0..<0) }
    }
  }

  func perform(_ command: String, output: (String) -> Void) -> Bool {
    let continues = host.perform(command)
    let stage = host.stage
    while continues, stage.enter({ [session = host.session] in Self.runFirst(session) }) {}
    stage.enter { [session = host.session] in session.output.endCommand() }
    for line in lines.take() { output(line) }
    return continues
  }

  /// Runs the first job of the present instant; false if there is none.
  @MainActor private static func runFirst(_ session: Session) -> Bool {
    do throws(Diagnostic) {
      guard session.stage.hasWorkNow else {
        try session.clock.runReady()
        return session.stage.hasWorkNow
      }
      try session.clock.runJob(Located(1, at: 0..<0))
      try session.inspectScenes()
      return true
    } catch {
      session.output.fail(error)
      return false
    }
  }

  var transitionCounts: TransitionCounts { host.transitionCounts }
  var recording: Recording? { host.recording }
  var readings: [FileReading] { [] }
  var failures: [CommandFailure] {
    host.failures.map { CommandFailure(isAssertion: $0.isOfAssertion, line: $0.line) }
  }
  var unperformed: [Unperformed] { host.unperformed }
  var unreadFixtures: [String] { [] }
  var notes: [String] { [] }

  func finish() { host.end() }
}
