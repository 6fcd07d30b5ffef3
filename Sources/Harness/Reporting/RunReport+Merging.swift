import Timelines

/// Merges the reports of shards into one; refuses reports that are not all parts of one run.
extension RunReport {
  /// Merges the reports of the parts of a run into the report of the whole run.
  ///
  /// - Parameter parts: each with the file that it was read from.
  /// - Throws: `ReportProblem` if they are not all parts of one run.
  package init(merging parts: [(path: String, report: RunReport)]) throws(ReportProblem) {
    self.init()
    try Self.check(parts)
    isComplete = true
    program = parts.first?.report.program ?? program
    version = parts.first?.report.version ?? version
    if parts.count == 1 { shard = nil }
    for (_, part) in parts {
      tests += part.tests
      notReplayed += part.notReplayed
      others.merge(part.others) { $0 + $1 }
      transitions.merge(part.transitions)
      notes += part.notes.filter { !notes.contains($0) }
      add(problems: part.problems)
      hints.merge(part.hints) { first, _ in first }
    }
    tests.sort(by: TranscriptResult.precedes)
    notes.sort(by: NaturalOrder.precedes)
    passed = tests.count { $0.outcome == .passed }
    countsTransitions = parts.contains { $0.report.countsTransitions }
    if parts.count > 1, problems.isEmpty, parts.allSatisfy({ $0.report.shard == nil }) {
      notes.append("merged from \(parts.count) reports of whole runs, not of shards")
      notes.sort(by: NaturalOrder.precedes)
    }
    if problems.isEmpty { refuseNothing() }
  }

  /// Maximum size of a report.
  private static let limitInBytes = 256 << 20

  /// Merges the reports in files.
  package init(mergingFiles paths: [String]) throws(ReportProblem) {
    var parts: [(path: String, report: RunReport)] = []
    for path in paths { parts.append((path, try RunReport(file: path))) }
    try self.init(merging: parts)
  }

  /// Reads the report of a whole run or of a part.
  package init(file path: String) throws(ReportProblem) {
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try FileBytes.readText(path, limitInBytes: Self.limitInBytes)
    } catch {
      throw .file(path, error)
    }
    try self.init(json: bytes, path: path)
  }

  private static func check(
    _ parts: [(path: String, report: RunReport)]
  ) throws(ReportProblem) {
    guard let first = parts.first else { return }
    for part in parts.dropFirst() {
      if part.report.program != first.report.program
        || part.report.version != first.report.version
      {
        throw .mixedVersions(first.path, part.path)
      }
      if part.report.shard?.count != first.report.shard?.count {
        throw .mixedShards(first.path, part.path)
      }
      if part.report.shard?.digest != first.report.shard?.digest {
        throw .mixedSelections(first.path, part.path)
      }
      if part.report.countsTransitions != first.report.countsTransitions {
        throw .mixedCoverage(first.path, part.path)
      }
    }
    try checkShards(parts)
    try checkReadings(parts.map { ($0.path, $0.report.readings) })
    try checkTranscripts(parts)
  }

  private static func checkShards(
    _ parts: [(path: String, report: RunReport)]
  ) throws(ReportProblem) {
    guard let count = parts.first?.report.shard?.count else { return }
    var files: [Int: String] = [:]
    for (path, report) in parts {
      guard let index = report.shard?.index else { continue }
      if let other = files.updateValue(path, forKey: index) {
        throw .repeatedShard(other, path, index: index, count: count)
      }
    }
    let missing = (1...max(1, count)).filter { files[$0] == nil }
    if !missing.isEmpty { throw .missingShards(missing, count: count) }
  }

  /// Refuses parts that read different contents of one file.
  package static func checkReadings(
    _ parts: [(path: String, readings: [String: String])]
  ) throws(ReportProblem) {
    var seen: [String: (digest: String, report: String)] = [:]
    for (path, readings) in parts {
      for (file, digest) in readings.sorted(by: { $0.key < $1.key }) {
        if let other = seen[file], other.digest != digest {
          throw .mixedReadings(file, other.report, path)
        }
        seen[file] = (digest, path)
      }
    }
  }

  /// Refuses a transcript that is in two reports, even with different spellings of its path. The digest ensures that
  /// shards have different files.
  private static func checkTranscripts(
    _ parts: [(path: String, report: RunReport)]
  ) throws(ReportProblem) {
    let naming = PathKey()
    var files: [String: String] = [:]
    var realFiles: [String: String] = [:]
    for (path, report) in parts {
      for test in report.tests {
        let key = "\(naming.key(test.path))\0\(test.fence)"
        if let other = files.updateValue(path, forKey: key) {
          throw .repeated(transcript: test.place, other, path)
        }
        guard report.shard == nil, parts.count > 1, let real = Folder.realPath(test.path) else {
          continue
        }
        // One report may list a file under two names. If the names are in two reports, the file was played twice.
        let other = realFiles.updateValue(path, forKey: "\(real)\0\(test.fence)")
        if let other, other != path { throw .repeated(transcript: test.place, other, path) }
      }
    }
  }
}
