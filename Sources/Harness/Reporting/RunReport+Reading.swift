package import RehearsalBase
import Timelines

extension RunReport {
  /// Reads what `json` has written. Lines and fields that it does not know it skips.
  ///
  /// - Parameters:
  ///   - bytes: the lines.
  ///   - path: the file's, for problems.
  /// - Throws: `ReportProblem` where they are no report, or not the whole of one.
  package init(json bytes: [UInt8], path: String) throws(ReportProblem) {
    self.init()
    isComplete = true
    var reader = ReportReader(path: path)
    for (index, line) in bytes.split(separator: .lineFeed).enumerated() {
      reader.line = index + 1
      let fields = try reader.fields(of: Array(line))
      if index == 0 { try readBeginning(fields, reader) } else { try read(fields, &reader) }
    }
    if reader.line == 0 { throw .empty(path) }
    guard reader.hasEnded else { throw .unfinished(path) }
  }

  private mutating func readBeginning(
    _ fields: ReportFields,
    _ reader: ReportReader
  ) throws(ReportProblem) {
    guard fields.text("type") == "begin", let schema = fields.number("schema"),
      let program = fields.text("program"), let version = fields.text("version")
    else { throw .notAReport(reader.path) }
    guard schema <= JSONLine.schemaVersion else { throw .newerSchema(reader.path, schema) }
    self.program = program
    self.version = version
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
    case "coverage": countsArrows = true
    case "transcript": tests.append(try reader.test(fields))
    case "failure":
      guard let test = tests.last, test.mayHaveFailures else {
        throw reader.problem("a failure of no transcript that failed")
      }
      tests[tests.count - 1].failures.append(try reader.failure(fields))
    case "note": notes.append(try reader.need(fields.text("text"), "text"))
    case "error":
      let problem = try reader.need(fields.text("problem"), "problem")
      problems.append(problem)
      hints[problem] = fields.text("hint")
    case "arrows": try reader.addArrows(fields, to: &arrows)
    case "end":
      reader.hasEnded = true
      let counts = ReportFields(fields: fields.object("others"))
      for field in counts.fields { others[field.name] = try reader.count(counts, field.name) }
      notPlayed = count(.notPlayed)
      passed = tests.count { $0.outcome == .passed }
      try checkEnd(fields, reader)
    default: break
    }
  }

  /// Refuses a report whose last line counts something else than its lines do: lines were lost, or added.
  private func checkEnd(_ fields: ReportFields, _ reader: ReportReader) throws(ReportProblem) {
    for outcome in TestReport.Outcome.allCases {
      let (counted, found) = (try reader.count(fields, outcome.rawValue), count(outcome))
      guard counted == found else {
        throw reader.problem("it counts \(counted) '\(outcome.rawValue)', but lists \(found)")
      }
    }
    guard try reader.count(fields, "expectsFailure") == expectingFailure.count else {
      throw reader.problem("'expectsFailure' does not agree with the lines above")
    }
    try reader.checkLines(fields)
    guard fields.flag("ok") == (exit == .success) else {
      throw reader.problem("'ok' does not agree with the lines above")
    }
  }
}

/// The fields of a line.
package struct ReportFields {
  package let fields: [JSONValue.Field]

  package func has(_ name: String) -> Bool { self[name] != nil }

  private subscript(name: String) -> JSONValue? { fields.first { $0.name == name }?.value }

  package func text(_ name: String) -> String? {
    if case .string(let text) = self[name] { text } else { nil }
  }

  package func number(_ name: String) -> Int? {
    if case .number(let text) = self[name] { Int(text) } else { nil }
  }

  package func array(_ name: String) -> [JSONValue] {
    if case .array(let values) = self[name] { values } else { [] }
  }

  package func texts(_ name: String) -> [String] {
    array(name).compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  package func flag(_ name: String) -> Bool { self[name] == .bool(true) }

  package func object(_ name: String) -> [JSONValue.Field] {
    if case .object(let fields) = self[name] { fields } else { [] }
  }

  package func time(_ name: String) -> Duration? {
    if case .number(let text) = self[name] { Duration(decimalSeconds: text) } else { nil }
  }
}

/// Reads a report line by line, and knows where it is.
package struct ReportReader {
  package let path: String
  package var line = 0
  package var hasEnded = false

  package init(path: String) { self.path = path }

  package func problem(_ reason: String) -> ReportProblem {
    .badLine(path, line: line, reason: reason)
  }

  /// What two reports one behind the other look like: of the second nobody would know that it is one.
  ///
  /// - Throws: `ReportProblem` where a report begins behind another, or goes on behind its end.
  package func refuseSecond(_ fields: ReportFields) throws(ReportProblem) {
    if fields.text("type") == "begin" {
      throw problem("another report begins; name a file for each")
    }
    if hasEnded { throw problem("it goes on behind its end") }
  }

  package func need<Value>(_ value: Value?, _ name: String) throws(ReportProblem) -> Value {
    guard let value else { throw problem("'\(name)' is missing or is something else") }
    return value
  }

  package func fields(of bytes: [UInt8]) throws(ReportProblem) -> ReportFields {
    let value: JSONValue
    do throws(JSONProblem) {
      value = try JSONValue(json: bytes)
    } catch {
      throw line == 1 ? .notAReport(path) : problem(error.sentence)
    }
    guard case .object(let fields) = value else { throw problem("no object") }
    return ReportFields(fields: fields)
  }

  /// More than anybody counts, and few enough to be added up.
  private static let highestCount = 10_000_000_000

  /// A number of things; none where nothing is said of them.
  package func count(_ fields: ReportFields, _ name: String) throws(ReportProblem) -> Int {
    guard fields.has(name) else { return 0 }
    let count = try need(fields.number(name), name)
    guard (0...Self.highestCount).contains(count) else {
      throw problem("'\(name)' is \(count), and nobody counts so many")
    }
    return count
  }

  /// - Throws: `ReportProblem` if the last line does not say that it is the line that it is.
  package func checkLines(_ fields: ReportFields) throws(ReportProblem) {
    let count = try need(fields.number("lines"), "lines")
    guard count == line else { throw problem("it counts \(count) lines, but has \(line)") }
  }

  package func shard(_ fields: ReportFields) throws(ReportProblem) -> (index: Int, count: Int) {
    let index = try need(fields.number("index"), "index")
    let count = try need(fields.number("count"), "count")
    guard index > 0, TranscriptShard(index: index - 1, of: count) != nil else {
      throw problem("there is no shard \(index)/\(count)")
    }
    return (index, count)
  }

  private func failing(_ value: JSONValue) throws(ReportProblem) -> FailingCommand {
    guard case .object(let fields) = value else { throw problem("'failing' has no object") }
    let command = ReportFields(fields: fields)
    let kinds: [FailingCommand.Kind] = [.assertion, .hidden, .shown]
    let kind = kinds.first { "\($0)" == command.text("kind") }
    return FailingCommand(
      block: try count(command, "command"),
      line: try count(command, "line"),
      kind: try need(kind, "kind"),
      text: try need(command.text("text"), "text")
    )
  }

  func test(_ fields: ReportFields) throws(ReportProblem) -> TestReport {
    let outcome = TestReport.Outcome(rawValue: try need(fields.text("outcome"), "outcome"))
    var test = TestReport(
      path: try need(fields.text("path"), "path"),
      fence: try count(fields, "fence"),
      outcome: try need(outcome, "outcome")
    )
    for value in fields.array("failing") { test.failing.append(try failing(value)) }
    guard fields.flag("expectsFailure") == test.expectsFailure else {
      throw problem("'expectsFailure' does not agree with 'failing'")
    }
    test.name = fields.text("name")
    test.tags = fields.texts("tags")
    test.reason = fields.text("reason")
    if fields.has("passes"), fields.has("fails") {
      test.plays = TestReport.Plays(
        passed: try count(fields, "passes"),
        failed: try count(fields, "fails")
      )
    }
    test.time = fields.time("time")
    guard test.time ?? .zero <= .seconds(Self.highestCount) else {
      throw problem("'time' is longer than any run")
    }
    let recording = fields.object("recording")
    if !recording.isEmpty {
      test.recording = try? Recording(json: Array(JSONValue.object(recording).text.utf8))
    }
    return test
  }

  func failure(_ fields: ReportFields) throws(ReportProblem) -> TranscriptFailure {
    let problem = fields.text("kind").flatMap {
      TranscriptProblem(
        word: $0,
        number: fields.number("number") ?? 0,
        text: fields.text("text") ?? ""
      )
    }
    var failure = TranscriptFailure(
      path: try need(fields.text("path"), "path"),
      line: try count(fields, "line"),
      problem: try need(problem, "kind")
    )
    failure.command = fields.text("command")
    failure.notes = fields.texts("notes")
    failure.acceptance = fields.text("acceptance")
    for case .object(let line) in fields.array("diff") {
      let line = ReportFields(fields: line)
      failure.diff.append(
        .init(
          try need(line.text("mark").flatMap(TranscriptFailure.DiffLine.Mark.init(word:)), "mark"),
          try need(line.text("text"), "text")
        )
      )
    }
    return failure
  }

  func addArrows(_ fields: ReportFields, to counts: inout ArrowCounts) throws(ReportProblem) {
    let machine = try need(fields.text("machine"), "machine")
    for case .array(let pair) in fields.array("counts") {
      guard pair.count == 2, case .number(let code) = pair[0], case .number(let times) = pair[1],
        let arrow = Int(code).flatMap(Arrow.init(code:)), let times = Int(times),
        (0...Self.highestCount).contains(times)
      else { throw problem("'counts' is something else") }
      counts.add(arrow, of: machine, times: times)
    }
  }
}

extension TranscriptFailure.DiffLine.Mark {
  fileprivate init?(word: String) {
    switch word {
    case "same": self = .same
    case "expected": self = .expected
    case "actual": self = .actual
    default: return nil
    }
  }
}

extension Duration {
  /// Seconds as an exact decimal, without a sign or an exponent.
  fileprivate init?(decimalSeconds text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let seconds = Int64(parts[0]), seconds >= 0 else { return nil }
    let digits = parts.count == 2 ? parts[1].prefix(18) : ""
    guard let fraction = Int64(digits + String(repeating: "0", count: 18 - digits.count)) else {
      return nil
    }
    self = Duration(secondsComponent: seconds, attosecondsComponent: fraction)
  }
}
