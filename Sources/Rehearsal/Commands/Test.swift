import Script
import Staging

extension ShellCommand {
  static let test = ShellCommand(
    definition: CommandDefinition(
      "test",
      topic: .session,
      summary: "Replays transcripts, each in a session of its own.",
      details: [
        "It reports as 'rehearse test' does, and changes no file; 'timeout' bounds the real time of each. The session that asks is not touched. At a prompt that edits lines, a transcript that crashes takes the shell with it; 'rehearse test' isolates them."
      ],
      arguments: [.slot(Slot<Located<String>>.file), .many(.slot(Slot<Located<String>>.file))],
      clauses: [
        .sequence([.keyword("timeout"), .slot(testTimeout)]), .keyword("failfast"),
      ],
      canBeScheduled: false,
      examples: [
        """
        > test counts.transcript
          counts.transcript:5: output differs
           > load count 2
                0.000s  count  absent → loading #1
          -     0.000s  count  loading #1 → loaded 3
          +     0.000s  count  loading #1 → loaded 2
          to accept: rehearse test --update counts.transcript
          0 passed, 1 failed
        -- counts.transcript --
        # Two is two.
        > loadable count: Int
        > load count 2
             0.000s  count  absent → loading #1
             0.000s  count  loading #1 → loaded 3
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    var contents: [(path: String, bytes: [UInt8])] = []
    for file in arguments.all(.file) { contents.append((file.value, try session.read(file))) }
    var options = TranscriptRunner.Options()
    options.jobs = 1
    options.failFast = arguments.has("failfast")
    if let timeout = arguments[testTimeout] { options.timeout = timeout.value }
    let runner = TranscriptRunner(options: options) { fixtures, folder in
      SessionPerformer(fixtures: fixtures, folder: folder)
    }
    var report = ""
    // Time limits are real, and this thread's clocks are the session's.
    let exit = Stage.withoutStage { runner.run(contents: contents) { report += $0 } }
    for line in report.split(separator: "\n") { session.emit(String(line)) }
    if exit != .success { session.hasFailed = true }
  }

  private static let testTimeout = Slot<Located<Duration>>.duration("timeout")
}

@MainActor extension Session {
  /// The content of a file that a command names.
  func read(_ file: Located<String>) throws(Diagnostic) -> [UInt8] {
    do throws(FileProblem) {
      return try files.read(files.path(file.value, from: sourcing.last?.path))
    } catch {
      throw Diagnostic(
        .cannotRead(file.value.printable(atMost: 80), reason: error.sentence),
        at: file.span
      )
    }
  }
}
