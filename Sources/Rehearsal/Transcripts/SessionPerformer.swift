package import Harness
package import Timelines

/// Plays a transcript against a session of its own.
package final class SessionPerformer: CommandPerformer {
  let host: SessionHost
  private let files: MemoryFiles
  private let lines: Lines

  /// Where the output of the present command goes. Confined to the thread that plays.
  private final class Lines {
    var take: ((String) -> Void)?
  }

  /// Makes a performer for each transcript; from any thread, whoever asks for it. Their folders are seen from
  /// that of `origin`, or from the one that the program runs in; they search in an `isolatedSearch` where there is one.
  package static func factory(
    network: SessionNetwork = .none,
    scenes: [Scene] = [],
    origin: String? = nil,
    testNesting: Int = 0,
    isolatedSearch: (any IsolatedSearch)? = nil
  ) -> PerformerFactory {
    { fixtures, folder in
      SessionPerformer(
        fixtures: fixtures,
        folder: Folder.path(folder, from: origin),
        testNesting: testNesting,
        network: network,
        scenes: scenes,
        isolatedSearch: isolatedSearch
      )
    }
  }

  /// A fresh session that reads the transcript's fixtures and the files beside it. What it writes
  /// stays in memory.
  package init(
    fixtures: Fixtures,
    folder: String,
    testNesting: Int = 0,
    network: SessionNetwork = .none,
    scenes: [Scene] = [],
    isolatedSearch: (any IsolatedSearch)? = nil
  ) {
    let lines = Lines()
    self.lines = lines
    nonisolated(unsafe) let sink = lines  // Guarded by the one thread that plays this transcript.
    files = MemoryFiles(fixtures: fixtures, folder: folder, testNesting: testNesting)
    host = SessionHost(
      files: files,
      network: network,
      scenes: scenes,
      isolatedSearch: isolatedSearch
    ) {
      sink.take?($0)
    }
  }

  package func perform(_ command: String, output: (String) -> Void) -> Bool {
    withoutActuallyEscaping(output) { output in
      lines.take = output
      defer { lines.take = nil }
      return host.perform(command)
    }
  }

  package var transitionCounts: TransitionCounts { host.transitionCounts }

  package var recording: Recording? { host.recording }

  package var failures: [CommandFailure] {
    let failures = host.failures.map {
      CommandFailure(isAssertion: $0.isOfAssertion, line: $0.line)
    }
    return failures.isEmpty && host.hasFailed
      ? [CommandFailure(isAssertion: false, line: nil)] : failures
  }

  package var unperformed: [Unperformed] { host.unperformed }

  package var unreadFixtures: [String] { host.unreadFixtures }

  package var notes: [String] { host.notes }

  package var readings: [FileReading] { host.stage.enter { [files] in files.readings } }

  package func finish() { host.end() }
}
