import RehearsalBase
import Script
import Timelines

/// Going back: what stands is performed again, on a stage of its own.
extension Session {
  /// Takes the last commands away that did something, with all that was only looked at since.
  func undo(_ count: Int, span: Range<Int>) throws(Diagnostic) {
    try requireWhole(span: span)
    var story = log.entries
    var undone = undone
    var words: [String] = []
    while words.count < count, let place = story.lastIndex(where: \.isUndoable) {
      words.append("undone: " + story[place].command.printable(atMost: 60))
      let start = story[..<place].lastIndex { $0.kind != .option }.map { $0 + 1 } ?? 0
      undone.append(Undone(place: start, entries: Array(story[start...])))
      story.removeSubrange(start...)
    }
    guard !words.isEmpty else {
      throw Diagnostic(.cannotTravel("there is nothing to undo"), at: span)
    }
    let now = stage.now.elapsed
    try plan(
      Travel(story: story, settings: log.entries[story.count].settings, undone: undone) {
        [words] in words + ($0 == now ? [] : ["it is \($1) again"])
      },
      span: span
    )
  }

  /// Performs again what was undone last. Time that flowed by itself meanwhile is taken back, with all
  /// that was looked at since it began to.
  func redo(_ count: Int, span: Range<Int>) throws(Diagnostic) {
    try requireWhole(span: span)
    var travel = Travel(story: log.entries, undone: undone) { _, _ in [] }
    var words: [String] = []
    while words.count < count, let last = travel.undone.popLast() {
      words.append("redone: " + Self.words(for: last.entries))
      if let end = last.end(in: travel.story) {
        travel.story.removeSubrange(end...)
      }
      let shift = travel.story.count - last.place
      for index in travel.undone.indices { travel.undone[index].place += shift }
      travel.story += last.entries
    }
    guard !words.isEmpty else {
      throw Diagnostic(.cannotTravel("nothing was undone that could be redone"), at: span)
    }
    let now = stage.now.elapsed
    travel.words = { [words] in words + ($0 == now ? [] : ["it is \($1)"]) }
    try plan(travel, span: span)
  }

  private static func words(for entries: [SessionLog.Entry]) -> String {
    let commands = entries.filter(\.isUndoable)
    if commands.isEmpty { return "the time that flowed" }
    return commands.count == 1
      ? commands[0].command.printable(atMost: 60) : "\(commands.count) commands"
  }

  /// Goes back to an earlier moment. What was commanded at that very moment stands.
  func rewind(_ duration: Located<Duration>) throws(Diagnostic) {
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
      throw Diagnostic(.cannotTravel("it is \(nowInWords) now"), at: duration.span)
    }
    let cut = Array(log.entries[place...])
    let part = try part(of: cut[0], until: target, span: duration.span)
    let unit = Undone(place: place, isReplaced: part != nil, entries: cut)
    let count = cut.count(where: \.isUndoable)
    let words =
      switch count {
      case 0: "'redo' goes forth again"
      case 1: "1 command undone; 'redo' brings it back"
      default: "\(count) commands undone; 'redo' brings them back"
      }
    try plan(
      Travel(
        story: log.entries[..<place] + (part.map { [$0] } ?? []),
        settings: cut[0].settings,
        undone: undone + [unit]
      ) { ["back at \($1)" + (count > 0 ? ", " : "; ") + words] },
      span: duration.span
    )
  }

  /// What leads from the beginning of a command to a moment in its midst.
  private func part(
    of entry: SessionLog.Entry,
    until target: Duration,
    span: Range<Int>
  ) throws(Diagnostic) -> SessionLog.Entry? {
    guard entry.began < target else { return nil }
    guard entry.letsTimePass else {
      let shown = entry.command.printable(atMost: 40)
      throw Diagnostic(
        .cannotTravel("\(inWords(target)) is in the midst of '\(shown)'"),
        at: span,
        hint: "'rewind \((stage.now.elapsed - entry.began).compact)' goes back to where that began"
      )
    }
    return entry.asWaiting(until: target)
  }

  /// Why an explored run cannot go back: nobody would decide in the session that takes its place.
  nonisolated static let goesBackInSearch = Problem.cannotTravel(
    "an explored session cannot undo, redo or rewind commands"
  )

  /// Refuses what cannot be performed a second time.
  private func plan(_ travel: Travel, span: Range<Int>) throws(Diagnostic) {
    if decisions != nil, following == nil {
      throw Diagnostic(
        Self.goesBackInSearch,
        at: span,
        hint: "leave out this command and those that it takes back"
      )
    }
    if let place = travel.story.firstIndex(where: \.reachedOutside) {
      let shown = travel.story[place].command.printable(atMost: 40)
      let count = log.entries.dropFirst(place).count(where: \.isUndoable)
      throw Diagnostic(
        .cannotTravel("'\(shown)' reached beyond the session, and would do so again"),
        at: span,
        hint: count > 0 ? "'undo \(count)' goes back to before it" : "type it again if you mean it"
      )
    }
    self.travel = travel
  }

  // MARK: Performing again

  /// Performs what was performed before, without a word; false if somebody stops it.
  func replay(_ story: [SessionLog.Entry]) -> Bool {
    isReplaying = true
    defer { isReplaying = false }
    let isWhole = progress.whileCounting(to: story.count) {
      story.allSatisfy { entry in
        progress.count()
        replay(entry)
        return interruption == .none
      }
    }
    (hasFailed, failures) = (false, [])
    return isWhole
  }

  private func replay(_ entry: SessionLog.Entry) {
    switch entry.kind {
    case .comment: keepComment(entry.command)
    case .option: writeDown(entry.command, as: .option)
    case .command where entry.effect == .looked: repeatWithoutLooking(entry)
    case .command, .pause:
      resume(entry.settings)
      memory?.repeating(entry.readings) { perform(entry.command) }
      log.amendLatest { $0.kind = entry.kind }
    }
  }

  /// Sets the options to what they were, also by others than commands.
  func resume(_ settings: SessionSettings) {
    if settings.values.seed != self.settings.values.seed { seed(UInt64(settings.values.seed)) }
    self.settings = settings
  }

  /// What only looked saw what it would see now.
  private func repeatWithoutLooking(_ entry: SessionLog.Entry) {
    writeDown(entry.command, as: entry.kind)
    if entry.isRecorded { for line in entry.output { recording.print(line) } }
    log.amendLatest { $0 = entry }
  }

  /// Where the new story differs from what was seen, its first command.
  func difference(from story: [SessionLog.Entry]) -> String? {
    zip(story, log.entries).first { !$0.isUnseen && $0.output != $1.output }?.0.command
  }
}
