package import Timelines

/// A file of commands, played in a session of its own for the sake of what it prints.
package struct PlayedSession {
  /// Its commands with their output, in order.
  package private(set) var passages: [Recording.Passage] = []
  /// Whether a command failed.
  package private(set) var hasFailed = false

  /// Plays a script, a transcript, or the first transcript in a Markdown file. It reads the files that
  /// the transcript carries and those beside it; what it writes stays in memory, and it has no network.
  ///
  /// - Throws: why the file cannot be read.
  package init(_ path: String, scenes: [Scene], columns: Int) throws(FileProblem) {
    let file = try CommandFile(path)
    let printed = Printed()
    let host = SessionHost(files: file.files, scenes: scenes) { printed.recording.print($0) }
    defer { host.end() }
    host.adopt(width: columns)
    for command in file.commands where !CommandText.isBlank(command) {
      _ = printed.recording.begin(command, at: .zero)
      let goesOn = host.perform(command)
      if host.hasFailed { hasFailed = true }
      if !goesOn { break }
    }
    passages = printed.recording.passages
  }

  /// Where the output goes; confined to the thread that plays.
  private final class Printed: @unchecked Sendable {
    var recording = Recording()
  }
}

/// The commands of a file, whichever kind of file it is, and the files that they may read.
private struct CommandFile {
  let commands: [String]
  let files: MemoryFiles

  init(_ path: String) throws(FileProblem) {
    let bytes = try FileBytes.read(path)
    let transcript =
      path.hasSuffix(".md")
      ? MarkdownFences.transcripts(path: path, bytes: bytes).first
      : Transcript(path: path, bytes: bytes)
    files = MemoryFiles(
      fixtures: transcript?.fixtures ?? Fixtures(),
      folder: Transcript(path: path, bytes: []).folder
    )
    let isScript = !path.hasSuffix(".md") && transcript?.blocks.isEmpty ?? true
    commands =
      isScript
      ? ScriptFile(bytes).commands.map(\.text)
      : transcript.map { transcript in transcript.blocks.map(transcript.command) } ?? []
  }
}
