import Harness
import LibC
import RehearsalBase
import Workers

extension ReplayWatch.Subject {
  /// Returns the subject for a command of a transcript that the current thread performs.
  static func command(_ text: String, of path: String) -> Self {
    let path = path.printable(atMost: 1000)
    let line = "  > \(text.printable(atMost: 200))\n"
    let thread = ProcessActivity.thisThread
    return Self(
      place: { 0 },
      note: {
        """
        note: \(path): this command has been under way for \(ReplayWatch.limitInSeconds) seconds:
        \(line)hint: it waits for a lock or loops forever; the command 'test' of a shell has a time limit\n
        """
      },
      command: "\(path):\n\(line)",
      thread: { thread }
    )
  }
}

/// Performs the commands of a transcript while a `ReplayWatch` watches them.
final class WatchedPerformer: CommandPerformer {
  private let performer: any CommandPerformer
  private let path: String

  init(_ performer: any CommandPerformer, of transcript: Transcript) {
    self.performer = performer
    path = transcript.description
  }

  func perform(_ command: String, output: (String) -> Void) -> Bool {
    ReplayWatch.shared.watch(.command(command, of: path)) {
      performer.perform(command, output: output)
    }
  }

  var failures: [CommandFailure] { performer.failures }
  var unperformed: [Unperformed] { performer.unperformed }
  var unreadFixtures: [String] { performer.unreadFixtures }

  func finish() { performer.finish() }
}
