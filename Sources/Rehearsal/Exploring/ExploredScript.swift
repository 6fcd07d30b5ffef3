package import Exploring
import Harness
import RehearsalBase
import Script
import Staging
import Timelines

/// Commands that are performed under many schedules: performs a run in a new session, and finds its violations.
package struct ExploredScript: Sendable {
  /// The commands of a script or transcript.
  package let commands: [String]
  var setting: Setting
  private(set) var checks: Set<BuiltInCheck>
  private var baseline = Baseline()
  /// The `schedule` commands in sourced files that the default schedule met and that the search
  /// ignores.
  package private(set) var schedulesLeftOut: [String] = []
  /// The notes of the default schedule.
  package private(set) var notes: [String] = []
  /// Digests of the files that the default schedule has read, by their paths.
  package private(set) var readings: [String: String] = [:]
  /// Whether a command reads the log of the session, which takes time to keep.
  let readsLog: Bool
  /// The lines of the commands in the explored file; empty for commands that come from no file.
  var lines: [Int] = []
  /// The times of the events in the default schedule.
  var landmarks: [Duration] = []
  private(set) var end = End.settled
  /// The commands that runs generate after the commands of the script; nil if they generate none.
  private(set) var grammar: SessionGrammar?
  /// The commands of the script from which a search has generated others. Only these must not be
  /// refused. Nil if all commands belong to the script.
  private(set) var own: Set<String>?

  /// How long a run continues after the last command.
  enum End: Equatable {
    /// Until no work is left.
    case settled
    /// For this duration at most, because the default schedule never settles.
    case awaited(Duration)
    /// The run ends with the last command.
    case atOnce
  }

  /// The settings of the session of a run.
  struct Setting: Sendable {
    let fixtures: Fixtures
    let folder: String
    /// The file without folders; nil for a session or standard input.
    var file: String?
    let scenes: [Scene]
    /// Receives the progress of runs, in case a run crashes the process.
    var progress: RunProgress?
    /// The limits for the history of a run.
    var limits = SessionLimits()
    /// Whether it is a script, in which every failure counts and a schedule is a mistake. In a
    /// transcript or a session, failures that it shows are ignored if the default schedule has them
    /// too, and schedules are ignored.
    var isScript = false
    /// Whether runs keep the execution traces of their stages.
    var keepsTrace = false
    /// Maximum number of commands that a run generates; nil to generate none.
    var mostGenerated: Int?
  }

  /// Runs that crash their process, by their schedules. If the output of the crashing command is
  /// known, such a run is performed only up to that command.
  package var crashes: [Schedule: RunCrash] = [:]

  /// - Parameters:
  ///   - file: the file to explore.
  ///   - scenes: the scenes that it can set up.
  ///   - disabled: the disabled built-in checks.
  ///   - defaultCrashes: whether the default schedule ends its process, so that its baseline is
  ///     unknown.
  ///   - mostGenerated: the maximum number of commands that a run generates after those of the
  ///     file; nil to generate none.
  ///   - progress: receives the progress of runs.
  /// - Throws: `Refusal` if a command chooses the order, or goes back.
  package init(
    _ file: Playable,
    scenes: [Scene],
    disabling disabled: Set<BuiltInCheck> = [],
    defaultCrashes: Bool = false,
    generating mostGenerated: Int? = nil,
    progress: RunProgress? = nil
  ) throws(Refusal) {
    var setting = Setting(
      fixtures: file.fixtures,
      folder: file.folder,
      file: file.name,
      scenes: scenes,
      progress: progress,
      isScript: file.stopsAtFailure
    )
    setting.mostGenerated = mostGenerated
    let numbered = Self.numberedCommands(of: file)
    self.init(numbered.map(\.text), setting, disabled)
    lines = numbered.map(\.line)
    if let command = commands.first(where: CommandText.isOfSearch) { throw .choosesOrder(command) }
    if defaultCrashes { return }
    let plain = performBaseline()
    if let refusal = Refusal.reason(plain, file) { throw refusal }
    grammar = try plain.grammar?.get()
    // The search finds the failure of a script at once.
    if mostGenerated != nil, grammar == nil, !file.stopsAtFailure {
      throw .failsBeforeGeneration(commands)
    }
    guard !file.stopsAtFailure else { return }
    let places = file.commands.indices.filter { Self.isPerformed(file.commands[$0], of: file) }
    baseline.ignore(plain, checks) { record, place in
      guard places.indices.contains(place),
        let output = file.match(record.lines, ofCommandAt: places[place])?.output
      else { return [] }
      return record.failures.filter { output.lineShowing($0.lines[0]) != nil }
    }
  }

  /// Returns the commands of a file that are performed.
  package static func commands(of file: Playable) -> [String] {
    numberedCommands(of: file).map(\.text)
  }

  private static func numberedCommands(of file: Playable) -> [(text: String, line: Int)] {
    var commands = file.numberedCommands.filter { isPerformed($0.text, of: file) }
    // Checks for the end of a run need a session that can still settle.
    if commands.last.map({ CommandText.command($0.text)?.effects.contains(.endsSession) == true })
      == true
    {
      commands.removeLast()
    }
    return commands
  }

  /// Returns the text for an open value: its place and its command.
  func sentence(about choice: OpenChoice) -> String {
    guard lines.indices.contains(choice.command) else { return choice.text }
    return "line \(lines[choice.command]), \(choice.text)"
  }

  /// Returns the place of a command for reports: its line, or else its text.
  func place(ofCommand index: Int) -> CodePlace? {
    guard lines.indices.contains(index) else {
      guard commands.indices.contains(index) else { return nil }
      let text = "'\(commands[index].printable(atMost: 120))'"
      return CodePlace(text: text, file: nil, line: nil)
    }
    let line = lines[index]
    let text = setting.file.map { "\($0):\(line)" } ?? "line \(line)"
    return CodePlace(text: text, file: setting.file, line: line)
  }

  /// Returns the commands of a transcript that are ignored, because the search chooses the order.
  package static func schedules(in commands: [String]) -> [String] {
    commands.filter(CommandText.choosesOrder)
  }

  private static func isPerformed(_ command: String, of file: Playable) -> Bool {
    !CommandText.isBlank(command) && (file.stopsAtFailure || !CommandText.isOfSearch(command))
  }

  /// Makes the script from commands that a session has performed.
  ///
  /// - Parameters:
  ///   - commands: the commands.
  ///   - problems: the problems of each command in the session.
  ///   - fixtures: the files of the transcript, in addition to those of the folder.
  ///   - folder: the folder of the files. Files that the session writes stay in memory.
  ///   - scenes: the scenes that it can set up.
  ///   - disabled: the disabled built-in checks.
  ///   - mostGenerated: the maximum number of commands that a run generates; nil to generate none.
  ///   - progress: receives the progress of runs.
  /// - Throws: `Refusal` if nothing can be generated.
  init(
    _ commands: [String],
    with problems: [[CommandProblem]],
    fixtures: Fixtures,
    inFolder folder: String,
    scenes: [Scene],
    disabling disabled: Set<BuiltInCheck>,
    generating mostGenerated: Int?,
    progress: RunProgress?
  ) throws(Refusal) {
    var setting = Setting(fixtures: fixtures, folder: folder, scenes: scenes, progress: progress)
    setting.mostGenerated = mostGenerated
    self.init(commands, setting, disabled)
    let plain = performBaseline()
    if mostGenerated != nil {
      guard let possible = plain.grammar else { throw .failsBeforeGeneration(commands) }
      grammar = try possible.get()
    }
    baseline.ignore(plain, checks) { record, place in
      guard problems.indices.contains(place) else { return [] }
      return record.failures.filter { problems[place].contains($0.problem) }
    }
  }

  private init(_ commands: [String], _ setting: Setting, _ disabled: Set<BuiltInCheck>) {
    self.commands = commands
    self.setting = setting
    readsLog = commands.contains {
      !CommandText.effects(of: $0).isDisjoint(with: [.readsLog, .performsFile])
    }
    checks = Set(BuiltInCheck.allCases).subtracting(disabled)
  }

  /// Returns a copy with other commands.
  func with(_ commands: [String]) -> ExploredScript {
    var other = ExploredScript(commands, setting, [])
    other.setting.mostGenerated = nil
    if setting.mostGenerated != nil || own != nil { other.own = own ?? Set(self.commands) }
    other.checks = checks
    other.end = end
    other.baseline = baseline.moved(from: self.commands, to: commands)
    return other
  }

  /// The violations that are ignored because the default schedule has them too.
  package var ignored: [Violation] { baseline.ignored }

  /// Performs the default schedule, and remembers its failures.
  private mutating func performBaseline() -> ScriptRun {
    var plain = perform(ReplayScheduler(Schedule())) { _ in true }
    let settling = ScriptFailure.Culprit.command(commands.count)
    let failures = plain.records.flatMap(\.failures)
    if !plain.hasSettled,
      let endless = failures.first(where: { $0.identity.culprit == settling })
    {
      // A tenth of the time that it took to notice the endless work, to keep runs short.
      var limit = plain.recording.end / 10
      // A generated session needs a few seconds only, and a search performs many of them.
      if setting.mostGenerated != nil {
        limit = max(limit / 10, min(limit, Self.longEnoughForGenerated))
      }
      end = .awaited(limit)
      baseline.ignored.append(Violation(.settles, .endless(endless.problem, performed: limit)))
      plain = perform(ReplayScheduler(Schedule())) { _ in true }
    }
    landmarks = Set(plain.recording.events.map(\.time)).sorted()
    baseline.failures = Set(
      plain.records.flatMap(\.failures).map(\.identity) + plain.unmet.map(\.identity)
    )
    schedulesLeftOut = plain.schedulesLeftOut
    notes = (setting.isScript ? notesOfCommands(plain) : []) + plain.notes
    let naming = PathKey()
    for path in plain.readings {
      guard let digest = Self.digest(ofFile: path) else { continue }
      readings[naming.key(path)] = digest
    }
    return plain
  }

  /// Returns the notes that the commands of a script have printed. Those of a transcript are in its output.
  private func notesOfCommands(_ run: ScriptRun) -> [String] {
    run.records.enumerated().flatMap { index, record in
      let line = lines.indices.contains(index) ? "line \(lines[index]): " : ""
      let command = record.command.printable(atMost: 120)
      return record.output.notes.map { "\(line)'\(command)': \($0.printable(atMost: 400))" }
    }
  }

  /// Returns a digest of a file's content; nil if it cannot be read.
  static func digest(ofFile path: String) -> String? {
    let bytes = try? FileBytes.readAny(path, limitInBytes: .max)
    return bytes.map { FNV1a.digits(FNV1a.hash($0)) }
  }

  /// The time in which what a generated command starts usually ends.
  private static let longEnoughForGenerated = Duration.seconds(10)

  /// Whether its runs never settle.
  package var isEndless: Bool { if case .awaited = end { true } else { false } }

  // MARK: Runs

  /// Returns the result of one run by a schedule.
  package func outcome(by schedule: Schedule) -> RunOutcome {
    crashes[schedule]?.outcome ?? play(ReplayScheduler(schedule))
  }

  /// Returns the result of one run by a scheduler.
  ///
  /// The run ends at the first failure that the default schedule does not have.
  package func play(_ scheduler: SearchScheduler) -> RunOutcome {
    var violations: [Violation] = []
    let run = perform(scheduler) { record in
      violations += baseline.known(in: record)
      guard let violation = baseline.news(in: record) else { return true }
      violations.append(violation)
      return false
    }
    violations +=
      run.violations.filter { checks.contains($0.check) && !baseline.ignores($0) }
      .violations
    violations += run.unmet.filter { !baseline.ignores($0.identity) }
      .map { Violation($0.check, .neverMet) }
    var known: Set<CheckID> = []
    violations = violations.filter { known.insert($0.check).inserted }
    var outcome = RunOutcome(
      seen: run.records.flatMap(\.lines),
      counted: run.generated == nil
        ? run.records.flatMap(\.output.counted) : [run.recording.coverage],
      failure: violations.first,
      inconclusive: run.inconclusive
    )
    if !violations.isEmpty {
      outcome.generated = run.generated
      if !scheduler.readsOutput {
        // The report of a failure needs the output.
        let whole = play(ReplayScheduler(scheduler.schedule))
        if whole.fingerprint == outcome.fingerprint { outcome = whole }
      }
    }
    outcome.openChoices = run.openChoices
    outcome.outside = run.outside
    outcome.unvaried = run.unvaried
    outcome.sometimes = run.sometimes
    outcome.otherFailures = Array(violations.dropFirst())
    return outcome
  }

  /// Repeats a run up to its failure, in a session that follows the schedule.
  ///
  /// - Parameters:
  ///   - schedule: the schedule of the run.
  ///   - toBeReplayed: whether a run that crashes its process is performed once more if the output
  ///     of the crashing command is unknown.
  ///   - check: the run also ends at the violation of this check if the default schedule has it
  ///     too.
  /// - Returns: the run, with the command that crashed its process.
  package func rehearsed(
    by schedule: Schedule,
    toBeReplayed: Bool = true,
    violating check: CheckID? = nil
  ) -> ScriptRun {
    setting.progress?.begin(schedule)
    let crash = crashes[schedule].flatMap { $0.output == nil && toBeReplayed ? nil : $0 }
    var script = upTo(crash?.step)
    if !schedule.isDefault { script = script.with(["schedule \(schedule)"] + script.commands) }
    var violation: Violation?
    let isOfWork = [.completes, .noLeakedWork].map(CheckID.builtIn).contains(check)
    var run = script.perform(nil, isScheduled: !schedule.isDefault, explainsWaits: isOfWork) {
      [baseline = script.baseline] record in
      violation =
        baseline.news(in: record) ?? baseline.known(in: record).first { $0.check == check }
      return violation == nil
    }
    run.violation = violation
    if let crash { run.append(crash, of: self) }
    return run
  }

  /// Performs a run up to its failure, and returns the scheduler with its steps and the lines that they print. Steps of a
  /// command that crashes the process are left out.
  func traced(by schedule: Schedule) -> TracingScheduler {
    setting.progress?.begin(schedule)
    let scheduler = TracingScheduler(schedule)
    _ = upTo(crashes[schedule]?.step).perform(scheduler) { [baseline] record in
      baseline.news(in: record) == nil
    }
    return scheduler
  }

  /// Returns a copy with the first commands only.
  private func upTo(_ command: Int?) -> ExploredScript {
    guard let command else { return self }
    var part = with(Array(commands.prefix(command)))
    part.end = .atOnce
    return part
  }
}
