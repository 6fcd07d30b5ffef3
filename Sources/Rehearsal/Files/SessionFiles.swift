/// The files that a session may read and write.
///
/// A shell uses the disk; a transcript under test reads its fixtures and the files beside it, and
/// what it writes stays in memory.
@MainActor package protocol SessionFiles: AnyObject, Sendable {
  /// Reads text; what is not UTF-8 is a problem.
  func read(_ path: String) throws(FileProblem) -> [UInt8]
  /// Reads a file whatever is in it, up to `limitInBytes`.
  func readAny(_ path: String, limitInBytes: Int) throws(FileProblem) -> [UInt8]
  /// Replaces the whole file, or leaves it as it was.
  func write(_ path: String, _ bytes: [UInt8]) throws(FileProblem)
  /// Opens a file to be written line by line, empty at first, and makes the folders that it lies in.
  func append(to path: String) throws(FileProblem) -> any FileAppender
  /// Takes the files that transcripts have read that this session has played.
  func note(_ readings: [FileReading])
  /// The names in a folder, sorted, folders with a '/' behind them; for completion.
  func entries(in folder: String) -> [String]
  /// A path as a script names it: relative to that script, where one is being sourced.
  func path(_ path: String, from script: String?) -> String
  /// A path in the folder that paths are seen from; nil where that is the one that the program runs in.
  var origin: String? { get }
  /// The files that a transcript carries itself.
  var fixtures: Fixtures { get }
  /// Names of fixtures that no command has read.
  var unreadFixtures: [String] { get }
  /// One name for a file however its path is spelled, to tell when a script sources itself.
  func identity(of path: String) -> String
  /// Number of transcripts that play each other with `test` above this session; 0 if no transcript plays it.
  var testNesting: Int { get }
  /// How `test` plays transcripts of these files in a process that has threads.
  var threadedReplay: ThreadedReplay { get }
}

/// How transcripts are played where no worker processes can be made, because of other threads.
package enum ThreadedReplay: Sendable {
  /// On the thread that asks: without a time limit, and a crash is a crash.
  case here
  /// By this program, which does as `rehearse` and reads the same files.
  case program(String)
  /// Not at all.
  case refused
}

@MainActor package protocol FileAppender: AnyObject {
  /// Hands the text to the system before it returns.
  ///
  /// - Throws: the reason why the file cannot be written, also if it was deleted or changed by another program.
  func append(_ text: String) throws(FileProblem)
  /// Replaces what follows the first `length` bytes. However the process ends meanwhile, what was there
  /// and what replaces it are not both lost.
  func replace(after length: Int, with text: String) throws(FileProblem)
  /// Ends it. Of a file that was not there before, and in which nothing is, nothing is left.
  ///
  /// - Returns: whether there is a file.
  @discardableResult func close() -> Bool
}
