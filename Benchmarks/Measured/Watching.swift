import LibC

extension Benchmark {
  /// The time from saving a transcript to its result.
  static let watching = Benchmark(name: "watching") {
    guard let folder = TranscriptFolder(count: 100) else {
      return Table.note("error: the transcripts cannot be written to /tmp")
    }
    defer { folder.remove() }
    guard let program = LiveProcess([Program.path, "test", "--watch", folder.path]) else { return }
    defer { program.end() }
    var seconds: [Double] = []
    guard program.hasWritten("passed") else { return notMeasured() }
    for index in 0..<10 {
      guard let second = resultOfChange(folder.filePath(index), program) else {
        return notMeasured()
      }
      seconds.append(second)
    }
    Table.print(
      Row(
        what: "rehearse test --watch: from a change to its result",
        samples: Samples(seconds),
        unit: .seconds,
        goal: .atMost(0.1)
      )
    )
  }

  private static func notMeasured() {
    Table.note("error: not measured, because it prints no results: rehearse test --watch")
  }

  /// Adds a comment to a transcript, and waits for the result.
  private static func resultOfChange(_ path: String, _ program: LiveProcess) -> Double? {
    guard let file = fopen(path, "a") else { return nil }
    fputs("# Saved once more.\n", file)
    let start = ContinuousClock.now
    fclose(file)
    guard program.hasWritten("passed") else { return nil }
    return start.duration(to: .now) / .seconds(1)
  }
}
