package import Timelines

/// The protocol for the subject of a transcript, such as a session: performs commands, and reports output, failures and
/// waits.
package protocol CommandPerformer: AnyObject {
  /// Performs one command and passes on each line of output as soon as it exists.
  ///
  /// - Parameters:
  ///   - command: one command, which may have several lines, without prompts.
  ///   - output: receives one line, without indentation. Blank lines are not compared.
  /// - Returns: false if the session is over, for example after `quit`.
  func perform(_ command: String, output: (String) -> Void) -> Bool

  /// The state transitions that members have taken so far.
  var transitionCounts: TransitionCounts { get }

  /// The recording so far; nil if nothing is recorded.
  var recording: Recording? { get }

  /// The files that were read or looked for so far.
  var readings: [FileReading] { get }

  /// The failures of the last command; empty if it did not fail.
  var failures: [CommandFailure] { get }

  /// What waits after the last command and explains its output: a heading and lines; empty if nothing does.
  var reasons: [String] { get }

  /// What runs and what waits while `perform` keeps the thread, as lines. Called in a signal handler of a process that ends
  /// afterwards.
  var activity: [String] { get }

  /// Checks and commands that would not be performed if the session ended now.
  var unperformed: [Unperformed] { get }

  /// The names of fixtures that nothing has read so far.
  var unreadFixtures: [String] { get }

  /// Notes about checks that may have checked nothing so far.
  var notes: [String] { get }

  /// Ends the session and frees what it holds.
  func finish()
}

extension CommandPerformer {
  /// None by default: for performers without state machines.
  package var transitionCounts: TransitionCounts { TransitionCounts() }
  /// Nil by default: for performers that record nothing.
  package var recording: Recording? { nil }

  /// Empty by default: for performers whose commands cannot fail.
  package var failures: [CommandFailure] { [] }

  /// Empty by default: for performers without waiting tasks.
  package var reasons: [String] { [] }

  /// Empty by default: for performers whose state is not known while they work.
  package var activity: [String] { [] }

  /// Empty by default: for performers without virtual time, which perform everything at once.
  package var unperformed: [Unperformed] { [] }

  /// Empty by default: for performers that do not record which fixtures were read.
  package var unreadFixtures: [String] { [] }

  /// Empty by default: for performers whose checks always check something.
  package var notes: [String] { [] }

  /// None by default: for performers that read no files.
  package var readings: [FileReading] { [] }
}

/// Creates a performer for one transcript, from its fixture files and its folder.
package typealias PerformerFactory = (
  _ fixtures: Fixtures, _ folder: String
) -> any CommandPerformer
