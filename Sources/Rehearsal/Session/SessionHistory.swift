import Exploring
import RehearsalBase
import Script
import Staging
import Timelines

/// The past of a session: the log of its commands, the events of its members, and the transcripts that `save` and
/// `record` write, with the number of saved commands.
///
/// `save` and `undo` use the commands, timelines use the recording, and `log` uses the event lines.
@MainActor final class SessionHistory {
  let stage: Stage
  let options: SessionOptions
  private let execution: CommandExecution
  private let files: FileMemory
  private let sink: (any OutputSink)?
  let limits: SessionLimits
  /// Whether commands and output are kept, for `save` and `undo`.
  let keepsLog: Bool

  private(set) var log = SessionLog()
  private(set) var recording = Recording()
  private(set) var eventLines = EventLines()
  private(set) var laneNumbers = LaneNumbers()

  /// The latest command record of the recording, counted from the beginning of the session.
  private(set) var latestRecord: Int?
  /// The command record of the current command, given or scheduled; nil for events that only time
  /// causes.
  var cause: Int?
  /// The end time and the number of events of the finished commands.
  private(set) var concludedTime = Duration.zero
  private var concludedEvents = 0
  /// The `wait` that is logged before the next line of output, in live time.
  private var pendingPause: String?
  /// The file that `record` writes.
  private(set) var file: TranscriptFile?

  /// Whether commands of an earlier session are being replayed.
  var isReplaying = false
  /// Whether the current command and its output are left out of the session.
  var isLeftOut = false
  /// Whether the recording has the output of the current command. It has not if the output shows
  /// the recording.
  var recordsOutput = true
  /// Called before each event; nil if nothing needs it.
  var beforeEvent: (() -> Void)?

  /// The undone entries that can be redone, the latest last.
  var undoEntries: [UndoEntry] = []
  /// The history that a command requested. The host replaces the session.
  var undoRequest: UndoRequest?

  struct TranscriptFile {
    let path: String
    /// The canonical name of its folder.
    let folder: String
    let file: any FileAppender
  }

  init(
    stage: Stage,
    options: SessionOptions,
    execution: CommandExecution,
    files: FileMemory,
    limits: SessionLimits,
    keepsLog: Bool,
    sink: (any OutputSink)?
  ) {
    (self.stage, self.options, self.execution) = (stage, options, execution)
    (self.files, self.limits, self.keepsLog, self.sink) = (files, limits, keepsLog, sink)
  }

  // MARK: Events

  /// Adds a lane to the recording.
  ///
  /// - Returns: its number in the session.
  func addLane(_ lane: Recording.Lane) -> Int {
    _ = recording.addLane(lane)
    return laneNumbers.next()
  }

  /// Returns the lane with this number, unless it was removed.
  func lane(_ number: Int) -> Recording.Lane? {
    laneNumbers.index(of: number).map { recording.lanes[$0] }
  }

  /// Adds an event at the current instant to the recording.
  func append(
    _ kind: Recording.Kind,
    attempt: Int? = nil,
    lane: Int,
    state: String? = nil,
    phase: Recording.Phase? = nil,
    answer: String? = nil,
    process: String? = nil
  ) {
    beforeEvent?()
    guard let index = laneNumbers.index(of: lane) else { return }
    if let scheduler = stage.jobScheduler, scheduler.keepsTexts {
      noteEffect(kind, attempt, recording.lanes[index], index, state, by: scheduler)
    }
    recording.append(
      Recording.Event(
        time: stage.now.elapsed,
        lane: index,
        attempt: attempt,
        kind: kind,
        state: state,
        phase: phase,
        answer: answer,
        process: process,
        cause: cause.flatMap(recordIndex)
      )
    )
  }

  /// Notes an event for a report about a run. The server notes requests itself, in their tasks.
  private func noteEffect(
    _ kind: Recording.Kind,
    _ attempt: Int?,
    _ lane: Recording.Lane,
    _ index: Int,
    _ state: String?,
    by scheduler: any JobScheduler
  ) {
    if lane.word == "request" { return }
    let owner = attempt.map { "\(lane.name) #\($0)" } ?? lane.name
    guard let text = kind.effect(on: owner, state) else { return }
    let start = attempt.flatMap { attempt in
      recording.events.last {
        guard case .started = $0.kind else { return false }
        return $0.lane == index && $0.attempt == attempt
      }
    }
    let first = start?.cause.map { $0 + recording.omitted.records }
    scheduler.noteEffect(StepEffect(text, row: nil, owner: owner, record: first ?? cause))
  }

  /// Returns the index of a command record, unless it was removed.
  private func recordIndex(_ number: Int) -> Int? {
    number < recording.omitted.records ? nil : number - recording.omitted.records
  }

  func add(_ line: EventLines.Line) { eventLines.append(line) }

  /// Returns the recording up to now.
  func recordingUpToNow() -> Recording {
    recording.advance(to: stage.now.elapsed)
    return recording
  }

  // MARK: Commands

  /// Logs a command, after the options that it needs and that no command has set.
  func begin(_ text: String, _ effects: CommandEffects) {
    writeOptions(isPicture: effects.contains(.fitsWidth))
    write(text, as: .command, effects)
  }

  /// Logs a comment on its own line.
  func writeComment(_ text: String) {
    let line = text.drop { $0 == " " || $0 == "\t" }
    guard line.first == "#", !line.contains("\n") else { return }
    write(String(line), as: .comment)
  }

  /// Logs the options that no command has set, so that a replay of the transcript prints the same.
  ///
  /// - Parameter isPicture: whether the output of the next command depends on the width.
  /// - Returns: the commands that set them.
  @discardableResult func writeOptions(isPicture: @autoclosure () -> Bool) -> [String] {
    guard options.settings.isUnwritten else { return [] }
    let commands = options.settings.takeUnwritten(isPicture: isPicture()).map(\.command)
    for command in commands { write(command, as: .option) }
    return commands
  }

  func write(_ text: String, as kind: SessionLog.Kind, _ effects: CommandEffects = .changes) {
    var written = ""
    if keepsLines {
      let entry = SessionLog.Entry(
        text,
        kind,
        effects: effects,
        at: concludedTime,
        options.snapshot
      )
      if file != nil { written = entry.text }
      if keepsLog { log.begin(entry) }
    }
    if kind != .comment {
      let index = recording.begin(text, at: concludedTime, firstEvent: concludedEvents)
      latestRecord = index + recording.omitted.records
    }
    appendToFile(written)
  }

  /// Logs an entry of an earlier session that changed nothing and would print the same again.
  func writeAgain(_ entry: SessionLog.Entry) {
    write(entry.command, as: entry.kind)
    if entry.isRecorded { for line in entry.lines { recording.print(line) } }
    log.amendLatest { $0 = entry }
  }

  /// Whether the log or a file has the lines of the session.
  var keepsLines: Bool { keepsLog || file != nil }

  /// Adds a line to the output of the current command.
  func addLine(_ line: OutputLine) {
    if isLeftOut { return }
    writePendingPause()
    if keepsLog {
      log.add(line, isRecorded: recordsOutput)
      if recordsOutput { recording.print(line) }
    }
    appendToFile(TranscriptText.output(line))
  }

  /// Adds a problem to the failures of the current command.
  func add(_ problem: @autoclosure () -> CommandProblem) {
    if keepsLog, !isLeftOut { log.add(problem()) }
  }

  /// Ends the current command.
  func conclude(_ after: SessionFootprint) {
    (concludedTime, concludedEvents) = (after.time, after.events)
  }

  /// Ends the current command in a session with a log: adds what `undo` and a replay need to know about it.
  func conclude(
    _ effect: SessionLog.Effect,
    since before: SessionFootprint,
    _ after: SessionFootprint
  ) {
    conclude(after)
    let readings = files.takeReadings()
    log.amendLatest { entry in
      entry.ended = after.time
      entry.effect = effect
      entry.readings = readings
      entry.reachedOutside = entry.reachedOutside || after.outside != before.outside
    }
    if effect == .changed, !isReplaying { undoEntries = [] }
    if isInterruptedWait {
      amend("wait \((after.time - before.time).compact)")
    } else if execution.interruption != .none, !isReplaying {
      replaceSource()
    }
    if let file { noteReadings(readings, in: file.path, at: file.folder) }
  }

  /// Whether the command was interrupted at an instant that `wait` can reach, too.
  var isInterruptedWait: Bool {
    guard execution.interruption == .afterInstant, execution.sources.isEmpty,
      let latest = log.entries.last
    else { return false }
    return latest.advancesTime && stage.now.elapsed > latest.began
  }

  /// Replaces an interrupted `source` by the commands that it performed, so that each has its own
  /// output. They are performed again.
  private func replaceSource() {
    guard let last = execution.sourcedEntries.popLast(), log.missing == nil,
      !log.entries.contains(where: \.reachedOutside)
    else { return }
    var entries = log.entries
    let source = entries.removeLast()
    let start = entries.count
    entries += execution.sourcedEntries
    if let end = last.advancesTime ? last.asWaiting(until: last.ended) : last {
      entries.append(end)
    }
    for index in entries.indices.dropFirst(start) { entries[index].readings = source.readings }
    undoRequest = UndoRequest(entries: entries, undoEntries: undoEntries) { _, _ in [] }
  }

  /// Replaces the latest command by an equivalent one.
  func amend(_ command: String) {
    guard keepsLog, let latest = log.entries.last, latest.command != command else { return }
    log.amendLatest { $0.command = command }
    recording.amendLatest(command)
    writeFile(from: log.entries.count - 1)
  }

  func amendLatest(_ change: (inout SessionLog.Entry) -> Void) { log.amendLatest(change) }

  // MARK: Live time

  /// Performs `body`, and logs `command` before its first line of output.
  ///
  /// - Returns: whether it printed anything.
  func whilePausing(_ command: String, _ body: () -> Void) -> Bool {
    pendingPause = command
    body()
    let isWritten = pendingPause == nil
    pendingPause = nil
    if isWritten { concludePause() }
    return isWritten
  }

  private func writePendingPause() {
    guard let pause = pendingPause else { return }
    pendingPause = nil
    writeOptions(isPicture: false)
    write(pause, as: .pause, .advancesTime)
  }

  /// Logs the time that has passed since the last command, in live time.
  func writePause() {
    guard stage.now.elapsed > concludedTime else { return }
    write("wait \((stage.now.elapsed - concludedTime).compact)", as: .pause, .advancesTime)
    concludePause()
  }

  private func concludePause() {
    concludedTime = stage.now.elapsed
    concludedEvents = recording.events.count
    log.amendLatest { entry in
      entry.ended = stage.now.elapsed
      entry.effect = .changed
      entry.readings = files.takeReadings()
    }
  }

  // MARK: Limits

  /// Whether the oldest commands and events have to be removed.
  var isFull: Bool {
    log.isFull(limits) || hasTooManyEvents || recording.records.count > limits.commands
      || eventLines.isFull(limits.events)
  }

  /// Events that begin attempts in flight do not count, because they are never removed.
  private var hasTooManyEvents: Bool {
    recording.events.count - recording.omitted.beginnings > limits.events
  }

  /// Removes the oldest commands and events, between two commands.
  ///
  /// - Parameter lanes: the numbers of the lanes that must stay.
  func removeOldest(keeping lanes: [Int]) {
    if log.isFull(limits) {
      log.forget(limits)
      undoEntries = []
    }
    eventLines.removeOldest(limits.events)
    let (events, records) = (recording.events.count, recording.records.count)
    let mostRecords =
      keepsLog
      ? log.commandCount
      : records > limits.commands ? SessionLimits.kept(of: limits.commands) : records
    let remaining = recording.omit(
      keepingEvents: hasTooManyEvents ? SessionLimits.kept(of: limits.events) : events,
      records: mostRecords,
      lanes: Set(lanes.compactMap(laneNumbers.index))
    )
    laneNumbers.keep(remaining)
    concludedEvents = max(0, concludedEvents - (events - recording.events.count))
  }

  /// Throws if the log does not contain the whole session.
  func requireWhole(span: Range<Int>) throws(Diagnostic) {
    guard let reason = log.missing else { return }
    throw Diagnostic(.cannotTravel(reason), at: span, hint: Self.hintForLongSessions)
  }

  static let hintForLongSessions = "'record FILE' at the beginning of a session keeps all of it"

  // MARK: The transcript file

  /// Returns the session as a transcript, without the current command.
  ///
  /// - Parameter isWhole: whether mistakes and commands that only look are in it.
  /// - Returns: the transcript, its number of commands, and the number of all commands.
  func textForSaving(
    isWhole: Bool
  ) -> (text: String, commands: Int, all: Int, options: [String]) {
    let count = max(0, log.entries.count - (isLeftOut ? 0 : 1))
    let whole = log.text(ofFirst: count)
    let saved = isWhole ? whole : log.shortText(ofFirst: count)
    return (saved.text, saved.commands, whole.commands, log.options(ofFirst: count))
  }

  /// Starts writing the session into a file, with everything up to now.
  func startRecording(_ new: TranscriptFile) throws(FileProblem) {
    do throws(FileProblem) {
      try new.file.append(log.text(ofFirst: log.entries.count).text)
    } catch {
      new.file.close()
      throw error
    }
    stopRecording()
    file = new
  }

  /// Ends the recording.
  ///
  /// - Returns: its path, and whether the file contains anything; nil if nothing was being
  ///   recorded.
  @discardableResult func stopRecording() -> (path: String, isThere: Bool)? {
    guard let file else { return nil }
    self.file = nil
    return (file.path, file.file.close())
  }

  /// Continues the recording of the session that this one replaces.
  func continueRecording(of old: SessionHistory) {
    file = old.file
    old.file = nil
    writeFile(from: zip(old.log.entries, log.entries).prefix { $0.text == $1.text }.count)
  }

  /// A line that cannot be written ends the recording, not the session.
  private func appendToFile(_ text: @autoclosure () -> String) {
    guard let file else { return }
    do throws(FileProblem) {
      try file.file.append(text())
    } catch {
      giveUpRecording(error)
    }
  }

  /// Writes the file again from an entry on.
  private func writeFile(from place: Int) {
    guard let file else { return }
    let kept = log.goneBytes + log.text(ofFirst: place).text.utf8.count
    let rest = log.entries[place...].map(\.text).joined()
    do throws(FileProblem) {
      try file.file.replace(after: kept, with: rest)
    } catch {
      giveUpRecording(error)
    }
  }

  private func giveUpRecording(_ problem: FileProblem) {
    guard let file else { return }
    self.file = nil
    execution.hasFailed = true
    file.file.close()
    sink?.print(
      .error(
        "the recording stopped: cannot write '\(file.path.escapingControls)': \(problem.sentence)"
      )
    )
    if log.missing == nil { sink?.print(.hint("'save FILE' writes the whole session elsewhere")) }
  }

  /// Prints a note if a transcript is in another folder than the files that the session has read.
  func noteReadings(_ readings: [FileMemory.Reading], in transcript: String, at folder: String) {
    let isSeenFromHere = { (reading: FileMemory.Reading) in
      !reading.path.hasPrefix("/") && (try? reading.content.get()) != nil
    }
    guard readings.contains(where: isSeenFromHere), folder != files.identity(of: ".") else {
      return
    }
    sink?.print(
      .note("a replay of \(transcript.escapingControls) looks for files in its folder, not here")
    )
  }
}

extension Recording.Kind {
  /// The event as a noun phrase: `the answer of feed #1`; nil if no step has it as its purpose.
  fileprivate func effect(on owner: String, _ state: String?) -> String? {
    switch self {
    case .started, .queued: "the start of \(owner)"
    case .refused: "another start of \(owner)"
    case .yielded: "a value of \(owner)"
    case .interrupted: "the interrupt of \(owner)"
    case .retrying: "a failed try of \(owner)"
    case .stopped: "the stop of \(owner)"
    case .ended(.succeeded, _), .ended(.empty, _): "the answer of \(owner)"
    case .ended(.failed, _): "the failure of \(owner)"
    case .ended(.cancelled, _), .cancelled: "the cancellation of \(owner)"
    case .ended(.reset, _), .reset: "the reset of \(owner)"
    case .assigned: "the new value of \(owner)"
    case .changed: state.map { "the change of \(owner) to \($0.printable(atMost: 80))" }
    case .governed, .forgotten: nil
    }
  }
}
