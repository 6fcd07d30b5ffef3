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
  var arrowCounts: ArrowCounts { get }

  /// What has happened so far; nil where nobody records.
  var recording: Recording? { get }

  /// The files of the disk that were read so far, or looked for.
  var readings: [FileReading] { get }

  /// How the last command failed; empty if it did not.
  var failures: [CommandFailure] { get }

  /// What was to be checked or done and was not, if the session ends now.
  var unperformed: [Unperformed] { get }

  /// The names of fixtures that nothing has read so far.
  var unreadFixtures: [String] { get }

  /// Ends the session and frees what it holds.
  func finish()
}

extension CommandPerformer {
  /// None: what has no machines takes no ways.
  package var arrowCounts: ArrowCounts { ArrowCounts() }
  /// None: there is nothing to draw.
  package var recording: Recording? { nil }

  /// None: what cannot fail has not.
  package var failures: [CommandFailure] { [] }

  /// None: what has no time of its own does everything at once.
  package var unperformed: [Unperformed] { [] }

  /// None: nobody knows what was read.
  package var unreadFixtures: [String] { [] }

  /// None: what reads no files depends on none.
  package var readings: [FileReading] { [] }
}

/// Makes a performer for one transcript, from its fixture files and the folder it lies in.
package typealias PerformerFactory = (
  _ fixtures: Fixtures, _ folder: String
) -> any CommandPerformer
