import Exploring
import Loading
import Script
import Staging

/// Which of several things that are due comes first.
extension Session {
  /// A schedule that is followed, and how it has gone.
  struct Following {
    let schedule: Schedule
    let decisions: ListedDecisions
    /// In how many files, each sourced by the one before, it was told.
    let depth: Int
    /// The given command.
    let given: String
    /// The sourced file and line of the command; empty if it is in no sourced file.
    let place: String

    /// The text of the decisions that have not come yet.
    var rest: Schedule { schedule.withoutFirst(decisions.choices.count) }
  }

  /// The reason why an explored run cannot follow a schedule.
  nonisolated static let choosesOrderInSearch = Problem.misfit("the order is what is explored")

  /// Follows a schedule from now on; nil takes what became ready first. That of a file does nothing where one is
  /// followed already by who sources it.
  ///
  /// - Throws: where somebody else decides.
  func follow(_ schedule: Located<Schedule>?, _ span: Range<Int>) throws(Diagnostic) {
    if !takesSchedulesOfFiles, !execution.sources.isEmpty {
      schedulesLeftOut.append(execution.text)
      return
    }
    if let outer = following?.depth, outer < execution.sources.count { return }
    guard decisions == nil || following != nil else {
      throw Diagnostic(
        Self.choosesOrderInSearch,
        at: span,
        hint: "leave this command out"
      )
    }
    following = schedule.map {
      Following(
        schedule: $0.value,
        decisions: ListedDecisions($0.value),
        depth: execution.sources.count,
        given: execution.given,
        place: execution.sourceSuffix
      )
    }
    decide(by: following?.decisions)
  }

  /// Leaves what is open, from the order at an instant to the value of a load, to somebody; nil takes the first of
  /// everything. Routes ask whoever decides on the stage.
  func decide(by decisions: Decisions?) {
    self.decisions = decisions
    stage.direct(by: decisions)
  }

  /// Which of several things is taken, from 0.
  func choose(among count: Int) -> Int { decisions?.choose(among: count) ?? 0 }

  /// Which of many values that lie in a row is taken, from 0; at those that are marked something else happens.
  func choose(among count: Int, marked: [Int]) -> Int {
    decisions?.choose(among: count, marked: marked) ?? 0
  }

  /// How long something takes that begins so much later than now: the shorter where nobody decides.
  func choose(_ range: DurationRange, from start: Duration = .zero) -> Duration {
    decisions?.choose(range, from: start, on: stage) ?? range.lowerBound
  }

  /// How long to wait for the next try, as is drawn where jitter leaves it open and nobody decides.
  func delay(
    of retry: RetryPolicy,
    afterFailedTry number: Int,
    using random: inout some RandomNumberGenerator
  ) -> Duration {
    let drawn = retry.delay(afterFailedTry: number, using: &random)
    let range = retry.delays(afterFailedTry: number)
    return decisions?.choose(range, drawn: drawn, on: stage) ?? drawn
  }

  /// What `schedule` says.
  var scheduleInWords: String {
    guard let following else { return "plain: what became ready first comes first" }
    let count = following.decisions.choices.count
    let rest = following.rest
    return "\(following.schedule); \(count) \(count == 1 ? "decision" : "decisions") so far"
      + (rest.isPlain ? "" : ", so \(rest) \(rest.deviations == 1 ? "is" : "are") still to come")
  }

  /// - Throws: where the schedule said something that was not possible.
  func requireFit(span: Range<Int>) throws(Diagnostic) {
    guard let misfit = following?.decisions.takeMisfit() else { return }
    throw Diagnostic(
      .misfit(
        "the schedule does not fit: decision \(misfit.decision) is among \(misfit.count), choices 0 to \(misfit.count - 1)"
      ),
      at: span,
      hint: "the script was changed since the schedule was found; 'schedule plain' goes on without"
    )
  }
}

extension Schedule {
  /// What it decides behind the first so many decisions.
  fileprivate func withoutFirst(_ count: Int) -> Schedule {
    Schedule(choices.enumerated().map { $0.offset < count ? 0 : $0.element })
  }
}
