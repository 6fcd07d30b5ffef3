import RehearsalBase
import Script
import Staging
import Timelines

/// What a command has come to, when it is over.
extension Session {
  /// How a command was stopped from outside.
  enum Interruption {
    case none
    /// Somewhere that no command leads to.
    case anywhere
    /// When all of an instant was done: waiting for that instant does the same.
    case afterInstant
  }

  /// What tells whether a command did anything.
  struct Footprint: Equatable {
    var time: Duration
    var events: Int
    var lines: Int
    var members: Int
    var outside: Int
  }

  var footprint: Footprint {
    Footprint(
      time: stage.now.elapsed,
      events: recording.events.count,
      lines: history.count,
      members: members.count,
      outside: httpIfUsed?.outside.lastTicket ?? 0
    )
  }

  /// Notes about a command what it takes to perform it again, or to undo it.
  func conclude(_ reading: Result<Script.Reading, Diagnostic>, since before: Footprint) {
    let after = footprint
    (concludedTime, concludedEvents) = (after.time, after.events)
    guard keepsLog else { return }
    let effect = effect(of: reading, before, after)
    let readings = memory?.takeReadings() ?? []
    log.amendLatest { entry in
      entry.ended = after.time
      entry.effect = effect
      entry.readings = readings
      entry.reachedOutside = entry.reachedOutside || after.outside != before.outside
    }
    if effect == .changed, !isReplaying { undone = [] }
    if standsForWaiting {
      amend("wait \((after.time - before.time).compact)")
    } else if interruption != .none, !isReplaying {
      replaceSource()
    }
    for line in afterwards { say(line) }
    afterwards = []
    if let recorder { noteReadings(readings, in: recorder.path, at: recorder.folder) }
  }

  private func effect(
    of reading: Result<Script.Reading, Diagnostic>,
    _ before: Footprint,
    _ after: Footprint
  ) -> SessionLog.Effect {
    guard case .success(.command(let command)) = reading else { return .looked }
    guard before == after else { return .changed }
    if commands[command.index].onlyLooks(command) { return .looked }
    return hasFailed ? .failed : .changed
  }

  /// Whether the command was stopped where 'wait' would have led to as well.
  var standsForWaiting: Bool {
    guard interruption == .afterInstant, sourcing.isEmpty, let latest = log.entries.last else {
      return false
    }
    return latest.letsTimePass && stage.now.elapsed > latest.began
  }

  /// Has a script that was stopped stand as the commands that it performed: those are performed again, so
  /// that each has its own output.
  private func replaceSource() {
    guard !sourced.isEmpty, log.missing == nil else { return }
    guard !log.entries.contains(where: \.reachedOutside) else { return }
    var story = log.entries
    let source = story.removeLast()
    let last = sourced.removeLast()
    story +=
      sourced + [last.letsTimePass ? last.asWaiting(until: last.ended) : last].compactMap { $0 }
    for index in story.indices.dropFirst(log.entries.count - 1) {
      story[index].readings = source.readings
    }
    travel = Travel(story: story, undone: undone) { _, _ in [] }
  }

  /// Says what was stopped, where it can be said, so that this replays: the instant is done to its end.
  func noteInterruption() {
    switch stage.runReady(limit: Self.mostJobsOfStoppedInstant) {
    case .idle, .reached: interruption = .afterInstant
    case .interrupted, .bound: interruption = .anywhere
    }
  }

  private static let mostJobsOfStoppedInstant = 10_000

  /// Writes down another command in the place of the latest, since it does what that one came to.
  func amend(_ command: String) {
    guard keepsLog, let latest = log.entries.last, latest.command != command else { return }
    log.amendLatest { $0.command = command }
    recording.amendLatest(command)
    recordAgain(from: log.entries.count - 1)
  }
}
