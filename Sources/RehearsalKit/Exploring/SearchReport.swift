import Exploring
import Harness
import Rehearsal
import RehearsalBase
import Script

/// The report of a search or of a part of one: its content, and the reading of its lines of JSON.
struct SearchReport {
  /// The properties that all parts of a search have in common.
  struct Search: Equatable {
    /// The script's path.
    var file: String
    /// A hash of its commands.
    var script: String
    var strategy: String
    var changes: Int?
    var keepsGoing: Bool
    /// The disabled checks.
    var disabled: [String]
    /// Maximum number of generated commands in a run; nil if none are generated.
    var generates: Int?
    /// Where other code may run although the running code does not wait.
    var preempts: Preemption?
  }

  var program: String
  var version: String
  var search: Search
  /// The requested seeds.
  var seeds: Range<UInt64>
  /// The number of this part, counted from 1, and the number of parts; nil without `--shard`.
  var shard: (index: Int, count: Int)?
  /// Whether there are other parts.
  var isPart: Bool
  /// Whether a signal, or a lack of workers, ended the search or one of its parts before its limits.
  var isInterrupted = false
  /// Whether this part counts the default schedule and the systematic runs.
  var isFirst = true
  /// The number of behaviours in text output. JSON has all.
  var mostBehaviours = ExplorationText.usualBehaviours
  /// Whether text output shows failures with tables of their steps.
  var showsTable = false
  var notes: [String] = []
  /// Lines about sessions of the corpus that failed or no longer fit.
  var failuresOfCorpus: [String] = []
  /// The number of workers that another process has killed.
  var kills = 0
  var findings = Findings()

  /// Returns a hash of a script's commands.
  static func number(of script: SearchedScript) -> String {
    RunOutcome(seen: script.content).fingerprint.hexadecimal
  }

  /// Returns the name of a file for messages.
  static func name(of file: String) -> String { file == "-" ? "standard input" : file }

  /// Creates the report of a search that has not begun.
  init(of script: SearchedScript, file: String, _ options: SearchOptions, _ part: SearchPart) {
    program = ThisProgram.current.name
    version = ThisProgram.current.version
    search = Search(
      file: file,
      script: Self.number(of: script),
      strategy: options.strategy?.rawValue
        ?? (script.mostGenerated == nil ? "all or mixed" : StrategyName.mixed.rawValue),
      changes: options.pctChanges,
      keepsGoing: options.keepGoing,
      disabled: script.disabled.map(\.rawValue).sorted(),
      generates: script.mostGenerated,
      preempts: options.preempt
    )
    seeds = part.seeds
    shard = part.shard
    isPart = part.isPart
    isFirst = part.isFirst
  }

  var json: String {
    beginning.map(\.text).joined()
      + findings.json(isPart: isPart, notes: notes, kills: kills, before: beginning.count)
  }

  /// Returns the report of a script that cannot be explored, because a command fails in the default schedule.
  func json(of refusal: ExploredScript.Refusal, line: Int?) -> String {
    let error = JSONLine.error("it cannot be explored", line: line).with("text", refusal.command)
      .with("seen", refusal.lines)
    let end = JSONLine("end").with("runs", 0).with("reason", "refused")
    return (beginning + [error, end]).map(\.text).joined()
  }

  /// Returns the report of a search that did not begin, because of its corpus.
  ///
  /// - Parameters:
  ///   - failures: the lines about the corpus.
  ///   - notes: the notes about files of the corpus that were not replayed.
  /// - Returns: lines of JSON.
  static func json(ofCorpus failures: [String], notes: [String]) -> String {
    let lines =
      failures.map { JSONLine("corpus").with("text", $0) }
      + notes.map { JSONLine("note").with("text", $0) }
    let error = JSONLine.error("the search did not begin, because of the corpus")
    let end = JSONLine("end").with("runs", 0).with("reason", "refused")
    return JSONFlag.begin + (lines + [error, end]).map(\.text).joined()
  }

  private var beginning: [JSONLine] {
    var line = JSONLine("search").with("file", search.file).with("script", search.script)
      .with("strategy", search.strategy).with("pctChanges", search.changes)
      .with("keepsGoing", search.keepsGoing).with("disabled", search.disabled)
      .with("generates", search.generates).with("preempt", search.preempts?.rawValue)
      .with("from", JSONValue.number("\(seeds.lowerBound)"))
      .with("to", JSONValue.number("\(seeds.upperBound)")).with("isPart", isPart)
      .with("interrupted", isInterrupted ? .bool(true) : nil)
    if let shard { line = line.with("index", shard.index).with("count", shard.count) }
    return [JSONLine.begin(program: program, version: version), line]
      + failuresOfCorpus.map { JSONLine("corpus").with("text", $0) }
  }
}

extension SearchReport {
  /// Returns whether lines of JSON are the report of a search.
  static func isReport(_ bytes: [UInt8]) -> Bool {
    bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2).dropFirst().first?
      .starts(with: Array(#"{"type": "search""#.utf8)) ?? false
  }

  /// Reads a report in the form of `json`.
  ///
  /// - Throws: `ReportProblem` if it is not a report, or an incomplete one.
  init(json bytes: [UInt8], path: String) throws(ReportProblem) {
    var reader = ReportReader(path: path)
    var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
    guard let first = lines.popFirst(), let second = lines.popFirst() else { throw .empty(path) }
    reader.line = 1
    let begin = try reader.fields(of: Array(first))
    guard begin.text("type") == "begin", let program = begin.text("program"),
      let version = begin.text("version"), let schema = begin.number("schema")
    else { throw .notAReport(path) }
    guard schema <= JSONLine.schemaVersion else { throw .newerSchema(path, schema) }
    reader.line = 2
    try self.init(program, version, try reader.fields(of: Array(second)), reader)
    for line in lines {
      reader.line += 1
      try read(try reader.fields(of: Array(line)), &reader)
    }
    guard reader.hasEnded else { throw .unfinished(path) }
  }

  private init(
    _ program: String,
    _ version: String,
    _ fields: ReportFields,
    _ reader: ReportReader
  ) throws(ReportProblem) {
    let from = UInt64(try reader.need(fields.digits("from"), "from"))
    let to = UInt64(try reader.need(fields.digits("to"), "to"))
    guard let from, let to, from <= to else { throw reader.problem("'from' is larger than 'to'") }
    self.program = program
    self.version = version
    search = Search(
      file: try reader.need(fields.text("file"), "file"),
      script: try reader.need(fields.text("script"), "script"),
      strategy: try reader.need(fields.text("strategy"), "strategy"),
      changes: fields.number("pctChanges"),
      keepsGoing: fields.flag("keepsGoing"),
      disabled: fields.texts("disabled"),
      generates: fields.number("generates"),
      preempts: try fields.text("preempt").map { text throws(ReportProblem) in
        try reader.need(Preemption(rawValue: text), "preempt")
      }
    )
    seeds = from..<to
    isPart = fields.flag("isPart")
    isInterrupted = fields.flag("interrupted")
    if fields.has("index") {
      shard = try reader.shard(fields)
    }
  }

  private mutating func read(
    _ fields: ReportFields,
    _ reader: inout ReportReader
  ) throws(ReportProblem) {
    try reader.refuseSecond(fields)
    switch fields.text("type") {
    case "behaviour": findings.begin(try reader.group(fields))
    case "violation":
      findings.add(
        Findings.ViolatedCheck(
          try reader.check(fields),
          count: try reader.needCount(fields, "runs"),
          schedule: try reader.schedule(fields),
          nearest: try reader.needCount(fields, "nearest")
        )
      )
    // A part lists violated checks as found; a whole search lists the shortest schedule of each violation.
    case "failure" where !isPart:
      findings.add(
        Findings.ViolatedCheck(
          try reader.check(fields),
          count: try reader.needCount(fields, "runs"),
          schedule: try reader.schedule(fields),
          nearest: 0
        )
      )
    case "ignored":
      let rule = try reader.need(fields.text("rule"), "rule")
      findings.ignored.append(Violation(rule: rule, what: fields.text("what") ?? ""))
    case "open":
      let choice = OpenChoice(
        command: try reader.needCount(fields, "command"),
        text: try reader.need(fields.text("text"), "text"),
        kind: try reader.kind(fields)
      )
      findings.openChoices.add(choice, isAsked: fields.flag("asked"))
    case "sometimes":
      findings.addSometimes([
        SometimesAssertion(
          try reader.need(fields.text("text"), "text"),
          number: try reader.needCount(fields, "number"),
          line: fields.number("line"),
          sourced: fields.text("sourced") ?? "",
          heldRuns: try reader.needCount(fields, "runs")
        )
      ])
    case "reading":
      let file = try reader.need(fields.text("path"), "path")
      findings.readings[file] = try reader.need(fields.text("digest"), "digest")
    case "corpus": failuresOfCorpus.append(try reader.need(fields.text("text"), "text"))
    case "changed": findings.changedFiles.append(try reader.need(fields.text("path"), "path"))
    case "outside": findings.addOutside([try reader.need(fields.text("text"), "text")])
    case "unvaried": findings.addUnvaried([try reader.need(fields.text("text"), "text")])
    case "schedules":
      for hash in try reader.numbers(fields) { findings.hashes.insert(hash) }
    case "singles":
      for fingerprint in try reader.numbers(fields) { findings.others.noteSingle(fingerprint) }
    case "others":
      for fingerprint in try reader.numbers(fields) {
        _ = findings.others.add(fingerprint, isSingle: false)
      }
    case "note": notes.append(try reader.need(fields.text("text"), "text"))
    case "error":
      let problem = try reader.need(fields.text("problem"), "problem")
      throw reader.problem(fields.text("text").map { "\(problem), for '\($0)'" } ?? problem)
    case "end":
      reader.hasEnded = true
      try reader.checkLines(fields)
      try readEnd(fields, reader)
    default: break
    }
  }

  private mutating func readEnd(
    _ fields: ReportFields,
    _ reader: ReportReader
  ) throws(ReportProblem) {
    findings.runs = try reader.needCount(fields, "runs")
    let end = fields.text("reason").flatMap(Findings.End.init(rawValue:))
    findings.end = try reader.need(end, "reason")
    if isPart {
      findings.hashes.raise(to: try reader.count(fields, "schedulesLevel"))
      findings.others.raise(to: try reader.count(fields, "othersLevel"))
    } else {
      findings.unlistedSchedules = UnlistedCount(
        count: try reader.needCount(fields, "schedules"),
        isEstimate: fields.flag("areSchedulesEstimated")
      )
      findings.unlistedBehaviours = UnlistedCount(
        count: max(0, try reader.needCount(fields, "behaviours") - findings.groups.count),
        isEstimate: fields.flag("areBehavioursEstimated")
      )
    }
    findings.nondeterministicSchedule = fields.text("nondeterministic").flatMap(Schedule.init)
    findings.inconclusiveRuns = try reader.count(fields, "inconclusive")
    kills = try reader.count(fields, "kills")
    findings.checked = try reader.count(fields, "checked")
    findings.mostDecisions = try reader.count(fields, "points")
    findings.runsInOthers = try reader.count(fields, "runsInOthers")
    findings.guesses = try reader.count(fields, "guesses")
    let words = fields.text("guessed").flatMap(UInt64.list(hexadecimal:))
    findings.sumOfGuesses = ExactSum(words: words ?? [])
    findings.leavesValuesOut = fields.flag("leavesValuesOut")
    findings.missesOrders = fields.flag("missesOrders")
    findings.isEndless = fields.flag("isEndless")
    findings.assumesIsolation = fields.flag("assumesIsolation")
    findings.drawsRandomNumbers = fields.flag("drawsRandomNumbers")
    findings.hasUnkeptFailures = fields.flag("hasUnlistedFailures")
    findings.hasUnkeptSometimes = fields.flag("hasUnlistedSometimes")
    findings.isInOrder = fields.flag("inOrder")
    findings.share = try reader.share(fields)
    findings.sample.runs = try reader.count(fields, "randomRuns")
    findings.sample.strategies = max(1, try reader.count(fields, "strategiesInTurn"))
    findings.statedEstimate = try reader.estimate(fields)
  }
}

extension ReportFields {
  /// Returns the digits of a number, because seeds may be larger than `Int`.
  fileprivate func digits(_ name: String) -> String? {
    if case .number(let text)? = fields.first(where: { $0.name == name })?.value {
      text
    } else {
      nil
    }
  }
}

extension ReportReader {
  fileprivate func schedule(_ fields: ReportFields) throws(ReportProblem) -> Schedule {
    let text = try need(fields.text("schedule"), "schedule")
    return try need(Schedule(text), "schedule")
  }

  fileprivate func kind(_ fields: ReportFields) throws(ReportProblem) -> OpenChoice.Kind {
    guard let text = fields.text("kind") else { return .value }
    return try need(OpenChoice.Kind(rawValue: text), "kind")
  }

  fileprivate func check(_ fields: ReportFields) throws(ReportProblem) -> CheckID {
    struct Line: Decodable {
      let check: CheckID
    }
    let line: Line = try decode(fields)
    return line.check
  }

  fileprivate func needCount(
    _ fields: ReportFields,
    _ name: String
  ) throws(ReportProblem) -> Int {
    _ = try need(fields.number(name), name)
    return try count(fields, name)
  }

  fileprivate func share(_ fields: ReportFields) throws(ReportProblem) -> Double? {
    guard fields.has("share") else { return nil }
    let share = try need(fields.digits("share").flatMap(Double.init), "share")
    guard (0...1).contains(share) else { throw problem("'share' is not from 0 to 1") }
    return share
  }

  fileprivate func estimate(_ fields: ReportFields) throws(ReportProblem) -> NewBehaviourEstimate? {
    guard fields.has("newBehaviour") else { return nil }
    struct Line: Decodable {
      let newBehaviour: NewBehaviourEstimate
    }
    let line: Line = try decode(fields)
    let estimate = line.newBehaviour
    guard (0...1).contains(estimate.probability), (0...1).contains(estimate.upperBound) else {
      throw problem("'newBehaviour' is not from 0 to 1")
    }
    return estimate
  }

  fileprivate func numbers(_ fields: ReportFields) throws(ReportProblem) -> [UInt64] {
    try need(fields.text("numbers").flatMap(UInt64.list(hexadecimal:)), "numbers")
  }

  fileprivate func group(_ fields: ReportFields) throws(ReportProblem) -> Findings.Group {
    let number = fields.text("fingerprint").flatMap(UInt64.list(hexadecimal:))?.first
    let failure = fields.text("failure").map {
      Violation(rule: $0, what: fields.text("what") ?? "")
    }
    var group = Findings.Group(
      count: try needCount(fields, "runs"),
      schedule: try schedule(fields),
      nearest: try needCount(fields, "nearest"),
      outcome: RunOutcome(
        seen: fields.texts("seen"),
        failure: failure,
        inconclusive: fields.text("inconclusive")
      ),
      first: try needCount(fields, "first"),
      fingerprint: try need(number, "fingerprint"),
      sample: fields.has("sample") ? try needCount(fields, "sample") : nil
    )
    group.needsReplay = true
    return group
  }
}
