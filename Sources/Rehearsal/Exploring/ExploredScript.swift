package import Exploring
import Harness
import RehearsalBase
import Script
import Staging
package import Timelines

/// Commands that are performed again and again, each time in a session of its own and by another schedule.
package struct ExploredScript: Sendable {
  /// What is performed: a script's or a transcript's commands, and of a transcript nothing else.
  package let commands: [String]
  /// What is ignored, since the default schedule breaks it too, as a transcript may be meant to.
  package private(set) var ignored: [Violation] = []
  var setting: Setting
  private var judged: Set<BuiltInCheck>
  /// What the plain run breaks of them.
  private var ignoredBuiltIn: [BuiltInViolation] = []
  /// What fails in the default schedule.
  private var baseline: Set<Mistake.Identity> = []
  /// What of that is meant to fail, as the transcript or the session shows.
  private var ignoredIdentities: Set<Mistake.Identity> = []
  /// The `schedule` commands in sourced files that the default schedule met and that the search ignores.
  package private(set) var schedulesLeftOut: [String] = []
  /// Whether a command asks what was said in the session; it takes time to remember that.
  private let readsLog: Bool
  /// The lines of the commands; none of those that stand in no file.
  private var lines: [Int] = []
  /// When something happens in the plain run.
  private var landmarks: [Duration] = []
  private var end = End.settled

  /// How long time goes on behind the last command.
  private enum End: Equatable {
    /// Until nothing is left to do.
    case settled
    /// For as long as was already awaited then, since it would never be; that long at most.
    case awaited(Duration)
    /// Not at all.
    case atOnce
  }

  /// What a session of it needs.
  struct Setting: Sendable {
    let fixtures: Fixtures
    let folder: String
    let scenes: [Scene]
    /// Notes how far runs have come, in case one ends the process.
    var progress: RunProgress?
    /// The limits for the kept part of a run.
    var limits = SessionLimits()
    /// Whether it is a script, in which nothing is meant to fail, and a schedule is a mistake. In a transcript or a
    /// session, failures that it shows are ignored if the default schedule has them too, and schedules are left out.
    var isScript = false
    /// Whether runs tell what their stages did.
    var keepsDecisions = false
  }

  /// Runs that end their process, by their schedules: where it is known what the command printed in which they do,
  /// they are performed only up to that.
  package var crashes: [Schedule: RunCrash] = [:]

  /// What keeps a script from being explored: a command that chooses an order itself, or that goes back.
  package struct Refusal: Error, Codable {
    package let command: String
    package let lines: [String]

    package init(command: String, lines: [String]) {
      self.command = command
      self.lines = lines
    }
  }

  /// - Parameters:
  ///   - file: what is explored.
  ///   - scenes: the scenes that it can set up.
  ///   - allowed: what is not judged.
  ///   - defaultCrashes: whether the default schedule ends its process, so that its baseline is unknown.
  ///   - progress: notes how far runs have come.
  /// - Throws: `Refusal` if a command chooses the order, or goes back.
  package init(
    _ file: Playable,
    scenes: [Scene],
    allowing allowed: Set<BuiltInCheck> = [],
    defaultCrashes: Bool = false,
    progress: RunProgress? = nil
  ) throws(Refusal) {
    let setting = Setting(
      fixtures: file.fixtures,
      folder: file.folder,
      scenes: scenes,
      progress: progress,
      isScript: file.stopsAtFailure
    )
    let numbered = Self.numberedCommands(of: file)
    self.init(numbered.map(\.text), setting, allowed)
    lines = numbered.map(\.line)
    if let command = commands.first(where: CommandText.isOfSearch) {
      throw Refusal(
        command: command,
        lines: ["error: the order is what is explored", "hint: leave this command out"]
      )
    }
    if defaultCrashes { return }
    let plain = performBaseline()
    if let record = plain.records.first(where: { $0.obstacle != nil }) {
      throw Refusal(command: record.command, lines: record.output.problem)
    }
    if let (command, count) = plain.unreached {
      let behind = "\(count) command\(count == 1 ? "" : "s")"
      let lines = [
        "error: the session ends here, so \(behind) behind it cannot be reached",
        "hint: remove what stands below the command that ends the session",
      ]
      throw Refusal(command: command, lines: lines)
    }
    if let idle = plain.idleAssertion {
      throw Refusal(
        command: idle.command,
        lines: ["error: \(idle.sentence)", "hint: \(idle.hint)"]
      )
    }
    if let part = file.swallowed(unread: plain.unreadFixtures) {
      throw Refusal(
        command: "-- \(part.name) --",
        lines: ["error: line \(part.line): \(part.sentence)", "hint: \(part.hint)"]
      )
    }
    guard !file.stopsAtFailure else { return }
    let places = file.commands.indices.filter { Self.isPerformed(file.commands[$0], of: file) }
    ignore(plain) { line, place in
      places.indices.contains(place) && file.expects(line, ofCommandAt: places[place])
    }
  }

  /// The commands of a file that are performed.
  package static func commands(of file: Playable) -> [String] {
    numberedCommands(of: file).map(\.text)
  }

  private static func numberedCommands(of file: Playable) -> [(text: String, line: Int)] {
    var commands = file.numberedCommands.filter { isPerformed($0.text, of: file) }
    // What holds at the end of a run is checked when nothing is left to do, which a session that is over cannot wait for.
    if commands.last.map({ CommandText.command($0.text)?.effects.contains(.endsSession) == true })
      == true
    {
      commands.removeLast()
    }
    return commands
  }

  /// Where a value is left open, and which it is.
  func sentence(about choice: OpenChoice) -> String {
    guard lines.indices.contains(choice.command) else { return choice.text }
    return "line \(lines[choice.command]), \(choice.text)"
  }

  /// The commands of a transcript that are not performed, since the search chooses the order.
  package static func schedules(in commands: [String]) -> [String] {
    commands.filter(CommandText.choosesOrder)
  }

  private static func isPerformed(_ command: String, of file: Playable) -> Bool {
    !CommandText.isBlank(command) && (file.stopsAtFailure || !CommandText.isOfSearch(command))
  }

  /// Commands that a session has performed.
  ///
  /// - Parameters:
  ///   - commands: what is explored.
  ///   - errors: the lines of errors that each command printed in the session.
  ///   - fixtures: files that it has beside those of its folder.
  ///   - folder: where its files are; what it writes stays in memory.
  ///   - scenes: the scenes that it can set up.
  ///   - allowed: what is not judged.
  ///   - progress: notes how far runs have come.
  init(
    _ commands: [String],
    showing errors: [[String]],
    fixtures: Fixtures,
    inFolder folder: String,
    scenes: [Scene],
    allowing allowed: Set<BuiltInCheck>,
    progress: RunProgress?
  ) {
    let setting = Setting(fixtures: fixtures, folder: folder, scenes: scenes, progress: progress)
    self.init(commands, setting, allowed)
    ignore(performBaseline()) { line, place in
      errors.indices.contains(place) && errors[place].contains(line)
    }
  }

  private init(_ commands: [String], _ setting: Setting, _ allowed: Set<BuiltInCheck>) {
    self.commands = commands
    self.setting = setting
    readsLog = commands.contains {
      !CommandText.effects(of: $0).isDisjoint(with: [.readsLog, .performsFile])
    }
    judged = Set(BuiltInCheck.allCases).subtracting(allowed)
  }

  /// The same with other commands.
  func with(_ commands: [String]) -> ExploredScript {
    var other = ExploredScript(commands, setting, [])
    other.judged = judged
    other.ignoredBuiltIn = ignoredBuiltIn
    other.end = end
    other.baseline = moved(baseline, to: commands)
    other.ignoredIdentities = moved(ignoredIdentities, to: commands)
    return other
  }

  /// Returns the same failures for other commands. A command is found by its text.
  private func moved(
    _ known: Set<Mistake.Identity>,
    to commands: [String]
  ) -> Set<Mistake.Identity> {
    if known.isEmpty { return [] }
    let places = Dictionary(grouping: commands.indices) { commands[$0] }
    var moved: Set<Mistake.Identity> = []
    for mistake in known {
      guard case .command(let place) = mistake.culprit else {
        moved.insert(mistake)
        continue
      }
      let settling = [commands.count]
      let found = place < self.commands.count ? places[self.commands[place]] ?? [] : settling
      for place in found {
        moved.insert(.init(culprit: .command(place), kind: mistake.kind, place: mistake.place))
      }
    }
    return moved
  }

  /// Takes the commands that fail in plain order as meant.
  private mutating func performBaseline() -> Rehearsed {
    var plain = rehearse(ListedDecisions(Schedule())) { _ in true }
    let settling = Mistake.Culprit.command(commands.count)
    let mistakes = plain.records.flatMap(\.mistakes)
    if !plain.hasSettled,
      let endless = mistakes.first(where: { $0.identity.culprit == settling })
    {
      // A tenth of what it took to see that, so that a run is not as long.
      let limit = plain.recording.end / 10
      self.end = .awaited(limit)
      let what =
        "behind the last command, \(endless.sentence); so only what is awaited then is performed, "
        + "up to \(limit.compact), without checks of the end"
      ignored.append(Violation(rule: "it settles", what: what))
      plain = rehearse(ListedDecisions(Schedule())) { _ in true }
    }
    landmarks = Set(plain.recording.events.map(\.time)).sorted()
    baseline = Set(
      plain.records.flatMap(\.mistakes).map(\.identity) + plain.unmet.map(Self.identity)
    )
    schedulesLeftOut = plain.schedulesLeftOut
    return plain
  }

  /// Whether its runs would never come to their end.
  package var isEndless: Bool { if case .awaited = end { true } else { false } }

  /// Ignores what the default schedule breaks; of commands that fail, those of which a line of the error `isShown`
  /// where the command stands that printed it.
  private mutating func ignore(
    _ plain: Rehearsed,
    _ isShown: (_ line: String, _ place: Int) -> Bool
  ) {
    for (place, record) in plain.records.enumerated() {
      for mistake in record.mistakes
      where isShown(mistake.line, place) && ignoredIdentities.insert(mistake.identity).inserted {
        let rule = "'\(mistake.command)'"
        ignored.append(Violation(rule: rule, what: "\(rule): \(mistake.sentence)"))
      }
    }
    ignoredBuiltIn = plain.broken.filter { judged.contains($0.check) }
    ignored += ignoredBuiltIn.map { Violation(rule: $0.check.rule, what: $0.what) }
  }

  private static let neverMet = "nothing is left to do that could bring it"

  private static func identity(_ unmet: OpenJudge) -> Mistake.Identity {
    Mistake.Identity(culprit: .judge(unmet.text), kind: nil, repetition: unmet.repetition)
  }

  static func rule(ofJudge text: String) -> String { "judge '\(text)'" }

  // MARK: Runs

  /// One run by a schedule.
  package func outcome(by schedule: Schedule) -> RunOutcome {
    crashes[schedule]?.outcome ?? play(ListedDecisions(schedule))
  }

  /// One run.
  ///
  /// It ends at the first failure that the default schedule does not have.
  package func play(_ decisions: Decisions) -> RunOutcome {
    var failures: [Violation] = []
    let run = rehearse(decisions) { record in
      failures += baselineFailures(of: record)
      guard let failure = self.failure(of: record) else { return true }
      failures.append(failure)
      return false
    }
    failures += Violation.failures(run.broken.filter(counts))
    failures += run.unmet.filter { !ignoredIdentities.contains(Self.identity($0)) }
      .map { Violation(rule: Self.rule(ofJudge: $0.text), what: Self.neverMet) }
    var rules: Set<String> = []
    failures = failures.filter { rules.insert($0.rule).inserted }
    var outcome = RunOutcome(
      seen: run.records.flatMap(\.lines),
      counted: run.records.flatMap(\.output.counted),
      failure: failures.first,
      inconclusive: run.inconclusive
    )
    outcome.openChoices = run.openChoices
    outcome.outside = run.outside
    outcome.otherFailures = Array(failures.dropFirst())
    return outcome
  }

  /// Whether a violation is judged: what a member does in plain order already is meant of that member only.
  private func counts(_ violation: BuiltInViolation) -> Bool {
    judged.contains(violation.check) && !ignoredBuiltIn.contains(where: violation.isLike)
  }

  /// Returns the first failure of a command record that the default schedule does not have; nil if there is none. The
  /// order of failures at one instant does not matter.
  func failure(of record: CommandRecord) -> Violation? {
    let mistakes = record.mistakes.filter {
      $0.obstacle == nil && !baseline.contains($0.identity)
    }
    guard let first = mistakes.first else { return nil }
    return mistakes.prefix { $0.time == first.time }.map(failure(by:)).min { $0.rule < $1.rule }
  }

  /// Returns the failure for a mistake that the default schedule does not have. If the same command fails in another
  /// way in the default schedule, the failure says so.
  private func failure(by mistake: Mistake) -> Violation {
    let culprit = mistake.identity.culprit
    return baseline.contains { $0.culprit == culprit }
      ? mistake.failureInAnotherWay : mistake.failure
  }

  /// Returns the failures of a record that the default schedule has too, without those that are ignored.
  private func baselineFailures(of record: CommandRecord) -> [Violation] {
    record.mistakes
      .filter { baseline.contains($0.identity) && !ignoredIdentities.contains($0.identity) }
      .map(\.failure)
  }

  /// A run by a schedule, as far as it is good, in a session that is told the schedule. Where it ends its process, and
  /// nobody has noted what the command printed, it is performed once more if that is `toBeReplayed`. It ends at the
  /// failure of a rule, if one is given and the default schedule breaks it too.
  package func rehearsed(
    by schedule: Schedule,
    toBeReplayed: Bool = true,
    breaking rule: String? = nil
  ) -> Rehearsed {
    setting.progress?.begin(schedule)
    let crash = crashes[schedule].flatMap { $0.output == nil && toBeReplayed ? nil : $0 }
    let part = upTo(crash?.step)
    let told = schedule.isPlain ? part : part.with(["schedule \(schedule)"] + part.commands)
    var failure: Violation?
    var run = told.rehearse(nil) { record in
      failure =
        told.failure(of: record)
        ?? told.baselineFailures(of: record).first { $0.rule == rule }
      return failure == nil
    }
    run.failure = failure
    if let crash {
      let output = crash.output ?? Array(crash.outcome.seen.prefix(1))
      let command = crash.step < commands.count ? commands[crash.step] : "settle"
      let lines = CommandOutput(output)
      let mistake = Mistake(by: command, at: crash.step, lines)
      var record = CommandRecord(command: command, output: lines, mistakes: [mistake])
      record.notes = crash.written.map { "the process wrote: \($0)" }
      run.records.append(record)
      run.end = command
      run.failure = mistake.failure
    }
    return run
  }

  /// The first commands alone.
  private func upTo(_ command: Int?) -> ExploredScript {
    guard let command else { return self }
    var part = with(Array(commands.prefix(command)))
    part.end = .atOnce
    return part
  }

  /// A run and all that it came to.
  package struct Rehearsed: Sendable {
    /// As a transcript has them; the schedule comes first.
    package fileprivate(set) var records: [CommandRecord]
    /// What happened; nothing of the command that ended the process.
    package let recording: Recording
    /// The files of the disk that a run was shown to read; nothing of one in which somebody else decides.
    let readings: [String]
    /// Names of the transcript's fixtures that no command has read.
    fileprivate let unreadFixtures: [String]
    /// The command that ended the process; nil where none did.
    package fileprivate(set) var end: String?
    /// What was wrong in its last record, where it was shown up to that.
    fileprivate(set) var failure: Violation?
    /// What the stage did, where it was asked to tell, and how much of it at the end of each command.
    let decisions: (all: [Decision], ends: [Int])
    /// What it has met of the values that the script leaves open.
    fileprivate let openChoices: OpenChoices
    /// The work outside of virtual time.
    fileprivate let outside: [String]
    /// Whether nothing was left to do at its end.
    fileprivate let hasSettled: Bool
    /// Which built-in checks it broke, and how.
    let broken: [BuiltInViolation]
    /// Whether it was gone through to its end.
    let isWhole: Bool
    /// The judges of what should have come at some time, and cannot come any more.
    let unmet: [OpenJudge]
    /// The first run assertion that has checked nothing, because nothing happened after it.
    fileprivate let idleAssertion: Unperformed?
    /// A command that ended the session though there were others behind it, and how many.
    fileprivate let unreached: (command: String, count: Int)?
    /// Why it does not prove what was to come, where it was not gone through to its end.
    fileprivate let inconclusive: String?
    /// The `schedule` commands in sourced files that were ignored.
    fileprivate let schedulesLeftOut: [String]

    /// Returns whether a rule is broken that is about the whole run.
    func breaks(_ rule: String) -> Bool {
      broken.contains { $0.check.rule == rule }
        || unmet.contains { ExploredScript.rule(ofJudge: $0.text) == rule }
    }
  }

  /// A command and its output.
  package struct CommandRecord: Sendable {
    package let command: String
    package let output: CommandOutput
    /// What else there is to say.
    fileprivate(set) var notes: [String] = []
    /// What went wrong in it, in the order in which it did.
    let mistakes: [Mistake]

    package var lines: [String] { output.all }

    /// The reason why the run does not count for the search; nil if it counts.
    var obstacle: Mistake.Obstacle? { mistakes.lazy.compactMap(\.obstacle).first }
  }

  /// Performs the commands, as long as `goesOn` says so; without decisions as a session does by itself.
  func rehearse(_ decisions: Decisions?, _ goesOn: (CommandRecord) -> Bool) -> Rehearsed {
    if let decisions {
      decisions.takesClaims = !readsLog
      setting.progress?.begin(decisions)
    }
    // The session may have been told its schedule, which is no command of the script's.
    let told = commands.first.map(CommandText.choosesOrder) == true ? 1 : 0
    // Only this thread performs.
    nonisolated(unsafe) var output = CommandOutput()
    nonisolated(unsafe) weak var performing: SessionHost?
    let files = MemoryFiles(fixtures: setting.fixtures, folder: setting.folder)
    let host = SessionHost(
      files: files,
      scenes: setting.scenes,
      keepsLog: readsLog,
      limits: setting.limits,
      keepsDecisions: setting.keepsDecisions
    ) { [progress = setting.progress] line in
      output.add(line, at: performing?.stage.now, turn: performing?.session.execution.turns ?? 0)
      progress?.add(line)
    }
    performing = host
    host.checkTasksOfScenes()
    if !setting.isScript { host.leaveOutSchedulesOfFiles() }
    defer { host.end() }
    if let decisions { host.decide(by: decisions, landmarks: landmarks) }
    var records: [CommandRecord] = []
    var ends: [Int] = []
    var latestRecords: [Int] = []
    var obstacle: String?
    var unnoted: String?
    var unreached: (command: String, count: Int)?
    func perform(_ command: String) -> Bool {
      setting.progress?.begin(step: records.count - told)
      let isOver = !host.perform(command)
      let mistakes =
        host.hasFailed ? Mistake.all(in: host, by: command, at: records.count, output) : []
      let record = CommandRecord(command: command, output: output, mistakes: mistakes)
      output = CommandOutput()
      records.append(record)
      latestRecords.append(host.latestRecord)
      if setting.keepsDecisions { ends.append(host.stage.decisions.count) }
      if let found = record.obstacle { obstacle = "'\(command)' \(found.words)" }
      if host.hasUnnotedFailures { unnoted = unnoted ?? command }
      let left = commands.count - records.count
      if isOver, left > 0 { unreached = (command, left) }
      return goesOn(record) && unreached == nil && obstacle == nil
    }
    var isWhole = commands.allSatisfy(perform)
    if isWhole, !host.isSettled {
      let waiting: String? =
        switch end {
        case .settled: "settle"
        case .awaited(let limit): host.lastAwaited.map { "wait \(min($0, limit).compact)" }
        case .atOnce: nil
        }
      if let waiting { isWhole = perform(waiting) && host.isSettled }
    }
    isWhole = isWhole && end == .settled
    let recording = host.recording
    let open = host.openJudges
    let incomplete = unnoted.map(Self.tooManyFailures) ?? unchecked(recording.omitted.events)
    var openChoices = OpenChoices()
    if let decisions {
      openChoices = host.openChoices(latestRecords)
      // The open values of servers that scenes create belong to no command.
      openChoices.merge(decisions.openChoices(ofCommand: commands.count))
    }
    return Rehearsed(
      records: records,
      recording: recording,
      readings: decisions == nil ? host.stage.enter { files.readings.map(\.path) } : [],
      unreadFixtures: setting.fixtures.isEmpty ? [] : host.unreadFixtures,
      decisions: (host.stage.decisions, ends),
      openChoices: openChoices,
      outside: decisions == nil ? [] : host.takeOutside(),
      hasSettled: host.isSettled,
      broken: host.broken(in: recording, isWhole: isWhole),
      isWhole: isWhole,
      unmet: isWhole ? open : [],
      idleAssertion: isWhole && decisions is ListedDecisions ? host.idleAssertion : nil,
      unreached: unreached,
      inconclusive: isWhole
        ? incomplete
        : obstacle ?? incomplete
          ?? open.first.map { "\(Self.rule(ofJudge: $0.text)) was open when the run was over" }
          ?? host.nextScheduled?.sentence,
      schedulesLeftOut: host.schedulesLeftOut
    )
  }

  /// Returns why a run is not checked completely, if its recording has lost events.
  private func unchecked(_ events: Int) -> String? {
    events == 0
      ? nil
      : "there are more than \(setting.limits.events) events, and the first \(events) are not checked"
  }

  private static func tooManyFailures(_ command: String) -> String {
    "'\(command)' has more than \(CommandExecution.mostFailures) failures, and later ones are not checked"
  }
}
