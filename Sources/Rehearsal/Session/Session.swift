import Exploring
import Loading
import MockHTTP
import RehearsalBase
import Script
package import Staging
import Timelines

/// A rehearsal under way: members on a stage, the commands that act on them, and what happened.
///
/// A session is driven by one thread, inside `stage.enter`. Its own work takes no virtual time.
@MainActor package final class Session {
  package let stage: Stage
  let files: FileMemory
  /// How far a script, a search, or undoing has come.
  let progress: WorkProgress
  let options = SessionOptions()
  let execution = CommandExecution()
  let history: SessionHistory
  let output: SessionOutput

  var members: [any Member] = []
  private(set) var memberIndices: [String: Int] = [:]
  var shapes: [(name: String, type: ValueType)] = []
  let slots = PropertySlots()

  /// HTTP, once a command has to do with it: most sessions never do.
  private(set) lazy var http: SessionHTTP = {
    usesHTTP = true
    return SessionHTTP(
      stage: stage,
      network: network,
      seed: UInt64(options.settings.values.seed),
      recorder: RequestRecorder(self)
    )
  }()
  private var usesHTTP = false
  var httpIfUsed: SessionHTTP? { usesHTTP ? http : nil }
  let network: SessionNetwork
  let scenes: [Scene]
  /// Where it searches; nil for here.
  let shelter: (any SearchShelter)?

  /// All that could ever be typed, by place: the shell's own commands, then those of scenes.
  private(set) var commands = ShellCommands.all
  /// The scenes that were set up and are still there, by their names.
  var standing: [String: StandingScene] = [:]
  private(set) var table = ShellCommands.table

  /// What time waits for, and whether it could flow by itself: only a prompt can let it.
  var pace = Pace.virtual
  var canFlow = false
  /// Who sees time pass; nil where nobody does.
  var audience: (any Audience)?
  var silentInstants = 0
  /// Work outside of virtual time that has not been reported.
  var submitted: [String] = []
  /// The schedule that decides what comes first; nil where what became ready first does.
  var following: Following?
  /// Whether `schedule` and `explore` in sourced files take effect.
  var takesSchedulesOfFiles = true
  /// Whether the end of a run checks the tasks that scenes have created.
  var checksTasksOfScenes = false
  /// The `schedule` commands in sourced files that were ignored.
  var schedulesLeftOut: [String] = []
  /// Who decides what is open; nil where the first is taken.
  var decisions: Decisions?
  /// What commands have left open for whoever decides.
  var openValues = OpenValues()
  /// What judges the whole run.
  var judges = Judges()
  let pipeMeter: PipeMeter
  /// Scheduled commands that have not been performed, in the order of scheduling.
  var scheduled: [ScheduledCommand] = []
  var scheduledCount = 0
  /// Number of scheduled commands for each text.
  var scheduledRepetitions: [String: Int] = [:]
  /// The state of the session when it was last explored.
  var explored: Explored?

  /// A session with nothing in it. With `keepsLog` its text is kept, for `save`, as far as `limits` allow;
  /// `output` takes each line of output, without indentation, as soon as it exists.
  package init(
    stage: Stage,
    files: any SessionFiles,
    network: SessionNetwork = .none,
    scenes: [Scene] = [],
    shelter: (any SearchShelter)? = nil,
    keepsLog: Bool = true,
    limits: SessionLimits = SessionLimits(),
    progress: WorkProgress = WorkProgress(),
    output: @escaping (String) -> Void
  ) {
    self.progress = progress
    self.stage = stage
    pipeMeter = PipeMeter(stage: stage)
    self.files = FileMemory(files, keepsReadings: keepsLog)
    self.network = network
    self.scenes = scenes
    self.shelter = shelter
    history = SessionHistory(
      stage: stage,
      options: options,
      execution: execution,
      files: self.files,
      limits: limits,
      keepsLog: keepsLog,
      sink: output
    )
    self.output = SessionOutput(
      stage: stage,
      history: history,
      execution: execution,
      options: options,
      sink: output
    )
  }

  /// What time it is, as the option 'times' has it.
  var nowText: String { options.text(stage.now.elapsed) }

  /// Starts all random numbers again.
  func seed(_ seed: UInt64) {
    options.seed(seed)
    httpIfUsed?.server.reseed(seed)
  }

  // MARK: Members

  /// The member of a name; where there is none, a hint says what may have been meant: a member, or one of
  /// the other words that could stand there, or which command would make one.
  func member(
    _ name: Located<String>,
    or words: [String] = [],
    madeBy verb: String = "loadable"
  ) throws(Diagnostic) -> any Member {
    if let index = memberIndices[name.value] { return members[index] }
    let candidates = members.map(\.name) + words + wordsBesideMembers
    var hint = Suggestion.hint(for: name.value, in: candidates)
    if hint == nil {
      hint =
        members.isEmpty
        ? "create one, as in '\(verb) \(name.value)'" : "'list' shows all members"
    }
    throw Diagnostic(.unknownMember(name.value.printable(atMost: 30)), at: name.span, hint: hint)
  }

  /// The words that could stand in the command under way where a member's name does.
  private var wordsBesideMembers: [String] {
    let verb = execution.text.split(separator: " ").first.map(String.init) ?? ""
    guard let index = table.index(of: verb) else { return [] }
    let definition = table.definitions[index]
    return definition.arguments.flatMap(\.firstKeywords) + definition.clauseWords.sorted()
  }

  func add(_ member: any Member) {
    memberIndices[member.name] = members.count
    members.append(member)
  }

  /// Adds the commands of a scene. Those that it brought before are replaced, where they stand: what is
  /// scheduled already knows them by their places.
  func add(_ commands: [ShellCommand]) {
    for command in commands {
      let place = self.commands.firstIndex {
        $0.scene == command.scene && $0.definition.verb == command.definition.verb
      }
      if let place { self.commands[place] = command } else { self.commands.append(command) }
    }
    refreshTable()
  }

  /// Finds anew which commands can be typed.
  func refreshTable() {
    let gone = commands.indices.filter { !isAvailable(commands[$0]) }
    table = CommandTable(commands.map(\.definition), without: Set(gone))
  }

  /// The commands that can be typed now.
  var availableCommands: [ShellCommand] { commands.filter(isAvailable) }

  /// Whether a command is the shell's own, or its scene is still there.
  private func isAvailable(_ command: ShellCommand) -> Bool {
    guard let scene = command.scene else { return true }
    return standing[scene]?.verbs.contains(command.definition.verb) ?? false
  }

  func isMember(_ member: any Member) -> Bool { members.contains { $0 === member } }

  func requireFree(_ name: Located<String>) throws(Diagnostic) {
    guard let index = memberIndices[name.value] else { return }
    throw Diagnostic(
      .memberExists(name.value, what: members[index].word),
      at: name.span,
      hint: "'forget \(name.value)' makes the name free"
    )
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
    endJudges(of: gone)
    members.removeAll { gone.contains(ObjectIdentifier($0)) }
    memberIndices = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1.name, $0) })
    tellPipes(withSourcesIn: leaving)
    endScenes(without: gone)
  }

  func slot(for name: String) -> LoadSlot? {
    slots.slot(for: name)
  }

  // MARK: Performing

  /// Performs one command, which may have several lines.
  ///
  /// - Returns: false when the session is over.
  @discardableResult package func perform(_ text: String) -> Bool {
    removeOldest()
    execution.begin()
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
    let before = footprint
    run(reading, of: text)
    output.endCommand()
    if !history.isLeftOut {
      let after = footprint
      output.printDeferredLines()
      history.conclude(effect(of: reading, effects, before, after), since: before, after)
    }
    return !execution.isOver
  }

  /// Removes the oldest commands and events of a session that is full.
  func removeOldest() {
    guard history.isFull else { return }
    history.removeOldest(keeping: members.map(\.lane) + (httpIfUsed?.recorder.openLanes ?? []))
    for member in members {
      member.forgetVisits(
        before: history.recording.omitted.until,
        most: SessionLimits.kept(of: history.limits.events)
      )
    }
  }

  /// What tells whether a command has done anything.
  var footprint: SessionFootprint {
    SessionFootprint(
      time: stage.now.elapsed,
      events: history.recording.events.count,
      lines: history.eventLines.count,
      members: members.count,
      outside: httpIfUsed?.outside.lastTicket ?? 0
    )
  }

  private func effect(
    of reading: Result<Script.Reading, Diagnostic>,
    _ effects: CommandEffects,
    _ before: SessionFootprint,
    _ after: SessionFootprint
  ) -> SessionLog.Effect {
    guard case .success(.command) = reading else { return .looked }
    guard before == after else { return .changed }
    if !effects.contains(.changes) { return .looked }
    return execution.hasFailed ? .failed : .changed
  }

  /// The effects of a command and of those that it contains; it is assumed to change the session if it cannot be read.
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

  /// Writes the options that a transcript needs before a command that is printed and performed next.
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

  func read(_ text: String) -> Result<Script.Reading, Diagnostic> {
    do throws(Diagnostic) {
      return .success(try Script.read(text, table: table))
    } catch {
      return .failure(naming(error, in: text))
    }
  }

  func run(_ text: String) { run(read(text), of: text) }

  private func run(_ reading: Result<Script.Reading, Diagnostic>, of text: String) {
    let outer = execution.text
    execution.text = text
    defer { execution.text = outer }
    do throws(Diagnostic) {
      switch try reading.get() {
      case .nothing: return
      case .unfinished(let diagnostic): throw diagnostic
      case .command(let command): try perform(command)
      }
    } catch {
      do throws(Diagnostic) {
        guard let lines = try explanation(askedIn: text) else { throw error }
        for line in lines { output.print(line) }
      } catch {
        output.fail(error)
      }
    }
  }

  private func carryOut(_ command: ParsedCommand) throws(Diagnostic) {
    let known = commands[command.index]
    guard isAvailable(known) else {
      let verb = command.verb
      throw namingScene(
        Diagnostic(.unknownCommand(verb.value.printable(atMost: 30)), at: verb.span)
      )
    }
    let outer = execution.commandText
    execution.commandText = command.text
    defer { execution.commandText = outer }
    try known.perform(self, command.arguments)
  }

  /// Performs a scheduled command. A mistake is printed, and the rest continues.
  func performLater(_ command: ParsedCommand, causedBy record: Int?) {
    let outer = (execution.text, execution.scheduledCommand, history.cause)
    (execution.text, execution.scheduledCommand) = (command.source, command.text)
    history.cause = record
    defer { (execution.text, execution.scheduledCommand, history.cause) = outer }
    // A command may hold answers back, or look at what has become of requests.
    stage.movesMatter(onlyClaimed: true)
    do throws(Diagnostic) {
      try carryOut(command)
    } catch {
      output.fail(error)
    }
  }

  private func perform(_ command: ParsedCommand) throws(Diagnostic) {
    let outer = history.cause
    if execution.sources.isEmpty, !history.isLeftOut { history.cause = history.latestRecord }
    defer { history.cause = outer }
    pipeMeter.reset()
    try stage.hosting { () throws(Diagnostic) in try carryOut(command) }
    // What is due now happens now; time itself moves only when it is told to.
    if !execution.isOver { try driveWhatIsReady() }
  }

  /// Ends everything that still runs, without a word. The session cannot be used any more.
  package func end() {
    for member in members { member.tearDown() }
    forgetScenes()
    httpIfUsed?.end()
    history.stopRecording()
    stage.close()
  }

  /// Lets go of a user's own objects while the stage is there: what they cancel when they go belongs
  /// on it.
  private func forgetScenes() {
    judges = Judges()
    members = []
    memberIndices = [:]
    standing = [:]
    commands = ShellCommands.all
    table = ShellCommands.table
  }
}

/// What tells whether a command has done anything.
struct SessionFootprint: Equatable {
  let time: Duration
  /// Numbers of events, of event lines, of members, and of operations outside of the stage.
  let events: Int
  let lines: Int
  let members: Int
  let outside: Int
}
