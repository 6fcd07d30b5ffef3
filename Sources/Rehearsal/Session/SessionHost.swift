package import Exploring
package import Harness
import RehearsalBase
import Script
package import Staging
package import Timelines

/// A session with its own stage, for callers outside of that stage: the prompt, a script, a test.
///
/// Only one thread may use it at a time.
package final class SessionHost {
  /// The current stage of the session; for any thread.
  package let place: CurrentStage
  /// The progress of long work; for any thread.
  package let progress = WorkProgress()
  var session: Session
  let makeSession: (Stage) -> Session
  /// The part of the recording that the last `undo`, `redo` or `rewind` left unchanged.
  var unchanged: UnchangedPrefix?
  /// Called with the new stage before commands are replayed on it; for tests.
  var willReplay: ((Stage) -> Void)?

  /// Creates a session like the other initialiser, for output without labels; nil if nothing reads it.
  package convenience init(
    files: any SessionFiles,
    network: SessionNetwork = .none,
    scenes: [Scene] = [],
    isolatedSearch: (any IsolatedSearch)? = nil,
    keepsLog: Bool = true,
    limits: SessionLimits = SessionLimits(),
    keepsTrace: Bool = false,
    output: (@MainActor (String) -> Void)?
  ) {
    self.init(
      files: files,
      network: network,
      scenes: scenes,
      isolatedSearch: isolatedSearch,
      keepsLog: keepsLog,
      limits: limits,
      keepsTrace: keepsTrace,
      output: output.map(TextSink.init)
    )
  }

  /// Creates a session that writes into `files`, can set up `scenes`, and passes each line of
  /// output to `output`; nil if nothing reads it. It searches in `isolatedSearch` if there is one. With `keepsTrace` its
  /// stage records its steps.
  package init(
    files: any SessionFiles,
    network: SessionNetwork = .none,
    scenes: [Scene] = [],
    isolatedSearch: (any IsolatedSearch)? = nil,
    keepsLog: Bool = true,
    limits: SessionLimits = SessionLimits(),
    keepsTrace: Bool = false,
    output: (any OutputSink)?
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
    place = CurrentStage(Stage(keepsTrace: keepsTrace))
    session = makeSession(place.stage)
  }

  package var stage: Stage { place.stage }

  /// Performs one command; false if the session is over.
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

  /// Lets a scheduler make all choices, from the order at an instant to the value of a load.
  ///
  /// - Parameters:
  ///   - scheduler: the scheduler.
  ///   - landmarks: the times of the events in the default schedule, in ascending order. The search
  ///     tries these times for other events.
  package func decide(by scheduler: SearchScheduler, landmarks: [Duration] = []) {
    nonisolated(unsafe) let scheduler = scheduler  // They stay on this thread.
    scheduler.landmarks = landmarks
    stage.enter { [session] in session.scheduling.decide(by: scheduler) }
  }

  /// Ignores the `schedule` commands of sourced files.
  package func leaveOutSchedulesOfFiles() {
    stage.enter { [session] in session.scheduling.takesSchedulesOfFiles = false }
  }

  // These only read stored properties, so they need not enter the stage. A search reads them after each command.

  /// Whether the last command failed.
  package var hasFailed: Bool { assumingMainActor { [session] in session.execution.hasFailed } }

  /// The reasons of that failure.
  package var failures: [SessionFailure] {
    assumingMainActor { [session] in session.execution.failures }
  }

  /// The lines that show the failures of the last command, or of one without `failures`, such as a search.
  package var failureLines: [String] {
    let lines = failures.map(\.line)
    guard lines.isEmpty, hasFailed else { return lines }
    return assumingMainActor { [session] in session.execution.failureLines }
  }

  /// Whether the last command had more failures than `failures` contains.
  var hasUnnotedFailures: Bool {
    assumingMainActor { [session] in session.execution.hasUnnotedFailures }
  }

  /// The number of the latest command record; -1 if there is none.
  var latestRecord: Int { assumingMainActor { [session] in session.history.latestRecord ?? -1 } }

  /// The `schedule` commands in sourced files that were ignored so far.
  var schedulesLeftOut: [String] {
    stage.enter { [session] in session.scheduling.schedulesLeftOut }
  }

  /// Checks the tasks of scenes that are set up from now on, at the end of the run.
  func checkTasksOfScenes() { stage.enter { [session] in session.scenes.checksTasks = true } }

  /// The current time of the session.
  package var now: Duration { stage.now.elapsed }

  /// The current time in the format of the option `times`.
  package var nowInWords: String { stage.enter { [session] in session.nowText } }

  /// The number of times that each transition between states of members was taken.
  package var transitionCounts: TransitionCounts {
    stage.enter { [session] in TransitionCounts(session.history.recording) }
  }

  /// Checks and commands that would not be performed if the session ended now.
  package var unperformed: [Unperformed] { stage.enter { [session] in session.unperformed } }

  /// Notes about commands that may have checked less than they seem to: their patterns have matched no request, or the
  /// session ends before the work that they are about.
  package var notes: [String] {
    stage.enter { [session] in
      // A transcript shows the list. A search does not, so there each command counts.
      let listed = session.execution.listed.filter { command in
        command.isCheck || session.scheduling.isInSearch
      }
      var notes = listed.map {
        let done = $0.isCheck ? "checked" : "done"
        return "\($0.command) has \(done) nothing: '?' only lists possible continuations"
      }
      notes += session.execution.leftOut + session.assertions.notes + session.undecidedSometimes
      return notes + session.notesOnUnfinishedWork + session.clock.notesOnWaitingTasks
        + session.noteOnPreemption
        + (session.httpIfUsed?.server.unmetHolds.map { "no request matched \($0)" } ?? [])
    }
  }

  /// Names of the transcript's fixtures that no command has read.
  package var unreadFixtures: [String] {
    stage.enter { [session] in session.files.unreadFixtures }
  }

  /// The path of the file that `record` writes, if any.
  package var recordingPath: String? { stage.enter { [session] in session.history.file?.path } }

  /// The permanent numbers of the lanes.
  var laneNumbers: LaneNumbers { stage.enter { [session] in session.history.laneNumbers } }

  /// The events up to now.
  package var recording: Recording {
    stage.enter { [session] in session.history.recordingUpToNow() }
  }

  /// The current options.
  package var settings: Settings { stage.enter { [session] in session.options.settings.values } }

  /// Sets an option, unless an origin of higher priority has set it.
  package func take(_ value: OptionValue, from origin: SessionSettings.Origin) {
    stage.enter { [session] in session.take(value, from: origin) }
  }

  /// Sets options from their sources.
  package func take(_ sources: OptionSources) {
    for (value, origin) in sources.values { take(value, from: origin) }
  }

  /// Returns the commands that a transcript needs before `text` so that a replay prints the same.
  /// The user did not type them. The session's log has them from now on.
  package func writeOptions(before text: String) -> [String] {
    stage.enter { [session] in session.writeOptions(before: text) }
  }

  /// Sets the width of the terminal, within the limits for pictures.
  package func adopt(width: Int) {
    let columns = min(max(width, 40), 1000)
    guard let value = try? OptionValue(.width, "\(columns)") else { return }
    take(value, from: .terminal)
  }

  /// Whether a command only shows information and changes nothing.
  package func onlyLooks(_ text: String) -> Bool {
    stage.enter { [session] in session.effects(of: text).onlyLooks }
  }

  /// Enables live time, because a person is at the terminal. `audience` observes it.
  package func attend(by audience: some Audience) {
    stage.enter { [session] in
      session.clock.canFlow = true
      session.clock.audience = audience
    }
  }

  /// Whether time passes while the prompt waits for input.
  package var isLive: Bool { stage.enter { [session] in session.clock.pace == .live } }

  /// Advances live time to `time`.
  ///
  /// - Returns: the time of the next event, if one is known.
  @discardableResult package func flow(to time: Duration) -> Duration? {
    let stage = stage
    return stage.enter { [session] in
      session.flow(to: time)
      return stage.nextInstant?.elapsed
    }
  }

  /// Logs the time that has passed in live time. Call it before a command is performed.
  package func writePause() { stage.enter { [session] in session.clock.writePause() } }

  /// The attempts in flight as a short text; empty if there are none.
  package var flight: String { stage.enter { [session] in session.members.flight } }

  package func completion(of text: String) -> Completion {
    stage.enter { [session] in session.completion(of: text) }
  }

  /// Returns the hint that the prompt shows after a text.
  package func hint(after text: String) -> String? {
    stage.enter { [session] in session.hint(after: text) }
  }

  package func colours(of text: String) -> [Session.ColouredPart] {
    stage.enter { [session] in session.colours(of: text) }
  }

  /// Returns what is expected after a text when the user types `?`; nil if the `?` is text.
  package func explanation(of text: String, width: Int) -> [String]? {
    stage.enter { [session] in session.explanation(of: text, width: width) }
  }

  /// Interrupts the running command between two of its jobs. From any thread.
  package func interrupt() { place.interrupt() }

  package func end() { stage.enter { [session] in session.end() } }
}
