import Exploring
import Harness
import RehearsalBase
import Script
import Staging
package import Timelines

/// One run of a script, with everything that the report of a search shows, such as commands that it did not vary.
package struct ScriptRun: Sendable {
  /// The records of the commands, as a transcript has them; the schedule comes first.
  package private(set) var records: [CommandRecord]
  /// The events, without those of a command that crashed the process.
  package let recording: Recording
  /// The files on disk that the run has read, or tried to read.
  let readings: [String]
  /// Names of the transcript's fixtures that no command has read.
  let unreadFixtures: [String]
  /// The command that crashed the process; nil if none did.
  package private(set) var end: String?
  /// The violation that ended the run.
  var violation: Violation?
  /// The execution trace, if it is kept, and its length at the end of each command.
  let trace: (steps: [ExecutionStep], ends: [Int])
  let openChoices: OpenChoices
  /// The work outside of virtual time.
  let outside: [String]
  /// What no schedule varies.
  let unvaried: [String]
  /// Whether no work was left at the end.
  let hasSettled: Bool
  let violations: [BuiltInViolation]
  /// Whether the run reached its end.
  let isWhole: Bool
  /// Each `eventually` that is open at the end.
  let unmet: [OpenRunAssertion]
  /// Each `sometimes`, and whether it held.
  let sometimes: [SometimesAssertion]
  /// The first run assertion that has checked nothing, because no event followed it.
  let idleAssertion: Unperformed?
  /// A command that ended the session before the last command, and the number of commands after it.
  let unreached: (command: String, count: Int)?
  /// The reason why the run is inconclusive; nil if it is not.
  let inconclusive: String?
  /// The `schedule` commands in sourced files that were ignored.
  let schedulesLeftOut: [String]
  /// The notes of the session at the end, if the run repeats a schedule. Only those of the default schedule are shown.
  let notes: [String]
  /// What waits at the end, and where, if the run explains it.
  let waits: [String]
  /// The commands that may follow those of the script, if they are wanted and not known yet.
  let grammar: Result<SessionGrammar, ExploredScript.Refusal>?
  /// The generated commands; nil if the run generates none.
  let generated: GeneratedRun?

  /// The records without that of the schedule.
  var scriptRecords: ArraySlice<CommandRecord> { records.drop(while: \.isSchedule) }

  /// Whether the whole run violates a check.
  func violates(_ check: CheckID) -> Bool {
    violations.contains { .builtIn($0.check) == check } || unmet.contains { $0.check == check }
  }

  /// Adds the command that crashed the process in an earlier run by the same schedule.
  mutating func append(_ crash: RunCrash, of script: ExploredScript) {
    let commands = script.commands
    let command = crash.step < commands.count ? commands[crash.step] : "settle"
    let output = crash.output ?? Array(crash.outcome.seen.prefix(1))
    var record = CommandRecord(command: command, output: CommandOutput(output), failures: [])
    record.notes = crash.notes
    records.append(record)
    end = command
    violation = crash.outcome.failure
  }
}

/// A command, its output and its failures.
package struct CommandRecord: Sendable {
  package let command: String
  package let output: CommandOutput
  /// Whether the command is the schedule of the run, and not one of the script.
  var isSchedule = false
  /// Remarks on the output.
  fileprivate(set) var notes: [String] = []
  /// In the order of time.
  let failures: [ScriptFailure]

  package var lines: [String] { output.all }

  /// The reason why the run does not count for the search; nil if it counts.
  var obstacle: ScriptFailure.Obstacle? { failures.lazy.compactMap(\.obstacle).first }
}

extension ExploredScript {
  /// Performs the commands in a new session.
  ///
  /// - Parameters:
  ///   - scheduler: the scheduler; nil for the session's own.
  ///   - isScheduled: whether the first command is the schedule and not part of the script.
  ///   - explainsWaits: whether the run says what waits at its end, which may take some time.
  ///   - continues: whether the run continues after a command.
  /// - Returns: the run.
  func perform(
    _ scheduler: SearchScheduler?,
    isScheduled: Bool = false,
    explainsWaits: Bool = false,
    while continues: (CommandRecord) -> Bool
  ) -> ScriptRun {
    if let scheduler {
      scheduler.takesClaims = !readsLog
      setting.progress?.begin(scheduler)
    }
    let firstCommand = isScheduled ? 1 : 0
    // Only this thread performs commands.
    nonisolated(unsafe) var output = CommandOutput()
    nonisolated(unsafe) weak var performing: SessionHost?
    // The behaviour of a generated session does not depend on its output.
    let isRead = grammar == nil || scheduler?.readsOutput ?? true
    let print: @MainActor (String) -> Void = { [progress = setting.progress] line in
      output.add(
        line,
        performing?.session.output.lineKind ?? .text,
        at: performing?.stage.now,
        turn: performing?.session.execution.turns ?? 0
      )
      progress?.add(line)
    }
    let files = MemoryFiles(fixtures: setting.fixtures, folder: setting.folder)
    let host = SessionHost(
      files: files,
      scenes: setting.scenes,
      keepsLog: readsLog,
      limits: setting.limits,
      keepsTrace: setting.keepsTrace,
      output: isRead ? print : nil
    )
    performing = host
    host.checkTasksOfScenes()
    let compares = !setting.scenes.isEmpty && checks.contains(.matchesModel)
    if compares {
      host.compareScenes { [progress = setting.progress] in progress?.note(model: $0) }
    }
    if !setting.isScript { host.leaveOutSchedulesOfFiles() }
    defer { host.end() }
    if let scheduler { host.decide(by: scheduler, landmarks: landmarks) }
    var records: [CommandRecord] = []
    var ends: [Int] = []
    var latestRecords: [Int] = []
    var obstacle: String?
    var unnoted: String?
    var unreached: (command: String, count: Int)?
    var (isGenerating, isAtEnd, isRefused) = (false, false, false)
    func perform(_ command: String) -> Bool {
      setting.progress?.begin(step: records.count - firstCommand)
      (scheduler as? TracingScheduler)?.begin(command.printable(atMost: 120))
      let isOver = !host.perform(command)
      if compares, !isOver { host.compareScenes(after: command) }
      // A generated command may be refused. The 'settle' at the end of a run is not generated.
      let isGenerated = isGenerating || own.map { !$0.contains(command) } == true
      let mayBeRefused = isGenerated && !isAtEnd
      var failures: [ScriptFailure] = []
      isRefused = false
      if host.hasFailed {
        (failures, isRefused) = ScriptFailure.all(
          in: host,
          by: command,
          at: records.count,
          output,
          mayBeRefused: mayBeRefused
        )
      }
      var record = CommandRecord(
        command: command,
        output: output,
        isSchedule: isScheduled && records.isEmpty,
        failures: failures
      )
      // Without a scheduler, the run is not one of many, but is shown.
      if scheduler == nil, !failures.isEmpty {
        record.notes = Self.indented(
          failures.contains(where: \.isEndless) ? host.waitsAtEnd : host.reasons(onlyNew: false)
        )
      }
      output = CommandOutput()
      records.append(record)
      latestRecords.append(host.latestRecord)
      if setting.keepsTrace { ends.append(host.stage.trace.count) }
      if let found = record.obstacle { obstacle = "'\(command)' \(found.words)" }
      if host.hasUnnotedFailures { unnoted = unnoted ?? command }
      let left = commands.count - records.count
      if isOver, left > 0 { unreached = (command, left) }
      return continues(record) && unreached == nil && obstacle == nil
    }
    var isWhole = commands.allSatisfy(perform)
    let newGrammar =
      setting.mostGenerated != nil && grammar == nil && isWhole
        && (!setting.isScript || records.allSatisfy(\.failures.isEmpty)) ? host.grammar() : nil
    var generation = grammar.map(Generation.init)
    if isWhole, let scheduler, let most = setting.mostGenerated {
      isGenerating = true
      isWhole =
        generation?.perform(
          atMost: most,
          in: host,
          by: scheduler,
          note: { [progress = setting.progress] in progress?.generate($0, by: $1) },
          perform: { perform($0) ? isRefused : nil }
        ) ?? true
      isGenerating = false
    }
    if isWhole, !host.isSettled {
      let waiting: String? =
        switch end {
        case .settled: "settle"
        case .awaited(let limit): host.lastAwaited.map { "wait \(min($0, limit).compact)" }
        case .atOnce: nil
        }
      isAtEnd = true
      if let waiting { isWhole = perform(waiting) && host.isSettled }
    }
    isWhole = isWhole && end == .settled
    if host.stage.preemptsAtLocks, Stage.gapOfPreemption != nil {
      scheduler?.missesOrdersOfProgram = true
    }
    let recording = host.recording
    let open = host.openAssertions
    let incomplete = unnoted.map(Self.tooManyFailures) ?? unchecked(recording.omitted.events)
    var openChoices = OpenChoices()
    if let scheduler {
      if scheduler.keepsTexts {
        scheduler.placeOfRecord = { [self] record in
          latestRecords.firstIndex { $0 >= record }.flatMap(place(ofCommand:))
        }
      }
      // Generated commands are others in each run.
      openChoices = host.openChoices(
        latestRecords,
        ofFirst: generation == nil ? .max : commands.count
      )
      // The open values of servers that scenes create belong to no command.
      openChoices.merge(scheduler.openChoices(ofCommand: commands.count))
      generation?.addChoices(to: &openChoices)
    }
    return ScriptRun(
      records: records,
      recording: recording,
      readings: host.stage.enter { files.readings.map(\.path) },
      unreadFixtures: setting.fixtures.isEmpty ? [] : host.unreadFixtures,
      trace: (host.stage.trace, ends),
      openChoices: openChoices,
      outside: scheduler == nil ? [] : host.takeOutside(),
      unvaried: scheduler == nil ? [] : host.takeUnvaried() + Self.sessionsOfTests(in: records),
      hasSettled: host.isSettled,
      violations: host.violations(in: recording, isWhole: isWhole),
      isWhole: isWhole,
      unmet: isWhole ? open : [],
      sometimes: sometimes(host.sometimes(isWhole: isWhole)),
      idleAssertion: isWhole && scheduler is ReplayScheduler ? host.idleAssertion : nil,
      unreached: unreached,
      inconclusive: isWhole
        ? incomplete ?? (host.isModelUndecided ? ModelUndecided.text : nil)
        : obstacle ?? incomplete
          ?? open.first.map { "\($0.check.text) was open when the run was over" }
          ?? host.nextScheduled?.sentence,
      schedulesLeftOut: host.schedulesLeftOut,
      notes: scheduler is ReplayScheduler ? host.notes : [],
      waits: explainsWaits && isWhole ? Self.indented(host.waitsAtEnd) : [],
      grammar: newGrammar,
      generated: generation?.run
    )
  }

  /// The sessions that the command `test` plays: each has its own default schedule in every run.
  private static func sessionsOfTests(in records: [CommandRecord]) -> [String] {
    let test = ShellCommand.test.definition
    // The text first: each run comes here, and to read a command takes longer.
    return records.lazy.map(\.command)
      .filter { $0.hasPrefix(test.verb) && CommandText.definition(of: $0) === test }
      .map { "the sessions of '\($0.printable(atMost: 200))'" }
  }

  /// Returns a heading and its lines.
  private static func indented(_ lines: [String]) -> [String] {
    lines.prefix(1) + lines.dropFirst().map { "  " + $0 }
  }

  /// Returns the `sometimes` assertions of a run, with their lines.
  private func sometimes(
    _ assertions: [(assertion: RunAssertion, hasHeld: Bool)]
  ) -> [SometimesAssertion] {
    assertions.map { assertion, hasHeld in
      let places = commands.indices.filter { commands[$0] == assertion.given }
      let place = places.isEmpty ? nil : places[min(assertion.repetition, places.count - 1)]
      return SometimesAssertion(
        assertion.text,
        number: assertion.repetition,
        line: place.flatMap { lines.indices.contains($0) ? lines[$0] : nil },
        sourced: assertion.place,
        heldRuns: hasHeld ? 1 : 0
      )
    }
  }

  /// Returns why a run is not checked completely: its recording has lost events, or failures.
  private func unchecked(_ events: Int) -> String? {
    events == 0
      ? nil
      : "there are more than \(setting.limits.events) events, and the first \(events) are not checked"
  }

  private static func tooManyFailures(_ command: String) -> String {
    "'\(command)' has more than \(CommandExecution.mostFailures) failures, and later ones are not checked"
  }
}
