/// The files that reports go into: a report replaces what is there, so nobody may need that.
package struct ReportFiles {
  /// Why a report cannot be written where it was asked for.
  package struct Conflict: Error, Equatable {
    package let sentence: String
    package var hint: String { "name another file for the report, which replaces what is there" }

    fileprivate init(_ path: String, _ victim: String) {
      sentence = "\(FailureText.quoted(path)): a report would take the place of \(victim)"
    }
  }

  private let paths: [String]
  private let keys: [FileKey]

  package init(_ reporters: Reporters, _ coverage: CoverageOptions?) {
    paths = reporters.files + [coverage?.jsonPath, coverage?.diagramPath].compactMap(\.self)
    keys = paths.map { FileKey($0) }
  }

  /// The first that another one goes into as well; nil where each has a file of its own.
  var repeated: String? {
    keys.indices.first { keys[..<$0].contains(keys[$0]) }.map { paths[$0] }
  }

  /// Refuses what two of them would share, and what a transcript or its pending result is called.
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

  /// Refuses a file that is read, or written for another reason.
  ///
  /// - Parameters:
  ///   - path: of that file; nil for none.
  ///   - victim: what it is.
  /// - Throws: why no report can go there.
  package func check(_ path: String?, is victim: String) throws(Conflict) {
    guard let path, !keys.isEmpty else { return }
    let key = FileKey(path)
    if let index = keys.firstIndex(of: key) { throw Conflict(paths[index], victim) }
  }

  /// Refuses files that are played. A page among them without a transcript may be the report of an earlier run.
  func check(_ entries: [TranscriptSelection.Entry], _ pending: PendingPlace?) throws(Conflict) {
    guard !keys.isEmpty else { return }
    // No report has the name of a transcript, of which there may be many.
    for entry in entries where !Self.isTranscript(entry.path) {
      let key = FileKey(entry.path)
      if let index = keys.firstIndex(of: key), entry.isNamed || Self.holdsTranscripts(entry.path) {
        throw Conflict(paths[index], "a file that is played")
      }
      if entry.isNamed { try check(pending?.path(for: entry.path), is: "a pending result") }
    }
    for path in paths where Transcripts.isMarkdown(path) && Self.holdsTranscripts(path) {
      throw Conflict(path, "a page of transcripts")
    }
  }

  /// Whether a report goes there.
  func contains(_ path: String) -> Bool { !keys.isEmpty && keys.contains(FileKey(path)) }

  private static func isTranscript(_ path: String) -> Bool { path.hasSuffix(".transcript") }

  private static func holdsTranscripts(_ path: String) -> Bool {
    guard let bytes = try? FileBytes.read(path) else { return false }
    let fences = MarkdownFences(path: path, bytes: bytes, program: ProgramName.current)
    return !fences.transcripts.isEmpty || !fences.others.isEmpty
  }
}

/// Which file a path leads to, whatever the spelling, also where nothing is there yet.
private struct FileKey: Equatable {
  /// Where links lead.
  let target: String
  private let key: String
  /// The path from the root, as far as its folder is there.
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
  /// Whether one of them writes there already.
  package func write(to path: String) -> Bool { ReportFiles(self, nil).contains(path) }
}
