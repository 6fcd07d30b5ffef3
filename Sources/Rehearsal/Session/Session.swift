import Exploring
import Loading
import MockHTTP
import RehearsalBase
import Script
package import Staging
import Timelines

/// A running rehearsal: performs a command, and decides whether it has changed the session. Its parts own their state,
/// and the session coordinates them.
///
/// A session is driven by one thread, inside `stage.enter`. Its own work takes no virtual time.
@MainActor package final class Session {
  package let stage: Stage
  let environment: SessionEnvironment
  let files: FileMemory
  let options = SessionOptions()
  let execution = CommandExecution()
  let history: SessionHistory
  let output: SessionOutput
  let members = SessionMembers()
  let commands = SessionCommands()
  let scenes: SessionScenes
  let scheduling: SessionScheduling
  let clock: SessionClock
  let assertions: RunAssertions
  let pipeMeter: PipeMeter
  /// HTTP, created by the first command that needs it. Most sessions never need it.
  private(set) var httpIfUsed: SessionHTTP?

  /// Creates an empty session. With `keepsLog` it keeps its commands and output for `save`, within
  /// `limits`. `output` receives each line of output, without indentation, immediately; nil if nothing reads them.
  init(
    stage: Stage,
    files: any SessionFiles,
    environment: SessionEnvironment,
    keepsLog: Bool,
    limits: SessionLimits,
    output sink: (any OutputSink)?
  ) {
    self.stage = stage
    self.environment = environment
    self.files = FileMemory(files, keepsReadings: keepsLog)
    scenes = SessionScenes(environment.scenes)
    pipeMeter = PipeMeter(stage: stage)
    history = SessionHistory(
      stage: stage,
      options: options,
      execution: execution,
      files: self.files,
      limits: limits,
      keepsLog: keepsLog,
      sink: sink
    )
    output = SessionOutput(
      stage: stage,
      history: history,
      execution: execution,
      options: options,
      sink: sink
    )
    scheduling = SessionScheduling(stage: stage, execution: execution, history: history)
    clock = SessionClock(
      stage: stage,
      execution: execution,
      options: options,
      history: history,
      output: output,
      members: members,
      scheduling: scheduling
    )
    assertions = RunAssertions(
      stage: stage,
      execution: execution,
      options: options,
      history: history,
      output: output
    )
  }

  var http: SessionHTTP {
    if let httpIfUsed { return httpIfUsed }
    let http = SessionHTTP(
      stage: stage,
      network: environment.network,
      seed: UInt64(options.settings.values.seed),
      recorder: RequestRecorder(self),
      outside: clock.outside
    )
    httpIfUsed = http
    return http
  }

  /// The current time in the format of the option `times`.
  var nowText: String { options.text(stage.now.elapsed) }

  /// Restarts all random numbers from a seed.
  func seed(_ seed: UInt64) {
    options.seed(seed)
    stage.reseed(seed)
    httpIfUsed?.server.reseed(seed)
  }

  // MARK: Members

  /// Returns the member with a name. The hint of the error has a similar word: a member, another
  /// word that is valid there, or the command that creates such a member.
  func member(
    _ name: Located<String>,
    or words: [String] = [],
    madeBy verb: String = "loadable"
  ) throws(Diagnostic) -> any Member {
    if let member = members[name.value] { return member }
    let words = words + commands.words(besideMembersIn: execution.text)
    throw members.unknown(name, or: words, madeBy: verb)
  }

  func remove(_ leaving: [any Member]) {
    for member in leaving {
      if !member.unfinished.isEmpty {
        output.printEvent(
          "\(member.name)  forgotten, \(member.unfinished) cancelled",
          lane: member.lane
        )
      }
      member.tearDown()
      history.append(.forgotten, lane: member.lane)
    }
    let gone = Set(leaving.map { ObjectIdentifier($0) })
    assertions.end(of: gone)
    members.remove(gone)
    tellPipes(withSourcesIn: leaving)
    for scene in scenes.takeEnded(without: gone) { end(scene) }
  }

  // MARK: Performing

  /// Performs one command, which may have several lines.
  ///
  /// - Returns: false when the session is over.
  @discardableResult package func perform(_ text: String) -> Bool {
    removeOldest()
    execution.begin()
    scheduling.beginCommand()
    let reading = read(text)
    if case .success(.nothing) = reading {
      history.writeComment(text)
      return true
    }
    execution.given = text
    let effects = effects(of: reading)
    history.isLeftOut = effects.contains(.leftOut)
    defer { history.isLeftOut = false }
    if !history.isLeftOut { history.begin(text, effects) }
    let before = history.keepsLog ? (footprint, stage.randomState) : nil
    run(reading, of: text)
    output.endCommand()
    if !history.isLeftOut {
      let after = footprint
      output.printDeferredLines()
      if let (before, random) = before {
        let changes = before != after || random != stage.randomState
        history.conclude(effect(of: reading, effects, changes: changes), since: before, after)
      } else {
        history.conclude(after)
      }
    }
    return !execution.isOver
  }

  /// Removes the oldest commands and events of a session that is full.
  func removeOldest() {
    guard history.isFull else { return }
    let requests = httpIfUsed?.recorder.openLanes ?? []
    let commands = [scenes.commandLane].compactMap(\.self)
    history.removeOldest(keeping: members.all.map(\.lane) + requests + commands)
    for member in members.all {
      member.forgetVisits(
        before: history.recording.omitted.until,
        most: SessionLimits.kept(of: history.limits.events)
      )
    }
  }

  private func effect(
    of reading: Result<Script.Reading, Diagnostic>,
    _ effects: CommandEffects,
    changes: Bool
  ) -> SessionLog.Effect {
    guard case .success(.command) = reading else { return .looked }
    if changes { return .changed }
    if !effects.contains(.changes) || execution.onlyLooks { return .looked }
    return execution.hasFailed ? .failed : .changed
  }

  /// Returns the effects of a command and of those that it contains. A command that cannot be
  /// parsed is assumed to change the session.
  func effects(of text: String) -> CommandEffects { effects(of: read(text)) }

  private func effects(of reading: Result<Script.Reading, Diagnostic>) -> CommandEffects {
    guard case .success(.command(let command)) = reading else { return .changes }
    return command.allEffects
  }

  /// Whether a text is a command that belongs to the session.
  func isPartOfTheSession(_ text: String) -> Bool {
    let reading = read(text)
    if case .success(.nothing) = reading { return false }
    return !effects(of: reading).contains(.leftOut)
  }

  /// Writes the options that a transcript needs before a command that is printed and performed
  /// next.
  ///
  /// - Returns: the commands that set them.
  func writeOptions(before text: String) -> [String] {
    guard options.settings.isUnwritten else { return [] }
    let reading = read(text)
    if case .success(.nothing) = reading { return [] }
    let effects = effects(of: reading)
    return effects.contains(.leftOut)
      ? [] : history.writeOptions(isPicture: effects.contains(.fitsWidth))
  }

  /// Parses a text. A mistake does not yet have the hints that need the session, see `naming`.
  func read(_ text: String) -> Result<Script.Reading, Diagnostic> {
    Result { () throws(Diagnostic) in try Script.read(text, table: commands.table) }
  }

  func run(_ text: String) { run(read(text), of: text) }

  private func run(_ reading: Result<Script.Reading, Diagnostic>, of text: String) {
    let outer = execution.text
    execution.text = text
    defer { execution.text = outer }
    do throws(Diagnostic) {
      switch try reading.mapError({ naming($0, in: text) }).get() {
      case .nothing: return
      case .unfinished(let diagnostic): throw diagnostic
      case .command(let command):
        let outerCause = history.cause
        if execution.sources.isEmpty, !history.isLeftOut { history.cause = history.latestRecord }
        defer { history.cause = outerCause }
        pipeMeter.reset()
        do {
          let (outerText, wasHosting) = (execution.commandText, stage.beginHosting())
          execution.commandText = command.text
          defer {
            execution.commandText = outerText
            stage.endHosting(wasHosting)
          }
          try commands[command.index].perform(self, command.arguments)
        }
        // Jobs that are due now run now. Only commands advance virtual time.
        if !execution.isOver { try clock.runReady() }
        try inspectScenes()
      }
    } catch {
      do throws(Diagnostic) {
        guard let lines = try explanation(askedIn: text) else { throw error }
        let command = "'\(text.printable(atMost: 200))'" + execution.sourceSuffix
        execution.listed.append((command, isCheck: CommandText.leadsToAssertion(text)))
        for line in lines { output.print(line) }
      } catch {
        output.fail(reworded(error, in: text))
      }
    }
  }

  /// Performs a scheduled command. A mistake is printed, and the rest continues.
  func performScheduled(_ number: Int, _ command: ParsedCommand, causedBy record: Int?) {
    let outer = (execution.text, execution.scheduledCommand, history.cause)
    let outerGiven = (execution.given, execution.repetition, execution.commandText)
    if let scheduled = clock.scheduled.take(number) {
      (execution.given, execution.repetition) = (scheduled.given, scheduled.repetition)
    }
    (execution.text, execution.scheduledCommand) = (command.source, command.text)
    (execution.commandText, history.cause) = (command.text, record)
    defer {
      (execution.text, execution.scheduledCommand, history.cause) = outer
      (execution.given, execution.repetition, execution.commandText) = outerGiven
    }
    let shown = command.text.printable(atMost: 120)
    scheduling.note(StepEffect("'\(shown)'", row: "> \(shown)", record: record))
    // The command may delay answers or read the state of requests.
    stage.movesMatter(onlyClaimed: true)
    do throws(Diagnostic) {
      let known = commands[command.index]
      guard commands.isAvailable(known) else {
        let verb = command.verb
        throw namingScene(
          Diagnostic(.unknownCommand(verb.value.printable(atMost: 30)), at: verb.span)
        )
      }
      try known.perform(self, command.arguments)
    } catch {
      output.fail(error)
    }
  }

  /// Reads all properties of scenes again, runs the jobs that follow from untracked changes, and
  /// releases finished tasks. If the user chooses the next job, it waits for the last job of the instant.
  func inspectScenes() throws(Diagnostic) {
    guard !scenes.standing.isEmpty, !(scheduling.isByHand && stage.hasWorkNow) else { return }
    let before = history.recording.events.count
    for member in members.all { member.refresh() }
    if !execution.isOver, history.recording.events.count != before { try clock.runReady() }
    stage.releaseFinishedTasks()
  }

  /// Advances live time until `time`.
  func flow(to time: Duration) {
    removeOldest()
    clock.flow(to: time, begin: pipeMeter.reset)
  }

  /// Ends all work, without output. The session cannot be used afterwards.
  package func end() {
    for member in members.all { member.tearDown() }
    // A user's objects are released while the stage exists: their deinitialisers may cancel work on
    // it.
    assertions.removeAll()
    members.removeAll()
    scenes.removeAll()
    commands.removeAllOfScenes()
    httpIfUsed?.end()
    history.stopRecording()
    stage.close()
  }
}
