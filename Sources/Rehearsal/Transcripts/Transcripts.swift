/// The transcripts of a file or a folder.
public enum Transcripts {
  /// All transcripts in a folder and the folders below it, in the order of their paths.
  ///
  /// Meant for `@Test(arguments: Transcripts.in("transcripts"))`. A test given no arguments passes
  /// without having run, so an empty or missing folder, and a file that cannot be read, come as
  /// a transcript that fails when it is replayed.
  public static func `in`(_ folder: String) -> [Transcript] {
    let selection = TranscriptSelection(paths: [folder], filter: nil)
    if let missing = selection.missing.first {
      return [Transcript(path: missing, problem: .file(.missing))]
    }
    let found = selection.entries.flatMap { load($0) }
    return found.isEmpty ? [Transcript(path: folder, problem: .noTranscript)] : found
  }

  /// The transcripts in one file; several or none in a Markdown file.
  package static func load(_ path: String) throws(FileProblem) -> [Transcript] {
    parse(path, try FileBytes.read(path))
  }

  private static func parse(_ path: String, _ bytes: [UInt8]) -> [Transcript] {
    path.utf8.suffix(3).elementsEqual(".md".utf8)
      ? MarkdownFences.transcripts(path: path, bytes: bytes)
      : [Transcript(path: path, bytes: bytes)]
  }

  /// The transcripts of an entry, or one that fails in place of what cannot be read.
  static func load(_ entry: TranscriptSelection.Entry) -> [Transcript] {
    if let problem = entry.problem {
      return [Transcript(path: entry.path, problem: .file(problem))]
    }
    do throws(FileProblem) {
      let bytes = if let bytes = entry.bytes { bytes } else { try FileBytes.read(entry.path) }
      let found = parse(entry.path, bytes)
      return found.isEmpty && entry.isNamed
        ? [Transcript(path: entry.path, problem: .noFence)] : found
    } catch {
      return [Transcript(path: entry.path, problem: .file(error))]
    }
  }
}

extension Transcript {
  /// Plays the transcript in this process and returns what is wrong, in the order of the file.
  ///
  /// A performer that traps or never returns takes the process with it; `TranscriptRunner` isolates.
  package func replay(with makePerformer: PerformerFactory) -> [TranscriptFailure] {
    Replay(self, makePerformer).failures
  }
}
