import Staging

/// An example of a command, which runs without effect on the session or the disk.
struct HelpExample {
  private let transcript: Transcript

  /// Reads an example of a definition, which is a transcript.
  init(_ text: String) {
    transcript = Transcript(path: "example", bytes: Array((text + "\n").utf8))
  }

  /// Runs the example in a new session, with its own files and without a network. Calls `output` with
  /// each line at once.
  @MainActor func perform(
    width: Int,
    scenes: [Scene],
    output: @escaping @MainActor (String) -> Void
  ) {
    // The new session runs on the thread of another one, whose stage it must not use.
    Stage.withoutStage {
      let host = SessionHost(files: MemoryFiles(fixtures: transcript.fixtures), scenes: scenes) {
        output("  " + $0)
      }
      defer { host.end() }
      host.adopt(width: width)
      for command in transcript.commands {
        for line in TranscriptText.command(command).split(separator: "\n") { output(String(line)) }
        guard host.perform(command) else { return }
      }
    }
  }
}
