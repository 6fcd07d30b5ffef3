/// The newest result of every file of a watched run. Report files, status and exit code are derived from it.
struct WatchedReport {
  /// The newest run, together with the newest results of all files that it did not play.
  private(set) var report: RunReport?
  /// Files that the newest run should have played, but it was refused. Their older results stay.
  private var refused: Set<String> = []

  /// The files in which something failed when they were last played.
  var failing: Set<String> { paths(where: \.isFailure) }

  /// The files that should be played and have an unknown result.
  var notReplayed: Set<String> {
    paths { $0.outcome == .notReplayed }.union(refused.subtracting(paths { _ in true }))
  }

  private func paths(where isIncluded: (TranscriptResult) -> Bool) -> Set<String> {
    Set(report?.tests.filter(isIncluded).map(\.path) ?? [])
  }

  /// Adds a newer report about files that were removed before. Its statements about the whole run replace those of earlier
  /// reports.
  mutating func add(_ newer: RunReport) {
    guard let old = report else {
      report = newer
      return
    }
    var result = newer
    result.tests = (old.tests + newer.tests).sorted(by: TranscriptResult.precedes)
    result.remarksOfFiles.merge(old.remarksOfFiles) { newer, _ in newer }
    report = result
    count()
  }

  /// Removes the results of files.
  mutating func remove(_ paths: some Collection<String>) {
    let paths = Set(paths)
    refused.subtract(paths)
    guard report != nil else { return }
    let notes = Set(paths.flatMap { report?.remarksOfFiles[$0]?.notes ?? [] })
    report?.notes.removeAll(where: notes.contains)
    report?.tests.removeAll { paths.contains($0.path) }
    for path in paths { report?.remarksOfFiles[path] = nil }
    count()
  }

  /// Records that a run of these files was refused.
  mutating func refuse(_ paths: Set<String>) { refused.formUnion(paths) }

  private mutating func count() {
    guard var result = report else { return }
    result.passed = result.tests.count { $0.outcome == .passed }
    result.notReplayed = result.tests.count { $0.outcome == .notReplayed }
    result.others = result.remarksOfFiles.values.reduce(into: [:]) {
      $0.merge($1.others, uniquingKeysWith: +)
    }
    report = result
  }

  /// The report for files; nil if nothing was played.
  ///
  /// - Parameters:
  ///   - notes: notes about files that the newest selection leaves out.
  ///   - missing: the paths that should be played and do not exist.
  /// - Returns: the report.
  func complete(notes: [String], missing: [String]) -> RunReport? {
    guard var result = report else { return nil }
    let notes = result.notes + notes + result.remarksOfFiles.values.flatMap(\.notes)
    result.notes = Set(notes).sorted(by: NaturalOrder.precedes)
    result.add(
      problems: missing.map { "\(FailureText.quoted($0)): \(FileProblem.missing.sentence)" }
    )
    return result
  }
}
