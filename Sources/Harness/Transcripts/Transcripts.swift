import RehearsalBase

/// The transcripts of a file or a folder, for tests and for runs; decides which files are pages.
public enum Transcripts {
  /// All transcripts in a folder and its subfolders, in the order of their paths.
  ///
  ///     @Test(arguments: Transcripts.in("Transcripts", program: "SearchShell"))
  ///     func `what was rehearsed holds`(transcript: Transcript) throws {
  ///       try transcript.replay(with: SearchScenes.all)
  ///     }
  ///
  /// A test without arguments passes without having run. An empty or missing folder, or an unreadable file, is therefore
  /// returned as a transcript that fails when it is replayed. The first replayed transcript also reports each file and
  /// fence that looks like a transcript but is not one: `check(with:)` of `TranscriptTesting` records a warning, and
  /// `replay(with:)` writes to standard error.
  ///
  /// - Parameters:
  ///   - folder: a folder or a file. A relative path starts in the package of `file`: the nearest parent
  ///     folder with a `Package.swift`. Without such a folder, it starts in the current one.
  ///   - program: the name of the package's own shell. It replays Markdown fences that are marked
  ///     `transcript` and its name, and failures show how it accepts differences.
  ///   - file: a source file of the package.
  /// - Returns: at least one transcript.
  public static func `in`(
    _ folder: String,
    program: String? = nil,
    of file: String = #filePath
  ) -> [Transcript] {
    let path = PackageFolder.path(of: folder, besides: file)
    let selection = TranscriptSelection(paths: [path])
    let found = selection.entries.flatMap { load($0, for: program) }
    var transcripts =
      found.isEmpty ? [Transcript(path: path, problem: .file(.noTranscript))] : found
    let notes =
      selection.notes + notes(ofFencesIn: selection.entries, program)
      + NearMiss.notes(ofFoldersNamedLike: path)
    for index in transcripts.indices {
      transcripts[index].program = program
      // All of them have the notes, because a test may select any.
      transcripts[index].notes = notes
    }
    return transcripts
  }

  /// Returns notes about fences that look like transcripts and are not played and, without `program`, about fences that
  /// name a program.
  private static func notes(
    ofFencesIn entries: [TranscriptSelection.Entry],
    _ program: String?
  ) -> [String] {
    entries.flatMap { entry in
      guard let fences = fences(entry, for: program) else { return [String]() }
      let path = FailureText.quoted(entry.path)
      let others = Set(program == nil ? fences.others : []).sorted().map { other in
        "\(path): code blocks marked 'transcript \(other)' are not replayed: name the program, 'program: \"\(other)\"'"
      }
      let page = fences.isEmpty ? NearMiss.note(ofPage: entry.path) : nil
      return fences.unplayed.map { NearMiss.note($0.reason, in: entry.path, line: $0.line) }
        + others + [page].compactMap(\.self)
    }
  }

  /// Returns the transcripts in one file; several or none in a Markdown file.
  package static func parse(_ path: String, _ bytes: [UInt8], for program: String?) -> [Transcript]
  {
    let program = program ?? ProgramName.current
    return isMarkdown(path)
      ? MarkdownFences(path: path, bytes: bytes, program: program).transcripts
      : [Transcript(path: path, bytes: bytes)]
  }

  /// Returns the first fence of a page that looks like a transcript but is not one: its line, the problem and a hint. For
  /// commands that perform the only transcript of a page and write no report.
  package static func unplayedFence(
    path: String,
    bytes: [UInt8]
  ) -> (line: Int, sentence: String, hint: String)? {
    guard isMarkdown(path) else { return nil }
    let fences = MarkdownFences(path: path, bytes: bytes, program: ProgramName.current)
    return fences.unplayed.first.map {
      ($0.line, $0.reason, "move the transcript that you mean into a separate file")
    }
  }

  /// Returns a note about the fences of a page that other programs replay; nil for none. For commands that perform the
  /// only transcript of a page.
  package static func othersNote(path: String, bytes: [UInt8]) -> String? {
    guard isMarkdown(path) else { return nil }
    let fences = MarkdownFences(path: path, bytes: bytes, program: ProgramName.current)
    guard !fences.others.isEmpty else { return nil }
    let count = fences.others.count
    let names = Set(fences.others).sorted().map(FailureText.visible).joined(separator: ", ")
    return "\(FailureText.quoted(path)): \("code block".counted(count)) left to \(names)"
  }

  /// Returns the transcripts of an entry, or one that fails if it cannot be read.
  static func load(
    _ entry: TranscriptSelection.Entry,
    for program: String? = nil
  ) -> [Transcript] {
    if let problem = entry.problem {
      return [Transcript(path: entry.path, problem: .file(problem))]
    }
    do throws(FileProblem) {
      let bytes = if let bytes = entry.bytes { bytes } else { try FileBytes.read(entry.path) }
      let found = parse(entry.path, bytes, for: program)
      return found.isEmpty && entry.isNamed && othersFences(entry).isEmpty
        ? [Transcript(path: entry.path, problem: .noFence)] : found
    } catch {
      return [Transcript(path: entry.path, problem: .file(error))]
    }
  }
}

extension Transcripts {
  /// Returns the programs that the fences of a Markdown file name, one for each fence.
  static func othersFences(_ entry: TranscriptSelection.Entry) -> [String] {
    fences(entry)?.others ?? []
  }

  /// Returns the fences of a Markdown file; nil for other files and for one that cannot be read.
  static func fences(
    _ entry: TranscriptSelection.Entry,
    for program: String? = nil
  ) -> MarkdownFences? {
    guard isMarkdown(entry.path), entry.problem == nil,
      let bytes = entry.bytes ?? (try? FileBytes.read(entry.path))
    else { return nil }
    let program = program ?? ProgramName.current
    return MarkdownFences(path: entry.path, bytes: bytes, program: program)
  }

  package static func isMarkdown(_ path: String) -> Bool {
    path.utf8.last == UInt8(ascii: "d") && path.hasSuffix(".md")
  }
}
