/// The transcripts of a file or a folder.
public enum Transcripts {
  /// All transcripts in a folder and the folders below it, in the order of their paths.
  ///
  ///     @Test(arguments: Transcripts.in("Transcripts", program: "SearchShell"))
  ///     func `what was rehearsed holds`(transcript: Transcript) throws {
  ///       try transcript.replay(with: SearchScenes.all)
  ///     }
  ///
  /// A test given no arguments passes without having run, so an empty or missing folder, and a file that
  /// cannot be read, come as a transcript that fails when it is replayed. The first transcript that is replayed also
  /// names each file and fence that looks like a transcript and is not among them: `check(with:)` of `RehearsalTesting`
  /// records a warning, and `replay(with:)` writes to standard error.
  ///
  /// - Parameters:
  ///   - folder: or a file. One that is not absolute is looked for in the package of `file`: the nearest
  ///     folder above it with a `Package.swift`. Without such a folder, in the current one.
  ///   - program: the name of the package's own shell. It replays fences of Markdown files that are
  ///     marked `transcript` and its name, and failures say how it accepts what differs.
  ///   - file: a source of the package.
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
    let notes = selection.notes + notes(ofFencesIn: selection.entries, program)
    for index in transcripts.indices {
      transcripts[index].program = program
      // A test may choose any of them.
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
        "\(path): fences marked 'transcript \(other)' are not played: name the program, 'program: \"\(other)\"'"
      }
      let page = fences.isEmpty ? NearMiss.note(ofPage: entry.path) : nil
      return fences.unplayed.map { NearMiss.note($0.reason, in: entry.path, line: $0.line) }
        + others + [page].compactMap(\.self)
    }
  }

  /// The transcripts in one file; several or none in a Markdown file.
  package static func parse(_ path: String, _ bytes: [UInt8], for program: String?) -> [Transcript]
  {
    let program = program ?? ProgramName.current
    return isMarkdown(path)
      ? MarkdownFences(path: path, bytes: bytes, program: program).transcripts
      : [Transcript(path: path, bytes: bytes)]
  }

  /// Returns the first fence of a page that looks like a transcript and is none, for those who perform the only transcript
  /// of a page and write no report: its line, what is wrong with it, and what to try.
  package static func unplayedFence(
    path: String,
    bytes: [UInt8]
  ) -> (line: Int, sentence: String, hint: String)? {
    guard isMarkdown(path) else { return nil }
    let fences = MarkdownFences(path: path, bytes: bytes, program: ProgramName.current)
    return fences.unplayed.first.map {
      ($0.line, $0.reason, "write the transcript that is meant into a file of its own")
    }
  }

  /// Returns the text of a note about the fences of a page that are left to other programs, for those who perform the only
  /// transcript of a page; nil for none.
  package static func othersNote(path: String, bytes: [UInt8]) -> String? {
    guard isMarkdown(path) else { return nil }
    let fences = MarkdownFences(path: path, bytes: bytes, program: ProgramName.current)
    guard !fences.others.isEmpty else { return nil }
    let count = fences.others.count
    let names = Set(fences.others).sorted().map(FailureText.visible).joined(separator: ", ")
    return "\(FailureText.quoted(path)): \(count) fence\(count == 1 ? "" : "s") left to \(names)"
  }

  /// The transcripts of an entry, or one that fails in place of what cannot be read.
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
  /// The programs that the fences of a Markdown file are left to, one for each fence.
  static func othersFences(_ entry: TranscriptSelection.Entry) -> [String] {
    fences(entry)?.others ?? []
  }

  /// The fences of a Markdown file; nil for other files, and one that cannot be read.
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
