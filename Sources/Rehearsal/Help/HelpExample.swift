import Staging

/// An example of a command, to be performed where nothing can be harmed.
struct HelpExample {
  private let transcript: Transcript

  /// An example as a definition has it: a transcript.
  init(_ text: String) {
    transcript = Transcript(path: "example", bytes: Array((text + "\n").utf8))
  }

  /// Performs it in a session of its own, with the files that it carries, and without a network. Each
  /// line is handed over as soon as it exists.
  @MainActor func perform(
    width: Int,
    scenes: [Scene],
    output: @escaping @MainActor (String) -> Void
  ) {
    // The session is another one's guest on this thread, and must not be taken for it.
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
