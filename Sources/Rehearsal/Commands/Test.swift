import RehearsalBase
import Script
import Staging
import Workers

extension ShellCommand {
  static let test = ShellCommand(
    definition: CommandDefinition(
      "test",
      topic: .session,
      summary: "Replays transcripts, each in a new session.",
      details: [
        "It reports like '\(ProgramName.current) test' and changes no files. 'timeout D' limits each transcript, in processor time plus time of waiting; the default is 10s. Your session does not change, even if a transcript crashes. Ctrl-C stops the run. 'coverage' also lists the transitions that the transcripts took and missed, like 'states'."
      ],
      problems: [
        "unit test, regression, snapshot, golden file, flaky: replays transcripts",
        "JUnit, report for CI: the program does it, by 'rehearse test --reporter junit'",
      ],
      arguments: [.slot(Slot<Located<String>>.file), .many(.slot(Slot<Located<String>>.file))],
      clauses: [
        .sequence([.keyword("timeout"), .slot(testTimeout)]), .keyword("failfast"),
        .keyword("coverage"),
      ],
      meanings: [
        "timeout": "the maximum time of one file", "failfast": "stops at the first failure",
        "coverage": "lists the transitions that were taken",
      ],
      effects: [.looks, .readsFile, .typedOnly, .printsPrompts],
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
    for file in arguments.all(.file) {
      guard session.files.testNesting < mostTestNesting else {
        throw Diagnostic(.testsNestedTooDeep(limit: mostTestNesting), at: file.span)
      }
      contents.append((session.path(of: file), try session.read(file)))
    }
    var options = TranscriptRunner.Options()
    options.jobs = 1
    options.failFast = arguments.has("failfast")
    if arguments.has("coverage") { options.coverage = CoverageOptions() }
    if let timeout = arguments[testTimeout] { options.timeout = timeout.value }
    if !ProcessControl.isSingleThreaded {
      switch session.files.threadedReplay {
      case .here: break
      case .program(let program):
        return try session.test(contents.map(\.path), by: program, options)
      case .refused: return session.refuseToTest()
      }
    }
    var network = session.environment.network
    network.canAllow = false
    let performer = SessionPerformer.factory(
      network: network,
      scenes: session.scenes.catalog,
      origin: session.files.origin,
      testNesting: session.files.testNesting + 1
    )
    var runner = TranscriptRunner(options: options, performer: performer)
    var readings: [FileReading] = []
    runner.onReadings = { readings += $0 }
    // Time limits are real; the clocks of this thread are the session's.
    let (exit, report) = Stage.withoutStage { play(contents, by: runner) }
    session.files.note(readings)
    for line in report.split(separator: "\n") { session.output.print(String(line)) }
    if exit != .success { session.execution.hasFailed = true }
  }

  /// Maximum number of transcripts that play each other.
  private static let mostTestNesting = 8

  private static let testTimeout = Slot<Located<Duration>>.duration("timeout")
}

/// Runs off every actor: the stage whose main actor asks has left this thread.
private func play(
  _ contents: [(path: String, bytes: [UInt8])],
  by runner: TranscriptRunner
) -> (ProgramExit, String) {
  var report = ""
  let exit = runner.run(contents: contents) { report += $0 }
  return (exit, report)
}

@MainActor extension Session {
  /// Plays transcripts in another process, and prints its report.
  fileprivate func test(
    _ paths: [String],
    by program: String,
    _ options: TranscriptRunner.Options
  ) throws(Diagnostic) {
    let flags =
      ["test", "--no-history", "--no-pending", "--timeout", "\(options.timeoutInMilliseconds)ms"]
      + (options.failFast ? ["--fail-fast"] : []) + (options.coverage == nil ? [] : ["--coverage"])
    // The report has paths. A replay runs in that folder, so its paths are relative to it.
    let folder = Folder.path(".", from: files.origin)
    let words = flags + ["--"] + paths
    let run = ProgramRun(
      program: program,
      arguments: [ProgramName.current] + words,
      folder: folder,
      readsErrors: true
    )
    guard let run else { return refuseToTest() }
    var report: [UInt8] = []
    while let text = run.read(withinMilliseconds: 50) {
      report += text
      do throws(Diagnostic) {
        try clock.runReady()  // This is what Ctrl-C interrupts.
      } catch {
        run.kill()
        throw error
      }
    }
    for line in report.split(separator: UInt8(ascii: "\n")) {
      output.print(String(decoding: line, as: UTF8.self))
    }
    switch run.end() {
    case .status(0): break
    case .status: execution.hasFailed = true
    case .signal(let signal):
      execution.hasFailed = true
      output.print(.error("the run of the transcripts was ended by signal \(signal)"))
    }
  }

  fileprivate func refuseToTest() {
    execution.hasFailed = true
    output.print(.error("transcripts cannot be replayed in a separate process"))
    output.print(.hint("'\(ProgramName.current) test FILE' replays them"))
  }

  /// Returns the content of a file that a command names.
  func read(_ file: Located<String>) throws(Diagnostic) -> [UInt8] {
    do throws(FileProblem) {
      return try files.read(path(of: file))
    } catch {
      throw Diagnostic(
        .cannotRead(file.value.printable(atMost: 80), reason: error.sentence),
        at: file.span
      )
    }
  }
}
