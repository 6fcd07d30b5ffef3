package import Timelines

/// What a transcript is played against: a fresh session, say.
package protocol CommandPerformer: AnyObject {
  /// Performs one command and hands over each line of its output as soon as the line exists.
  ///
  /// - Parameters:
  ///   - command: one command, which may hold several lines, without prompts.
  ///   - output: takes one line, without indentation. Lines of blanks are not compared.
  /// - Returns: false when the session is over, as after `quit`.
  func perform(_ command: String, output: (String) -> Void) -> Bool

  /// Which ways between the states of members were taken so far.
  var transitionCounts: TransitionCounts { get }

  /// What has happened so far; nil where nobody records.
  var recording: Recording? { get }

  /// The files of the disk that were read so far, or looked for.
  var readings: [FileReading] { get }

  /// The failures of the last command; empty if it did not fail.
  var failures: [CommandFailure] { get }

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
  /// None: what has no machines takes no ways.
  package var transitionCounts: TransitionCounts { TransitionCounts() }
  /// None: there is nothing to draw.
  package var recording: Recording? { nil }

  /// Empty by default: for performers whose commands cannot fail.
  package var failures: [CommandFailure] { [] }

  /// Empty by default: for performers without virtual time, which perform everything at once.
  package var unperformed: [Unperformed] { [] }

  /// Empty by default: for performers that do not record which fixtures were read.
  package var unreadFixtures: [String] { [] }

  /// Empty by default: for performers whose checks always have an object.
  package var notes: [String] { [] }

  /// None: what reads no files depends on none.
  package var readings: [FileReading] { [] }
}

/// Makes a performer for one transcript, from its fixture files and the folder it lies in.
package typealias PerformerFactory = (
  _ fixtures: Fixtures, _ folder: String
) -> any CommandPerformer
