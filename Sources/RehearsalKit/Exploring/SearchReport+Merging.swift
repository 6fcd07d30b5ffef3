import Exploring
import Harness

/// Merges the reports of a search's parts; refuses parts of other searches, and missing or repeated seeds.
extension SearchReport {
  /// Merges the reports of a search's parts. Failures are not shrunk.
  ///
  /// - Parameter parts: the reports, with their files.
  /// - Throws: `ReportProblem` if they are not the parts of one search, or not all parts.
  init(merging parts: [(path: String, report: SearchReport)]) throws(ReportProblem) {
    let parts = parts.sorted { $0.report.seeds.lowerBound < $1.report.seeds.lowerBound }
    guard let first = parts.first, let last = parts.last else { throw .empty("") }
    for part in parts.dropFirst() { try Self.check(first, part) }
    try Self.checkShards(parts)
    // The part with seed 0 has the default schedule and the systematic runs.
    let start = first.report.seeds.lowerBound
    if first.report.isPart, first.report.shard == nil, start > 0 { throw .missingSeeds(0..<start) }
    try RunReport.checkReadings(parts.map { ($0.path, $0.report.findings.readings) })
    for (before, part) in zip(parts, parts.dropFirst()) { try Self.checkSeeds(before, part) }
    self = first.report
    seeds = first.report.seeds.lowerBound..<last.report.seeds.upperBound
    shard = nil
    isPart = false
    isInterrupted = parts.contains { $0.report.isInterrupted }
    notes = []
    failuresOfCorpus = parts.flatMap(\.report.failuresOfCorpus)
    kills = 0
    findings = Findings()
    for (_, part) in parts {
      findings.append(part.findings)
      notes += part.notes.filter { !notes.contains($0) }
      kills += part.kills
      // As in one search, nothing follows the part that ends it.
      if part.findings.end == .nondeterministic || part.findings.end == .failure { return }
    }
    if parts.contains(where: { $0.report.findings.end == .stopped }) { findings.end = .stopped }
  }

  private typealias Part = (path: String, report: SearchReport)

  private static func check(_ first: Part, _ part: Part) throws(ReportProblem) {
    let (one, other) = (first.report, part.report)
    if one.program != other.program || one.version != other.version {
      throw .mixedVersions(first.path, part.path)
    }
    if one.search != other.search { throw .mixedSearches(first.path, part.path) }
    if !one.isPart || !other.isPart { throw .mixedShards(first.path, part.path) }
    if one.shard?.count != other.shard?.count { throw .mixedShards(first.path, part.path) }
  }

  private static func checkShards(_ parts: [Part]) throws(ReportProblem) {
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

  private static func checkSeeds(_ before: Part, _ part: Part) throws(ReportProblem) {
    let (end, start) = (before.report.seeds.upperBound, part.report.seeds.lowerBound)
    if start < end { throw .repeatedSeeds(before.path, part.path) }
    if start > end { throw .missingSeeds(end..<start) }
  }
}
