import RehearsalBase
import Timelines

/// Writes the report of a run as lines of JSON, reads it back, and refuses one with missing lines.
extension RunReport {
  /// Renders the report as JSON lines, which `init(json:)` reads: a line for each transcript, followed by a line for
  /// each of its failures, and the counts at the end.
  ///
  /// - Parameter beginning: whether the first line names the program.
  /// - Returns: the lines, each with its line feed.
  func json(beginning: Bool = true) -> String {
    var lines = [JSONLine.begin(program: program, version: version)]
    if let shard { lines.append(JSONLine("shard", encoding: shard)) }
    lines += readings.sorted { $0.key < $1.key }
      .map { JSONLine("reading").with("path", $0.key).with("digest", $0.value) }
    for test in tests {
      lines.append(JSONLine("transcript", encoding: test))
      lines += test.failures.map { JSONLine("failure", encoding: $0) }
    }
    lines += updated.map { JSONLine("updated").with("path", $0) }
    lines += notes.map { JSONLine("note").with("text", $0) }
    lines += problems.map { JSONLine.error($0, hint: hints[$0]) }
    lines += transitions.list.map { JSONLine("transitions", encoding: $0) }
    if let coverage { lines.append(JSONLine("coverage").with(fieldsOf: coverage.json)) }
    lines.append(JSONLine("end", encoding: Counts(self, lines: lines.count + 1)))
    return lines.dropFirst(beginning ? 0 : 1).map(\.text).joined()
  }

  /// The last line. It has the number of lines, so that a report with a missing line is refused.
  private struct Counts: Codable {
    var ok = false
    var passed = 0
    var updated = 0
    var failed = 0
    var notReplayed = 0
    var others: [String: Int] = [:]
    var flaky: Int?
    var knownFlaky: Int?
    var expectsFailure: Int?
    let lines: Int

    init(_ report: RunReport, lines: Int) {
      ok = report.exit == .success
      passed = report.passed
      updated = report.count(.updated)
      failed = report.count(.failed)
      notReplayed = report.notReplayed
      others = report.others
      flaky = report.count(.flaky).unlessZero
      knownFlaky = report.count(.knownFlaky).unlessZero
      expectsFailure = report.expectingFailure.count.unlessZero
      self.lines = lines
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: CodingKeys.self)
      ok = try fields.decodeIfPresent(Bool.self, forKey: .ok) ?? false
      passed = try fields.count(.passed)
      updated = try fields.count(.updated)
      failed = try fields.count(.failed)
      notReplayed = try fields.count(.notReplayed)
      flaky = try fields.count(.flaky).unlessZero
      knownFlaky = try fields.count(.knownFlaky).unlessZero
      expectsFailure = try fields.count(.expectsFailure).unlessZero
      lines = try fields.decode(Int.self, forKey: .lines)
    }
  }

  // MARK: Reading

  /// Reads the lines of `json`. It skips unknown lines and fields.
  ///
  /// - Parameters:
  ///   - bytes: the lines.
  ///   - path: the file's, for problems.
  /// - Throws: `ReportProblem` if they are not a complete report.
  package init(json bytes: [UInt8], path: String) throws(ReportProblem) {
    self.init()
    isComplete = true
    var reader = ReportReader(path: path)
    for (index, line) in bytes.split(separator: .lineFeed).enumerated() {
      reader.line = index + 1
      let fields = try reader.fields(of: Array(line))
      if index == 0 {
        (program, version) = try reader.beginning(fields)
      } else {
        try read(fields, &reader)
      }
    }
    if reader.line == 0 { throw .empty(path) }
    guard reader.hasEnded else { throw .unfinished(path) }
  }

  private mutating func read(
    _ fields: ReportFields,
    _ reader: inout ReportReader
  ) throws(ReportProblem) {
    try reader.refuseSecond(fields)
    switch fields.text("type") {
    case "shard":
      guard shard == nil else { throw reader.problem("a second shard") }
      let (index, count) = try reader.shard(fields)
      guard let digest = fields.text("digest") else { throw .noDigest(reader.path) }
      shard = Shard(index: index, of: count, digest: digest)
    case "reading":
      let file = try reader.need(fields.text("path"), "path")
      readings[file] = try reader.need(fields.text("digest"), "digest")
    case "coverage": countsTransitions = true
    case "transcript": tests.append(try reader.decode(fields))
    case "failure":
      guard let test = tests.last, test.mayHaveFailures else {
        throw reader.problem("a failure that follows no failed transcript")
      }
      tests[tests.count - 1].failures.append(try reader.decode(fields))
    case "note": notes.append(try reader.need(fields.text("text"), "text"))
    case "error":
      let problem = try reader.need(fields.text("problem"), "problem")
      problems.append(problem)
      hints[problem] = fields.text("hint")
    case "transitions":
      let machine: MachineTransitions = try reader.decode(fields)
      do throws(JSONMismatch) { try transitions.add(machine) } catch { throw reader.problem(error) }
    case "end":
      reader.hasEnded = true
      let counts = ReportFields(fields: fields.object("others"))
      for field in counts.fields { others[field.name] = try reader.count(counts, field.name) }
      notReplayed = count(.notReplayed)
      passed = tests.count { $0.outcome == .passed }
      try check(try reader.decode(fields), reader)
    default: break
    }
  }

  /// Refuses a report in which lines are missing or added.
  private func check(_ counts: Counts, _ reader: ReportReader) throws(ReportProblem) {
    let found = Counts(self, lines: reader.line)
    let pairs = [
      ("passed", counts.passed, found.passed), ("updated", counts.updated, found.updated),
      ("failed", counts.failed, found.failed), ("flaky", counts.flaky ?? 0, found.flaky ?? 0),
      ("knownFlaky", counts.knownFlaky ?? 0, found.knownFlaky ?? 0),
      ("notReplayed", counts.notReplayed, found.notReplayed),
    ]
    for (outcome, counted, listed) in pairs where counted != listed {
      throw reader.problem("it counts \(counted) '\(outcome)', but lists \(listed)")
    }
    guard counts.expectsFailure == found.expectsFailure else {
      throw reader.problem("'expectsFailure' does not agree with the lines above")
    }
    guard counts.lines == found.lines else {
      throw reader.problem("it counts \(counts.lines) lines, but has \(found.lines)")
    }
    guard counts.ok == found.ok else {
      throw reader.problem("'ok' does not agree with the lines above")
    }
  }
}

extension Int {
  /// Nil instead of 0, to leave the field out.
  fileprivate var unlessZero: Int? { self == 0 ? nil : self }
}
