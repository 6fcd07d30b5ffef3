import Exploring
import Harness
import RehearsalBase
import Script

/// Decides which accepted checks and commands were not performed, and notes unfinished work at the end of a session.
extension Session {
  /// Checks and commands that would not be performed if the session ended now: commands in the
  /// order of their times, then run assertions and choices of a schedule. Those that a search has
  /// performed at this point of the session are left out.
  var unperformed: [Unperformed] {
    let explored = scheduling.explored.flatMap { $0.footprint == footprint ? $0 : nil }
    let coming = members.all.flatMap(\.commandsOfInterrupts)
    let comingNumbers = Set(coming.map(\.number))
    let waiting = clock.scheduled.all.filter { !comingNumbers.contains($0.number) } + coming
    let left = waiting.filter {
      $0.number > explored?.scheduled ?? 0 || $0.isOfInterrupt && explored?.hadPending == false
    }
    let commands = left.sorted { ($0.due, $0.number) < ($1.due, $1.number) }.map(unperformed)
    return commands + assertions.all.compactMap { unperformed($0, explored) }
      + [unfollowed].compactMap(\.self)
  }

  /// The scheduled command with the earliest time, without those of interrupts, because each may
  /// schedule the next.
  var nextScheduled: Unperformed? { clock.scheduled.next.map(unperformed) }

  private func unperformed(_ command: ScheduledCommand) -> Unperformed {
    Unperformed(
      command: command.given,
      text: command.text.printable(atMost: 200),
      reason: command.isOfInterrupt ? .notInterrupted : .notDue,
      details: options.text(command.due) + command.place
    )
  }

  private func unperformed(_ assertion: RunAssertion, _ explored: SessionScheduling.Explored?)
    -> Unperformed?
  {
    guard assertion.verdict == .open else { return nil }
    let wasExplored = explored.map { assertion.number <= $0.assertions } ?? false
    let reason: Unperformed.Reason
    switch assertion.rule {
    case .eventually:
      if wasExplored { return nil }
      reason = .neverSo
    case .sometimes: return nil
    case .always, .never:
      // A search waits for everything that is still pending.
      if wasExplored, explored?.hadPending == true { return nil }
      if hasDoneSomething(since: assertion.footprint) { return nil }
      reason = .nothingHappened
    }
    return Unperformed(
      command: assertion.given,
      text: assertion.text.printable(atMost: 200),
      reason: reason,
      details: assertion.place
    )
  }

  /// Whether anything has happened or time has passed since a moment. Another member alone changes no state.
  private func hasDoneSomething(since before: SessionFootprint) -> Bool {
    let now = footprint
    return before.events != now.events || before.lines != now.lines || before.outside != now.outside
      || before.time != now.time
  }

  /// Notes about each `sometimes` that did not hold, because only a search decides about it.
  var undecidedSometimes: [String] {
    if scheduling.isInSearch { return [] }
    let explored = scheduling.explored.flatMap { $0.footprint == footprint ? $0 : nil }
    return assertions.all.compactMap { assertion in
      guard assertion.rule == .sometimes, assertion.number > explored?.assertions ?? 0 else {
        return nil
      }
      if case .met = assertion.verdict { return nil }
      return
        "'\(assertion.text.printable(atMost: 200))' did not hold in this run; 'explore' checks all runs\(assertion.place)"
    }
  }

  /// Notes if the session ends while jobs are ready, because the user chooses each, while work is due at a later time, or
  /// before an answer from outside of virtual time: a rule has not checked that work, and the rest of a typed text is
  /// missing.
  var notesOnUnfinishedWork: [String] {
    let hasReadyJobs = stage.hasWorkNow
    let next = stage.nextInstant?.elapsed
    guard hasReadyJobs || next != nil || stage.waitsForOutside else { return [] }
    let held = "held until the session ended at \(nowText), but"
    let words =
      hasReadyJobs
      ? "is unchecked at the end of \(nowText), because the session ended before jobs that were ready"
      : next.map { "\(held) work is due at \(options.text($0))" }
        ?? "\(held) an operation outside of virtual time has not ended"
    let rules = assertions.all.filter { assertion in
      guard assertion.verdict == .open, hasDoneSomething(since: assertion.footprint) else {
        return false
      }
      switch assertion.rule {
      case .always, .never: return true
      case .eventually, .sometimes: return false
      }
    }
    let inputs = members.all.compactMap { $0 as? InputMember }.filter { !$0.unfinished.isEmpty }
    return rules.map { "'\($0.text.printable(atMost: 200))' \(words)\($0.place)" }
      + inputs.map { "the session ended with \($0.unfinished) of '\($0.name)' to come" }
      + (hasReadyJobs ? ["the session ended before jobs that were ready; 'settle' runs them"] : [])
  }

  /// The choices of the schedule that were never reached.
  private var unfollowed: Unperformed? {
    guard let following = scheduling.following, !following.rest.isDefault else { return nil }
    return Unperformed(
      command: following.given,
      text: "schedule \(following.schedule)",
      reason: .undecided,
      details: "\(following.rest)\(following.place)"
    )
  }
}
