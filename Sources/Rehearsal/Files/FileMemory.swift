import Harness

/// The files that a session has read: in a replay, as for `undo`, it gets the same content again. A replay writes
/// nothing.
@MainActor final class FileMemory: SessionFiles {
  let underlying: any SessionFiles
  /// Whether the session may be performed again.
  private let keepsReadings: Bool
  /// The files that were read since the last `takeReadings()`.
  private var noted: [Reading] = []
  /// The files that were read the first time; nil outside of a replay.
  private var answers: [Reading]?

  /// A file that was read, or the problem with reading it.
  struct Reading: Sendable {
    let path: String
    let content: Result<[UInt8], FileProblem>
  }

  init(_ files: any SessionFiles, keepsReadings: Bool) {
    (underlying, self.keepsReadings) = (files, keepsReadings)
  }

  /// Runs `body` with the content of files from the first time.
  func repeating(_ readings: [Reading], _ body: () -> Void) {
    answers = readings
    defer { answers = nil }
    body()
  }

  /// Returns the files that were read since the last call.
  func takeReadings() -> [Reading] {
    defer { noted = [] }
    return noted
  }

  func read(_ path: String) throws(FileProblem) -> [UInt8] {
    try note(path) { () throws(FileProblem) in try underlying.read(path) }
  }

  func readAny(_ path: String, limitInBytes: Int) throws(FileProblem) -> [UInt8] {
    try note(path) { () throws(FileProblem) in
      try underlying.readAny(path, limitInBytes: limitInBytes)
    }
  }

  private func note(
    _ path: String,
    _ read: () throws(FileProblem) -> [UInt8]
  ) throws(FileProblem) -> [UInt8] {
    guard keepsReadings else { return try read() }
    let reading = remembered(path) ?? Reading(path: path, content: Result(catching: read))
    noted.append(reading)
    return try reading.content.get()
  }

  private func remembered(_ path: String) -> Reading? {
    guard let place = answers?.firstIndex(where: { $0.path == path }) else { return nil }
    return answers?.remove(at: place)
  }

  func write(_ path: String, _ bytes: [UInt8]) throws(FileProblem) {
    if answers == nil { try underlying.write(path, bytes) }
  }

  /// The content of a regular file that would be replaced.
  enum PresentContent {
    case transcript
    case other
  }

  /// Returns the content of a file; nil if there is no regular file, or an empty one.
  func presentContent(_ path: String) -> PresentContent? {
    if answers != nil { return nil }
    do throws(FileProblem) {
      let bytes = try underlying.readAny(path, limitInBytes: 64 << 20)
      if bytes.isEmpty { return nil }
      let transcript = Transcript(path: path, bytes: bytes)
      let isOther =
        transcript.commands.isEmpty && (transcript.problem != nil || !transcript.strays.isEmpty)
      return isOther ? .other : .transcript
    } catch {
      if case .tooLarge = error { return .other }
      return nil
    }
  }

  func append(to path: String) throws(FileProblem) -> any FileAppender {
    try underlying.append(to: path)
  }

  func entries(in folder: String) -> [String] { underlying.entries(in: folder) }

  func path(_ path: String, from script: String?) -> String { underlying.path(path, from: script) }

  var origin: String? { underlying.origin }

  var fixtures: Fixtures { underlying.fixtures }

  var unreadFixtures: [String] { underlying.unreadFixtures }

  func identity(of path: String) -> String { underlying.identity(of: path) }

  func note(_ readings: [FileReading]) { underlying.note(readings) }

  var testNesting: Int { underlying.testNesting }

  var threadedReplay: ThreadedReplay { underlying.threadedReplay }
}
