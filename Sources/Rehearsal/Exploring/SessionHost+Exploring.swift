import Exploring
import Harness
import RehearsalBase
import Script
import Staging
import Timelines

/// Reads from a session what a search needs after a run: built-in violations, open values, waiting tasks, differences
/// from models.
extension SessionHost {
  /// Compares scenes that are set up from now on with their models.
  ///
  /// - Parameter performing: called before a model is performed, with a text, and after it, with nil.
  func compareScenes(_ performing: @escaping (String?) -> Void) {
    nonisolated(unsafe) let performing = performing  // It stays on this thread.
    stage.enter { [session] in session.scenes.comparing = performing }
  }

  /// Compares the properties of scenes with their models after a command.
  func compareScenes(after command: String) {
    stage.enter { [session] in
      for (_, comparison) in session.scenes.comparisons {
        comparison.observe(session.members, after: command.printable(atMost: 80))
      }
    }
  }

  /// Whether a scene could not be compared with its model, because too many orders are possible.
  var isModelUndecided: Bool {
    stage.enter { [session] in session.scenes.comparisons.contains { $0.comparison.isUndecided } }
  }

  /// Whether no work is left.
  var isSettled: Bool { stage.pending.isEmpty }

  /// The duration until all sleeping tasks are due and all deadlines of `eventually` are over; nil
  /// if there are none. Deadlines of met assertions count, so that the duration does not depend on
  /// when a run met them.
  var lastAwaited: Duration? {
    let now = stage.now
    let sleep = stage.pending.sleepers.last.map { now.duration(to: $0.until) }
    // At the deadline itself it may still be met.
    let verdict = lastDeadline.map { $0 - now.elapsed + .milliseconds(1) }
    return [sleep, verdict].compactMap(\.self).filter { $0 > .zero }.max()
  }

  /// The first run assertion that has checked nothing, because nothing happened after it.
  var idleAssertion: Unperformed? { unperformed.first { $0.reason == .nothingHappened } }

  /// The scheduled command with the earliest time.
  var nextScheduled: Unperformed? { stage.enter { [session] in session.nextScheduled } }

  /// Returns the values that commands left open, the other answers of routes, and requests without a route.
  ///
  /// - Parameters:
  ///   - latestRecords: for each command the number of the latest command record at its end.
  ///   - most: the number of commands of the script. The values of later commands are left out.
  /// - Returns: the values.
  func openChoices(_ latestRecords: [Int], ofFirst most: Int) -> OpenChoices {
    var choices = OpenChoices()
    var counts: [OpenChoice: Int] = [:]
    for (value, isAsked) in stage.enter({ [session] in session.openValuesSoFar }) {
      let command = latestRecords.firstIndex { $0 >= value.cause ?? 0 } ?? 0
      if command >= most { continue }
      let kind = value.isAnswer ? OpenChoice.Kind.answer : .value
      var choice = OpenChoice(command: command, text: value.text, kind: kind)
      let number = counts[choice, default: 0] + 1
      counts[choice] = number
      // One command may leave several equal values open, for example if a scene has two equal
      // routes.
      if number > 1 {
        choice = OpenChoice(command: command, text: "\(value.text) (\(number))", kind: kind)
      }
      choices.add(choice, isAsked: isAsked)
    }
    let unmatched = stage.enter { [session] in session.httpIfUsed?.server.unmatchedRequests }
    for request in unmatched ?? [] {
      choices.add(OpenChoice(request: request), isAsked: false)
    }
    return choices
  }

  /// Returns the work outside of virtual time since the last call.
  func takeOutside() -> [String] {
    stage.enter { [session] in session.clock.takeSubmissions() } + stage.takeInterventions()
      + stage.takeLockWaits()
  }

  /// Returns what no schedule varies, since the last call.
  func takeUnvaried() -> [String] { stage.takeUnvaried() }

  /// Returns the violations of built-in checks. Those about the end of a run are included only if
  /// the run is whole.
  func violations(in recording: Recording, isWhole: Bool) -> [BuiltInViolation] {
    let (violations, checksTasks) = stage.enter { [session, stage] in
      var reading = RecordingCheck(recording, session.options.settings.values.times)
      if isWhole {
        for member in session.members.all {
          guard let lane = session.history.laneNumbers.index(of: member.lane) else { continue }
          let live = member.liveAttempts
          var counts: [AttemptOrigin: Int] = [:]
          let starts = live.map { attempt in
            member.origin(of: attempt).map { origin in
              counts[origin, default: 0] += 1
              return BuiltInViolation.Start(origin: origin, number: counts[origin] ?? 1)
            }
          }
          // The latest one is reported first.
          for (attempt, start) in zip(live, starts).reversed() {
            let isReplaced = attempt != live.last && !member.isParallel
            reading.addEndless(
              attempt.number,
              start,
              isReplaced: isReplaced,
              isConstant: member.isConstant,
              inLane: lane
            )
          }
        }
        for case let pipe as PipeMember in session.members.all where pipe.loadsInFlight > 0 {
          reading.addEndlessLoads(pipe.loadsInFlight, ofPipe: pipe.name)
        }
      }
      let models = session.scenes.comparisons.compactMap { scene, comparison in
        comparison.finding.map { BuiltInViolation(scene: scene, $0) }
      }
      let violations =
        models + reading.violations.filter { isWhole || !$0.check.isAboutTheEnd }
        + session.clock.takeBlocked().map(BuiltInViolation.init(blocked:))
      return (violations, stage.keepsTasks && session.scenes.checksTasks)
    }
    return isWhole && checksTasks ? violations + tasksLeftOver : violations
  }

  /// The tasks of scenes that still wait when no work is left, without tasks of attempts, which are
  /// checked with their members.
  private var tasksLeftOver: [BuiltInViolation] {
    stage.enter { [session] in session.clock.disownAttempts() }
    guard let report = stage.waitingTasks() else { return [.ofUnknownTasks] }
    var counts: [String: Int] = [:]
    return report.tasks.map { task in
      let place = task.name ?? task.function ?? ""
      counts[place, default: 0] += 1
      return BuiltInViolation(task, place: place, number: counts[place] ?? 1)
    }
  }
}
