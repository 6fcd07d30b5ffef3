/// The protocol of the files that a session may read and write, on disk or in memory.
///
/// A shell uses the disk. A transcript under test reads its fixtures and the files in its folder,
/// and writes to memory.
@MainActor package protocol SessionFiles: AnyObject, Sendable {
  /// Reads a text. Throws a problem if it is not UTF-8.
  func read(_ path: String) throws(FileProblem) -> [UInt8]
  /// Reads a file of any content, up to `limitInBytes`.
  func readAny(_ path: String, limitInBytes: Int) throws(FileProblem) -> [UInt8]
  /// Replaces the whole file, or leaves it unchanged.
  func write(_ path: String, _ bytes: [UInt8]) throws(FileProblem)
  /// Opens a new or empty file for writing line by line. Creates missing folders, as `write` does.
  func append(to path: String) throws(FileProblem) -> any FileAppender
  /// Adds the files that transcripts played by this session have read.
  func note(_ readings: [FileReading])
  /// Returns the sorted names in a folder, with a '/' after folders; for completion.
  func entries(in folder: String) -> [String]
  /// Returns a path as a script names it: relative to the script, if one is sourced.
  func path(_ path: String, from script: String?) -> String
  /// A path in the folder that paths are relative to; nil if it is the current folder of the
  /// program.
  var origin: String? { get }
  /// The files that a transcript contains.
  var fixtures: Fixtures { get }
  /// Names of fixtures that no command has read.
  var unreadFixtures: [String] { get }
  /// Returns one name for a file, however its path is spelled, to notice a script that sources
  /// itself.
  func identity(of path: String) -> String
  /// Number of transcripts that play each other with `test` above this session; 0 if no transcript
  /// plays it.
  var testNesting: Int { get }
  /// How `test` plays transcripts of these files in a process that has threads.
  var threadedReplay: ThreadedReplay { get }
}

/// How transcripts are played if other threads prevent worker processes.
package enum ThreadedReplay: Sendable {
  /// On the current thread: without a time limit, and a crash ends the process.
  case here
  /// By this program, which has the commands of `rehearse` and reads the same files.
  case program(String)
  /// Transcripts are refused.
  case refused
}

@MainActor package protocol FileAppender: AnyObject {
  /// Writes the text to the system before it returns.
  ///
  /// - Throws: the reason why the file cannot be written, also if it was deleted or changed by
  ///   another program.
  func append(_ text: String) throws(FileProblem)
  /// Replaces everything after the first `length` bytes. If the process ends meanwhile, the old or
  /// the new text remains.
  func replace(after length: Int, with text: String) throws(FileProblem)
  /// Closes the file. Removes it if it is new and empty.
  ///
  /// - Returns: whether the file exists.
  @discardableResult func close() -> Bool
}
