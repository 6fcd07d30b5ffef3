/// The files of a transcript under test: its fixtures, the files in its folder, and the files that
/// the session writes, which stay in memory.
@MainActor package final class MemoryFiles: SessionFiles {
  private var written: [String: [UInt8]] = [:]
  /// All fixtures of the transcript. A search also gets them, but only reads by the session itself
  /// count as reads.
  package let fixtures: Fixtures
  /// Names of fixtures that were read.
  private var used: Set<String> = []
  private let folder: String?
  package let testNesting: Int
  /// The files on disk that were read or missing, each once.
  private(set) var readings: [FileReading] = []

  /// Looks for files first among those that were written, then among the fixtures, then in
  /// `folder`, if there is one.
  package nonisolated init(
    fixtures: Fixtures = Fixtures(),
    folder: String? = nil,
    testNesting: Int = 0
  ) {
    self.fixtures = fixtures
    self.folder = folder
    self.testNesting = testNesting
  }

  package var unreadFixtures: [String] { fixtures.names.filter { !used.contains($0) } }

  /// Returns the bytes that were written to a path, or else the fixture of that name.
  private func bytes(of path: String) -> [UInt8]? {
    if let bytes = written[path] { return bytes }
    guard let bytes = fixtures.bytes(named: path) else { return nil }
    used.insert(path)
    return bytes
  }

  package func read(_ path: String) throws(FileProblem) -> [UInt8] {
    if let bytes = bytes(of: path) { return bytes }
    guard folder != nil else { throw FileProblem.missing }
    return try FileBytes.read(note(Folder.path(path, from: origin)))
  }

  package func readAny(_ path: String, limitInBytes: Int) throws(FileProblem) -> [UInt8] {
    guard let bytes = bytes(of: path) else {
      guard folder != nil else { throw FileProblem.missing }
      return try FileBytes.readAny(
        note(Folder.path(path, from: origin)),
        limitInBytes: limitInBytes
      )
    }
    guard bytes.count <= limitInBytes else { throw .tooLarge(limitInBytes: limitInBytes) }
    return bytes
  }

  /// Notes a path on disk that is read next.
  private func note(_ path: String) -> String {
    if !readings.contains(where: { $0.path == path }) { readings.append(FileReading(of: path)) }
    return path
  }

  package func note(_ readings: [FileReading]) {
    for reading in readings where !self.readings.contains(where: { $0.path == reading.path }) {
      self.readings.append(reading)
    }
  }

  package func write(_ path: String, _ bytes: [UInt8]) throws(FileProblem) {
    guard path != "/dev/full" else { throw FileProblem.diskFull }
    written[path] = bytes
  }

  package func append(to path: String) throws(FileProblem) -> any FileAppender {
    let present = bytes(of: path)
    if let present, !present.isEmpty { throw .notEmpty }
    let isNew = present == nil
    if path != "/dev/full" { written[path] = [] }
    return Appender(path: path, isNew: isNew, files: self)
  }

  package func entries(in folder: String) -> [String] {
    let own = (written.keys + fixtures.names).filter { $0.hasPrefix(folder) }
      .map { String($0.dropFirst(folder.count)) }
    let place = folder.isEmpty ? "." : folder
    let others = origin.map { Folder.entries(of: Folder.path(place, from: $0)) } ?? []
    return Set(own + others).sorted()
  }

  package func path(_ path: String, from script: String?) -> String {
    Folder.path(path, from: script)
  }

  package var origin: String? { folder.map { $0 + "/" } }

  package func identity(of path: String) -> String { path }

  /// A test in a process with threads already runs without isolation.
  package var threadedReplay: ThreadedReplay { .here }

  private final class Appender: FileAppender {
    let path: String
    let isNew: Bool
    let files: MemoryFiles

    init(path: String, isNew: Bool, files: MemoryFiles) {
      self.path = path
      self.isNew = isNew
      self.files = files
    }

    func append(_ text: String) throws(FileProblem) {
      guard path != "/dev/full" else {
        if text.isEmpty { return }
        throw FileProblem.diskFull
      }
      files.written[path, default: []] += Array(text.utf8)
    }

    func replace(after length: Int, with text: String) throws(FileProblem) {
      files.written[path] = files.written[path].map { Array($0.prefix(length)) }
      try append(text)
    }

    func close() -> Bool {
      guard isNew, files.written[path]?.isEmpty == true else { return true }
      files.written[path] = nil
      return false
    }
  }
}
