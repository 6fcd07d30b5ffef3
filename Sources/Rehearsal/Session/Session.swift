import Exploring
import Loading
import MockHTTP
import RehearsalBase
import Script
package import Staging
package import Timelines

/// A rehearsal under way: members on a stage, the commands that act on them, and what happened.
///
/// A session is driven by one thread, inside `stage.enter`. Its own work takes no virtual time.
@MainActor package final class Session {
  package let stage: Stage
  package let files: any SessionFiles
  /// The same files, where what they held may be asked for again.
  let memory: FileMemory?
  package internal(set) var recording = Recording()
  /// What `set` can change.
  var settings = SessionSettings() {
    didSet { latestSettings = nil }
  }
  private var latestSettings: KeptSettings?
  /// How many columns output may take.
  var width: Int { settings.values.width }

  var members: [any Member] = []
  private(set) var memberIndices: [String: Int] = [:]
  var shapes: [(name: String, type: ValueType)] = []
  private(set) var random = SeededRandom(seed: 0)
  let slots = PropertySlots()

  /// HTTP, once a command has to do with it: most sessions never do.
  private(set) lazy var http: SessionHTTP = {
    usesHTTP = true
    return SessionHTTP(
      stage: stage,
      network: network,
      seed: UInt64(settings.values.seed),
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

  let output: (String) -> Void
  var printed = PrintedLines()
  var log = SessionLog()
  let limits: SessionLimits
  var laneNumbers = LaneNumbers()
  let keepsLog: Bool
  /// What was undone and can be redone, the latest last.
  var undone: [Undone] = []
  /// Where a command wants to go that travels in time; the host goes there.
  var travel: Travel?
  /// What time waits for, and whether it could flow by itself: only a prompt can let it.
  var pace = Pace.virtual
  var canFlow = false
  /// Who sees time pass; nil where nobody does.
  var audience: (any Audience)?
  /// Time that is passing by itself.
  var flowing: Flow?
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
  /// Up to where time, and what happened, is written down.
  var concludedTime = Duration.zero
  var concludedEvents = 0
  /// Whether commands are performed that were performed before.
  var isReplaying = false
  var recorder: Recorder?

  /// How far a script, or going back, has come.
  let progress: WorkProgress
  let changes: SessionChanges
  let pipeMeter: PipeMeter

  /// What was told of every event, for `log`.
  var history = SessionHistory()
  /// The scripts that are being sourced, outermost first.
  var sourcing: [SourceFrame] = []
  /// What they have performed since the latest command was given, as if it had been typed.
  var sourced: [SessionLog.Entry] = []
  /// Whether the last command failed.
  var hasFailed = false
  /// The last given command, or the one that scheduled the current command.
  var given = ""
  /// Scheduled commands that have not been performed, in the order of scheduling.
  var scheduled: [ScheduledCommand] = []
  var scheduledCount = 0
  /// Number of scheduled commands for each text.
  var scheduledRepetitions: [String: Int] = [:]
  /// Number of commands with the same text that were scheduled before the current scheduled command.
  var laterRepetition = 0
  /// The state of the session when it was last explored.
  var explored: Explored?
  /// Whether somebody stopped it, and what then stands in its place.
  var interruption = Interruption.none
  /// What is said when the command is over, and is no part of the session.
  var afterwards: [String] = []
  /// The latest passage of the recording, counted from the session's beginning.
  var passage: Int?
  /// Why, as far as the last command did: so many at most as it may print lines.
  var failures: [SessionFailure] = []
  /// Whether there were more failures than are noted.
  var hasUnnotedFailures = false
  /// What the last command had to say to programs, beside its lines; nil where no program listens.
  var objects: [JSONLine]?
  /// The passage whose command is being carried out, now or as it had been told to.
  var cause: Int?
  var isOver = false
  /// Whether recordings show what is printed: what is made of a recording is left out of it.
  var recordsOutput = true
  /// Whether what the command prints belongs in no file.
  var isOffTheRecord = false
  /// The text of the command that is being performed, for the place of a diagnostic.
  var currentText = ""
  /// The command that is carried out, from its verb on: one inside another where that is meant.
  private(set) var commandText = ""
  /// The command that had been scheduled and is carried out; nil where none is.
  private(set) var laterCommand: String? { didSet { turns += 1 } }
  /// How often a command that was scheduled has begun, or ended.
  private(set) var turns = 0

  /// What the session is written into as it goes on.
  struct Recorder {
    let path: String
    /// The one name of the folder that it lies in.
    let folder: String
    let file: any FileAppender
  }

  struct SourceFrame {
    let path: String
    let identity: String
    var line: Int
  }

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
    changes = SessionChanges(stage: stage)
    pipeMeter = PipeMeter(stage: stage)
    memory = keepsLog ? FileMemory(files) : nil
    self.files = memory ?? files
    self.network = network
    self.scenes = scenes
    self.shelter = shelter
    self.keepsLog = keepsLog
    self.limits = limits
    self.output = output
  }

  /// The settings as they are, for whoever keeps them.
  var keptSettings: KeptSettings {
    if let latestSettings { return latestSettings }
    let kept = KeptSettings(settings)
    latestSettings = kept
    return kept
  }

  /// Begins all that is left to chance anew.
  func seed(_ seed: UInt64) {
    random = SeededRandom(seed: seed)
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
    let verb = currentText.split(separator: " ").first.map(String.init) ?? ""
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
        announce("\(member.name)  forgotten, \(member.unfinished) cancelled", lane: member.lane)
      }
      member.tearDown()
      write(.forgotten, lane: member.lane)
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
    forgetTheOldest()
    hasFailed = false
    interruption = .none
    failures = []
    hasUnnotedFailures = false
    sourced = []
    let reading = read(text)
    if case .success(.nothing) = reading {
      keepComment(text)
      return true
    }
    given = text
    isOffTheRecord = concernsTheRecord(reading)
    defer { isOffTheRecord = false }
    if !isOffTheRecord { writeDown(text, reading) }
    let before = footprint
    run(reading, of: text)
    endOutput()
    if !isOffTheRecord { conclude(reading, since: before) }
    return !isOver
  }

  func onlyLooks(_ text: String) -> Bool {
    guard case .success(.command(let command)) = read(text) else { return false }
    return commands[command.index].definition.onlyLooks
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
    let outer = currentText
    currentText = text
    defer { currentText = outer }
    do throws(Diagnostic) {
      switch try reading.get() {
      case .nothing: return
      case .unfinished(let diagnostic): throw diagnostic
      case .command(let command): try perform(command)
      }
    } catch {
      do throws(Diagnostic) {
        guard let lines = try explanation(askedIn: text) else { throw error }
        lines.forEach(emit)
      } catch {
        fail(error)
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
    let outer = commandText
    commandText = command.text
    defer { commandText = outer }
    try known.perform(self, command.arguments)
  }

  /// Performs a command that was scheduled earlier, by that passage; a mistake is printed, and the rest
  /// goes on.
  func performLater(_ command: ParsedCommand, causedBy passage: Int?) {
    let outer = (currentText, laterCommand, cause)
    (currentText, laterCommand, cause) = (command.source, command.text, passage)
    defer { (currentText, laterCommand, cause) = outer }
    // A command may hold answers back, or look at what has become of requests.
    stage.movesMatter(onlyClaimed: true)
    do throws(Diagnostic) {
      try carryOut(command)
    } catch {
      fail(error)
    }
  }

  private func perform(_ command: ParsedCommand) throws(Diagnostic) {
    let outer = cause
    if sourcing.isEmpty, !isOffTheRecord { cause = passage }
    defer { cause = outer }
    pipeMeter.reset()
    try stage.hosting { () throws(Diagnostic) in try carryOut(command) }
    // What is due now happens now; time itself moves only when it is told to.
    if !isOver { try driveWhatIsReady() }
  }

  package var lastCommandFailed: Bool { hasFailed }

  /// Ends everything that still runs, without a word. The session cannot be used any more.
  package func end() {
    for member in members { member.tearDown() }
    forgetScenes()
    httpIfUsed?.end()
    stopRecording()
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
