import Harness

/// The files of a session that may be performed again: what was read is remembered, and read from memory
/// then, and nothing is written twice.
@MainActor final class FileMemory: SessionFiles {
  let underlying: any SessionFiles
  /// Whether the session may be performed again.
  private let keepsReadings: Bool
  /// What was read since somebody took it.
  private var noted: [Reading] = []
  /// What was read the last time, while something is performed again.
  private var answers: [Reading]?

  /// A file that was read, or could not be.
  struct Reading: Sendable {
    let path: String
    let content: Result<[UInt8], FileProblem>
  }

  init(_ files: any SessionFiles, keepsReadings: Bool) {
    (underlying, self.keepsReadings) = (files, keepsReadings)
  }

  /// Lets `body` read what was read the last time.
  func repeating(_ readings: [Reading], _ body: () -> Void) {
    answers = readings
    defer { answers = nil }
    body()
  }

  /// What was read since the last time that somebody asked.
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
