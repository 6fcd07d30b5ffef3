import RehearsalBase
import Script
import Staging
import Timelines

/// The request of `undo`, `redo` or `rewind`: which commands remain, and how they are performed again on a new stage.
struct UndoRequest: Sendable {
  /// The commands that are performed.
  var entries: [SessionLog.Entry]
  /// The options at their end; nil to keep the current ones.
  var settings: SessionSettings?
  /// The entries that can be redone afterwards.
  var undoEntries: [UndoEntry]
  /// The lines that are printed afterwards, at the time `now`; `text` is that time in the format of
  /// the option `times`.
  var lines: @Sendable (_ now: Duration, _ text: String) -> [String]
}

/// Commands that were undone together, to be redone.
struct UndoEntry: Sendable {
  /// Their index in the log.
  var place: Int
  /// Whether another command has taken their place.
  var isReplaced = false
  let entries: [SessionLog.Entry]

  /// Returns the end of the log's part that stays when these are redone; nil if all of it stays.
  func end(in log: [SessionLog.Entry]) -> Int? {
    isReplaced ? place : log[place...].firstIndex { $0.kind == .pause }
  }
}

// MARK: Requests

extension SessionHistory {
  /// Returns the session without its last commands that changed something, and without those after
  /// them.
  func undoing(_ count: Int, span: Range<Int>) throws(Diagnostic) -> UndoRequest {
    try requireWhole(span: span)
    var entries = log.entries
    var undoEntries = undoEntries
    var lines: [String] = []
    while lines.count < count, let place = entries.lastIndex(where: \.isUndoable) {
      lines.append("undone: " + entries[place].command.printable(atMost: 60))
      let start = entries[..<place].lastIndex { $0.kind != .option }.map { $0 + 1 } ?? 0
      undoEntries.append(UndoEntry(place: start, entries: Array(entries[start...])))
      entries.removeSubrange(start...)
    }
    guard !lines.isEmpty else {
      throw Diagnostic(.cannotTravel("there is nothing to undo"), at: span)
    }
    if lines.count < count { lines.append("nothing else to undo: \(lines.count) of \(count)") }
    let settings = log.entries[entries.count].settings
    return UndoRequest(entries: entries, settings: settings, undoEntries: undoEntries) {
      [lines, before = stage.now.elapsed] in
      lines + ($0 == before ? [] : ["it is \($1) again"])
    }
  }

  /// Returns the session with the latest undone entries. Time that has passed in live time
  /// meanwhile is undone, with everything after its beginning.
  func redoing(_ count: Int, span: Range<Int>) throws(Diagnostic) -> UndoRequest {
    try requireWhole(span: span)
    var request = UndoRequest(entries: log.entries, undoEntries: undoEntries) { _, _ in [] }
    var lines: [String] = []
    while lines.count < count, let last = request.undoEntries.popLast() {
      lines.append("redone: " + Self.summary(of: last.entries))
      if let end = last.end(in: request.entries) { request.entries.removeSubrange(end...) }
      let shift = request.entries.count - last.place
      for index in request.undoEntries.indices { request.undoEntries[index].place += shift }
      request.entries += last.entries
    }
    guard !lines.isEmpty else {
      throw Diagnostic(.cannotTravel("nothing was undone that could be redone"), at: span)
    }
    if lines.count < count { lines.append("nothing else to redo: \(lines.count) of \(count)") }
    request.lines = { [lines, before = stage.now.elapsed] in
      lines + ($0 == before ? [] : ["it is \($1)"])
    }
    return request
  }

  private static func summary(of entries: [SessionLog.Entry]) -> String {
    let commands = entries.filter(\.isUndoable)
    if commands.isEmpty { return "the time that flowed" }
    return commands.count == 1
      ? commands[0].command.printable(atMost: 60) : "\(commands.count) commands"
  }

  /// Returns the session as it was `duration` ago, after the commands that were given at that
  /// instant.
  func rewinding(_ duration: Located<Duration>) throws(Diagnostic) -> UndoRequest {
    try requireWhole(span: duration.span)
    let now = stage.now.elapsed
    let target = now - duration.value
    guard target >= .zero else {
      throw Diagnostic(
        .cannotTravel(
          "the session is \(now.compact) old, and cannot go \(duration.value.compact) back"
        ),
        at: duration.span,
        hint: now > .zero ? "'rewind \(now.compact)' goes back to its beginning" : nil
      )
    }
    guard let place = log.entries.firstIndex(where: { $0.ended > target }) else {
      throw Diagnostic(.cannotTravel("it is \(options.text(now)) now"), at: duration.span)
    }
    let cut = Array(log.entries[place...])
    let part = try part(of: cut[0], until: target, span: duration.span)
    let count = cut.count(where: \.isUndoable)
    let words =
      switch count {
      case 0: "; 'redo' goes forward again"
      case 1: ", 1 command undone; 'redo' brings it back"
      default: ", \(count) commands undone; 'redo' brings them back"
      }
    return UndoRequest(
      entries: log.entries[..<place] + [part].compactMap(\.self),
      settings: cut[0].settings,
      undoEntries: undoEntries + [UndoEntry(place: place, isReplaced: part != nil, entries: cut)]
    ) { ["back at \($1)" + words] }
  }

  /// Returns a `wait` from the beginning of a command to an instant before its end.
  private func part(
    of entry: SessionLog.Entry,
    until target: Duration,
    span: Range<Int>
  ) throws(Diagnostic) -> SessionLog.Entry? {
    guard entry.began < target else { return nil }
    guard entry.advancesTime else {
      let shown = entry.command.printable(atMost: 40)
      throw Diagnostic(
        .cannotTravel("\(options.text(target)) is inside '\(shown)'"),
        at: span,
        hint: "'rewind \((stage.now.elapsed - entry.began).compact)' goes back to its beginning"
      )
    }
    return entry.asWaiting(until: target)
  }

  /// Throws if commands cannot be replayed; otherwise makes the request.
  func request(_ request: UndoRequest, span: Range<Int>) throws(Diagnostic) {
    if let place = request.entries.firstIndex(where: \.reachedOutside) {
      let shown = request.entries[place].command.printable(atMost: 40)
      let count = log.entries.dropFirst(place).count(where: \.isUndoable)
      throw Diagnostic(
        .cannotTravel("'\(shown)' had effects outside the session, and would repeat them"),
        at: span,
        hint: count > 0
          ? "'undo \(count)' goes back to before it" : "enter the command again to confirm it"
      )
    }
    undoRequest = request
  }

  func takeUndoRequest() -> UndoRequest? {
    defer { undoRequest = nil }
    return undoRequest
  }
}

// MARK: Replaying

extension SessionHost {
  /// Replaces the session by a new one that performs other commands. If the user interrupts that,
  /// the session stays.
  func carryOut(_ request: UndoRequest) {
    let (oldStage, old) = (stage, session)
    let newStage = Stage()
    let new = makeSession(newStage)
    place.stage = newStage
    willReplay?(newStage)
    guard newStage.enter({ new.replay(request.entries) }) else {
      place.stage = oldStage
      newStage.enter { new.end() }
      return oldStage.enter {
        old.execution.hasFailed = true
        old.output.printAside(.error("interrupted; nothing was undone or redone"))
      }
    }
    session = new
    unchanged = newStage.enter {
      UnchangedPrefix(of: old.history.recording, in: new.history.recording)
    }
    newStage.enter { new.replace(old, by: request) }
    oldStage.enter { old.end() }
    newStage.enter { new.describe(request) }
  }

  /// Returns, once, the part that the last `undo`, `redo` or `rewind` left unchanged.
  package func takeUnchanged() -> UnchangedPrefix? {
    defer { unchanged = nil }
    return unchanged
  }
}

/// The part of a recording that is the same after the history changed.
package struct UnchangedPrefix: Sendable {
  package let lanes: Int
  package let events: Int
  package let records: Int

  /// Nothing if either recording has lost its beginning, because then the indices cannot be
  /// compared.
  init(of old: Recording, in new: Recording) {
    guard old.omitted == .init(), new.omitted == .init() else {
      (lanes, events, records) = (0, 0, 0)
      return
    }
    lanes = Self.count(old.lanes, new.lanes)
    events = Self.count(old.events, new.events)
    records = Self.count(old.records, new.records)
  }

  private static func count<T: Equatable>(_ old: [T], _ new: [T]) -> Int {
    zip(old, new).prefix { $0 == $1 }.count
  }
}

extension Session {
  /// Performs commands of an earlier session without output.
  ///
  /// - Returns: false if this was interrupted.
  fileprivate func replay(_ entries: [SessionLog.Entry]) -> Bool {
    history.isReplaying = true
    defer { history.isReplaying = false }
    let isWhole = environment.progress.whileCounting(to: entries.count) {
      entries.allSatisfy { entry in
        environment.progress.count()
        replay(entry)
        return execution.interruption == .none
      }
    }
    (execution.hasFailed, execution.failures) = (false, [])
    return isWhole
  }

  private func replay(_ entry: SessionLog.Entry) {
    switch entry.kind {
    case .comment: history.writeComment(entry.command)
    case .option: history.write(entry.command, as: .option)
    case .command where entry.effect == .looked: history.writeAgain(entry)
    case .command, .pause:
      resume(entry.settings)
      files.repeating(entry.readings) { perform(entry.command) }
      history.amendLatest { $0.kind = entry.kind }
    }
  }

  /// Restores all options, including those that no command has set.
  private func resume(_ settings: SessionSettings) {
    let seed = settings.values.seed
    if seed != options.settings.values.seed { self.seed(UInt64(seed)) }
    options.settings = settings
    applyPreemption()
  }

  fileprivate func replace(_ old: Session, by request: UndoRequest) {
    var settings = options.settings
    if let others = request.settings { settings.takeOthers(of: others) }
    settings.takeOthers(of: old.options.settings)
    resume(settings)
    output.objects = old.output.objects
    (clock.pace, clock.canFlow) = (old.clock.pace, old.clock.canFlow)
    clock.audience = old.clock.audience
    // A repeated command explains no wait again.
    clock.explained = old.clock.explained
    execution.hasNamedWaits = false
    history.continueRecording(of: old.history)
  }

  /// Prints what was undone or redone, and the first command whose output differs.
  fileprivate func describe(_ request: UndoRequest) {
    history.undoEntries = request.undoEntries
    for line in request.lines(stage.now.elapsed, nowText) { output.printAside(OutputLine(line)) }
    let difference = zip(request.entries, history.log.entries).first {
      !$0.isUnseen && $0.output != $1.output
    }
    if let command = difference?.0.command {
      output.printAside(
        .note("'\(command.printable(atMost: 40))' did not print the same as the first time")
      )
    }
    showNextJobs()
  }
}
