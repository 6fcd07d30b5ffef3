import Exploring
import Harness
import LibC
import RehearsalBase
import Staging
import Workers

extension ReplayWatch.Subject {
  /// Returns the subject for a command of a transcript that the current thread performs.
  ///
  /// - Parameters:
  ///   - text: the command.
  ///   - path: the path of the transcript.
  ///   - stage: returns the stage of the session, in a copy of the process.
  /// - Returns: the subject.
  static func command(
    _ text: String,
    of path: String,
    on stage: @escaping @Sendable () -> Stage? = { nil }
  ) -> Self {
    let path = path.printable(atMost: 1000)
    let line = "  > \(text.printable(atMost: 200))"
    let thread = ProcessActivity.thisThread
    return Self(
      place: { 0 },
      report: {
        ReplayWatch.Report(
          title: "\(path): this command",
          details: [line],
          hint:
            "it waits for a lock or loops forever; the command 'test' of a shell has a time limit"
        )
      },
      activity: { Stage.activity(ofThread: $0, on: stage) },
      command: "\(path):\n\(line)\n",
      thread: { thread }
    )
  }
}

/// Performs the commands of a transcript while a `ReplayWatch` watches them.
final class WatchedPerformer: CommandPerformer {
  private let performer: SessionPerformer
  private let path: String

  init(_ performer: SessionPerformer, of transcript: Transcript) {
    self.performer = performer
    path = transcript.description
  }

  func perform(_ command: String, output: (String) -> Void) -> Bool {
    let place = performer.host.place
    return ReplayWatch.shared.watch(.command(command, of: path, on: { place.stage })) {
      performer.perform(command, output: output)
    }
  }

  var failures: [CommandFailure] { performer.failures }
  var reasons: [String] { performer.reasons }
  var unperformed: [Unperformed] { performer.unperformed }
  var unreadFixtures: [String] { performer.unreadFixtures }

  func finish() { performer.finish() }
}
