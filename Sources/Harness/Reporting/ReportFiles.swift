/// The output files of reports: refuses a file that the run needs, such as a transcript, or that two reports share. A
/// report replaces an existing file.
package struct ReportFiles {
  /// A report file that would overwrite another file.
  package struct Conflict: Error, Equatable {
    package let sentence: String
    package var hint: String { "name another file for the report, because it overwrites the file" }

    fileprivate init(_ path: String, _ victim: String) {
      sentence = "\(FailureText.quoted(path)): the report would overwrite \(victim)"
    }
  }

  private let paths: [String]
  private let keys: [FileKey]

  package init(_ reporters: Reporters, _ coverage: CoverageOptions?) {
    paths = reporters.files + [coverage?.jsonPath, coverage?.diagramPath].compactMap(\.self)
    keys = paths.map { FileKey($0) }
  }

  /// The first file that two reports share; nil if there is none.
  var repeated: String? {
    keys.indices.first { keys[..<$0].contains(keys[$0]) }.map { paths[$0] }
  }

  /// Refuses a file that two reports share, and the names of transcripts and pending results.
  package func checkNames() throws(Conflict) {
    if let repeated { throw Conflict(repeated, "another report") }
    for (index, path) in paths.enumerated() {
      if Self.isTranscript(keys[index].target) { throw Conflict(path, "a transcript") }
      if let file = PendingPlace.beside.file(of: keys[index].target),
        Self.isTranscript(file) || Transcripts.isMarkdown(file)
      {
        throw Conflict(path, "a pending result")
      }
    }
  }

  /// Refuses a file that the run reads, or writes for another purpose.
  ///
  /// - Parameters:
  ///   - path: of that file; nil for none.
  ///   - victim: a description of that file, for the message.
  /// - Throws: `Conflict` if a report has the same file.
  package func check(_ path: String?, is victim: String) throws(Conflict) {
    guard let path, !keys.isEmpty else { return }
    let key = FileKey(path)
    if let index = keys.firstIndex(of: key) { throw Conflict(paths[index], victim) }
  }

  /// Refuses files that are played. A Markdown file without a transcript may be the report of an earlier run.
  func check(_ entries: [TranscriptSelection.Entry], _ pending: PendingPlace?) throws(Conflict) {
    guard !keys.isEmpty else { return }
    // No report has the name of a transcript, and there may be many transcripts.
    for entry in entries where !Self.isTranscript(entry.path) {
      let key = FileKey(entry.path)
      if let index = keys.firstIndex(of: key), entry.isNamed || Self.holdsTranscripts(entry.path) {
        throw Conflict(paths[index], "a file that is replayed")
      }
      if entry.isNamed { try check(pending?.path(for: entry.path), is: "a pending result") }
    }
    for path in paths where Transcripts.isMarkdown(path) && Self.holdsTranscripts(path) {
      throw Conflict(path, "a page of transcripts")
    }
  }

  /// Whether a report has this file.
  func contains(_ path: String) -> Bool { !keys.isEmpty && keys.contains(FileKey(path)) }

  private static func isTranscript(_ path: String) -> Bool { path.hasSuffix(".transcript") }

  private static func holdsTranscripts(_ path: String) -> Bool {
    guard let bytes = try? FileBytes.read(path) else { return false }
    let fences = MarkdownFences(path: path, bytes: bytes, program: ProgramName.current)
    return !fences.transcripts.isEmpty || !fences.others.isEmpty
  }
}

/// The identity of a file, equal for all spellings of its path, even if the file does not exist yet.
private struct FileKey: Equatable {
  /// The target of the links.
  let target: String
  private let key: String
  /// The absolute path, if the folder exists.
  private let real: String?

  init(_ path: String) {
    let target = (try? Folder.target(of: path)) ?? path
    self.target = target
    key = PathKey().key(target)
    let (folder, name) = Folder.of(target)
    real = Folder.realPath(folder).map { "\($0)/\(name)" }
  }

  static func == (left: Self, right: Self) -> Bool {
    left.key == right.key || left.real != nil && left.real == right.real
  }
}

extension Reporters {
  /// Whether one of the reports has this file.
  package func write(to path: String) -> Bool { ReportFiles(self, nil).contains(path) }
}
