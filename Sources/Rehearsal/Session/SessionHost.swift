package import Exploring
package import Harness
import Script
package import Staging
package import Timelines

/// A session with a stage of its own, for whoever is not on it: the prompt, a script, a test.
///
/// To be used by one thread at a time.
package final class SessionHost {
  /// Where the session is; for any thread.
  package let place: CurrentStage
  /// How far long work has come; for any thread.
  package let progress = WorkProgress()
  var session: Session
  let makeSession: (Stage) -> Session
  /// What the last `undo`, `redo` or `rewind` left unchanged.
  var unchanged: UnchangedPrefix?
  /// Told about the stage on which commands are about to be performed again; for tests.
  var willReplay: ((Stage) -> Void)?

  /// Makes a session that writes into `files`, can set up `scenes`, searches in an `isolatedSearch` where there is one, and
  /// hands each line of output to `output`; where it `keepsDecisions`, its stage tells what it did.
  package init(
    files: any SessionFiles,
    network: SessionNetwork = .none,
    scenes: [Scene] = [],
    isolatedSearch: (any IsolatedSearch)? = nil,
    keepsLog: Bool = true,
    limits: SessionLimits = SessionLimits(),
    keepsDecisions: Bool = false,
    output: @escaping @MainActor (String) -> Void
  ) {
    let environment = SessionEnvironment(
      network: network,
      scenes: scenes,
      isolatedSearch: isolatedSearch,
      progress: progress
    )
    makeSession = { stage in
      stage.enter {
        Session(
          stage: stage,
          files: files,
          environment: environment,
          keepsLog: keepsLog,
          limits: limits,
          output: output
        )
      }
    }
    place = CurrentStage(Stage(keepsDecisions: keepsDecisions))
    session = makeSession(place.stage)
  }

  package var stage: Stage { place.stage }

  /// Performs one command; false when the session is over.
  @discardableResult package func perform(_ text: String) -> Bool {
    var request: UndoRequest?
    let continues = stage.enter { [session] in
      let continues = session.perform(text)
      if session.history.undoRequest != nil { request = session.history.takeUndoRequest() }
      return continues
    }
    if let request { carryOut(request) }
    return continues
  }

  /// Leaves what is open to somebody, from the order at an instant to the value of a load.
  ///
  /// - Parameters:
  ///   - scheduler: picks what comes next.
  ///   - landmarks: when something happens in the plain run, in order: it is tried to have other things happen then.
  package func decide(by scheduler: SearchScheduler, landmarks: [Duration] = []) {
    nonisolated(unsafe) let scheduler = scheduler  // They stay on this thread.
    scheduler.landmarks = landmarks
    stage.enter { [session] in session.scheduling.decide(by: scheduler) }
  }

  /// Has schedules mean nothing that stand in files which are sourced.
  package func leaveOutSchedulesOfFiles() {
    stage.enter { [session] in session.scheduling.takesSchedulesOfFiles = false }
  }

  /// Whether the last command failed.
  package var hasFailed: Bool { stage.enter { [session] in session.execution.hasFailed } }

  /// Why it failed.
  package var failures: [SessionFailure] { stage.enter { [session] in session.execution.failures } }

  /// Whether the last command had more failures than `failures` contains.
  var hasUnnotedFailures: Bool { stage.enter { [session] in session.execution.hasUnnotedFailures } }

  /// The `schedule` commands in sourced files that were ignored so far.
  var schedulesLeftOut: [String] {
    stage.enter { [session] in session.scheduling.schedulesLeftOut }
  }

  /// Checks, at the end of a run, the tasks of scenes that are set up from now on.
  func checkTasksOfScenes() { stage.enter { [session] in session.scenes.checksTasks = true } }

  /// What time it is in the session.
  package var now: Duration { stage.now.elapsed }

  /// The same, written as the options say.
  package var nowInWords: String { stage.enter { [session] in session.nowText } }

  /// Which ways between the states of members were taken so far.
  package var transitionCounts: TransitionCounts {
    stage.enter { [session] in TransitionCounts(session.history.recording) }
  }

  /// Checks and commands that would not be performed if the session ended now.
  package var unperformed: [Unperformed] { stage.enter { [session] in session.unperformed } }

  /// Notes about commands that no request has met, so that their patterns may be misspelt.
  package var notes: [String] {
    stage.enter { [session] in
      session.assertions.notes
        + (session.httpIfUsed?.server.unmetHolds.map { "no request matched \($0)" } ?? [])
    }
  }

  /// Names of the transcript's fixtures that no command has read.
  package var unreadFixtures: [String] {
    stage.enter { [session] in session.files.unreadFixtures }
  }

  /// The file that the session is written into as it goes on, if any.
  package var recordingPath: String? { stage.enter { [session] in session.history.file?.path } }

  /// By which numbers the lanes of the recording are known while the session goes on.
  var laneNumbers: LaneNumbers { stage.enter { [session] in session.history.laneNumbers } }

  /// What has happened up to now.
  package var recording: Recording {
    stage.enter { [session] in session.history.recordingUpToNow() }
  }

  /// What the options are set to.
  package var settings: Settings { stage.enter { [session] in session.options.settings.values } }

  /// Sets an option, unless somebody stronger has.
  package func take(_ value: OptionValue, from origin: SessionSettings.Origin) {
    stage.enter { [session] in session.take(value, from: origin) }
  }

  /// Sets options as their sources say.
  package func take(_ sources: OptionSources) {
    for (value, origin) in sources.values { take(value, from: origin) }
  }

  /// The commands that a transcript has before `text` for it to replay as it is seen, though nobody
  /// typed them. From now on the session's own text has them.
  package func writeOptions(before text: String) -> [String] {
    stage.enter { [session] in session.writeOptions(before: text) }
  }

  /// Takes the width of the terminal, as far as pictures can be so narrow or so wide.
  package func adopt(width: Int) {
    let columns = min(max(width, 40), 1000)
    guard let value = try? OptionValue(.width, "\(columns)") else { return }
    take(value, from: .terminal)
  }

  /// Whether a command shows things and changes nothing.
  package func onlyLooks(_ text: String) -> Bool {
    stage.enter { [session] in session.effects(of: text).onlyLooks }
  }

  /// Says that a person sits at a terminal: time may flow, and may be watched by `audience`.
  package func attend(by audience: some Audience) {
    stage.enter { [session] in
      session.clock.canFlow = true
      session.clock.audience = audience
    }
  }

  /// Whether time flows while the prompt stands.
  package var isLive: Bool { stage.enter { [session] in session.clock.pace == .live } }

  /// Lets time pass up to `time`, as far as it does by itself.
  ///
  /// - Returns: when the next thing happens, if one is known.
  @discardableResult package func flow(to time: Duration) -> Duration? {
    let stage = stage
    return stage.enter { [session] in
      session.flow(to: time)
      return stage.nextInstant?.elapsed
    }
  }

  /// Writes down the time that has passed by itself. To be called before a command is performed.
  package func writePause() { stage.enter { [session] in session.clock.writePause() } }

  /// What is in flight, in a few words; empty for nothing.
  package var flight: String { stage.enter { [session] in session.members.flight } }

  package func completion(of text: String) -> Completion {
    stage.enter { [session] in session.completion(of: text) }
  }

  /// What may come next behind a text, to be shown to whoever types it.
  package func hint(after text: String) -> String? {
    stage.enter { [session] in session.hint(after: text) }
  }

  package func colours(of text: String) -> [Session.ColouredPart] {
    stage.enter { [session] in session.colours(of: text) }
  }

  /// What is expected where `?` is typed behind a text; nil where it is text.
  package func explanation(of text: String, width: Int) -> [String]? {
    stage.enter { [session] in session.explanation(of: text, width: width) }
  }

  /// Stops the command that is running, between two of its jobs. From any thread.
  package func interrupt() { place.interrupt() }

  package func end() { stage.enter { [session] in session.end() } }
}
