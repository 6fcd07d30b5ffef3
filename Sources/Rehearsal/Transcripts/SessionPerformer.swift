package import Harness
package import Timelines

/// Performs a transcript in its own session.
package final class SessionPerformer: CommandPerformer {
  let host: SessionHost
  private let files: MemoryFiles
  private let lines: Lines

  /// Receives the output of the current command. Confined to the thread that performs it.
  private final class Lines {
    var take: ((String) -> Void)?
  }

  /// Returns a function that creates a performer for each transcript; for any thread. Folders are
  /// relative to `origin`, or to the working directory. The sessions search in `isolatedSearch` if
  /// there is one.
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

  /// Creates a session that reads the transcript's fixtures, and files of its folder. Files that it
  /// writes stay in memory.
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
    nonisolated(unsafe) let sink = lines  // Used only by the thread that performs this transcript.
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
    guard failures.isEmpty, host.hasFailed else { return failures }
    let lines = host.failureLines.map { CommandFailure(isAssertion: false, line: $0) }
    return lines.isEmpty ? [CommandFailure(isAssertion: false, line: nil)] : lines
  }

  package var reasons: [String] { host.reasons(onlyNew: false) }

  package var activity: [String] { host.stage.activity(at: Stage.stackOfThis) }

  package var unperformed: [Unperformed] { host.unperformed }

  package var unreadFixtures: [String] { host.unreadFixtures }

  package var notes: [String] { host.notes }

  package var readings: [FileReading] { host.stage.enter { [files] in files.readings } }

  package func finish() { host.end() }
}
