import Workers

/// A run that is repeated when files change.
package protocol WatchedRun {
  /// Returns the selected files and the searched folders; a problem if they cannot be determined, so that the previous
  /// selection stays.
  func select() -> (paths: [String], folders: [String], problem: String?)

  /// Plays files and reports. Drops the results of removed files.
  ///
  /// - Parameters:
  ///   - paths: the files.
  ///   - gone: the removed files.
  ///   - isOutdated: called repeatedly while they are played. When it returns true, nothing is reported.
  /// - Returns: the outcome. If the run was outdated, nothing else has changed.
  mutating func play(
    _ paths: Set<String>,
    gone: [String],
    unless isOutdated: () -> Bool
  ) -> WatchOutcome

  /// One line for each file that the latest `select` left out and that may be meant as a transcript.
  var notes: [String] { get }

  /// The files in which something failed when they were last played.
  var failing: Set<String> { get }

  /// The files with an unknown result, because a run ended early or was refused.
  var notReplayed: Set<String> { get }

  /// Writes the report files again, after `notes` has changed.
  func rewriteReports()

  /// The named files and folders that no longer exist.
  var missing: [String] { get }

  /// The exit code after the user stopped a run.
  var stop: ProgramExit? { get }

  /// The exit code of the newest run, if it failed for a reason other than a transcript, such as a list or a report.
  var trouble: ProgramExit? { get }
}

extension WatchedRun {
  /// Empty by default.
  package var notes: [String] { [] }

  /// Empty by default.
  package var notReplayed: Set<String> { [] }

  /// Does nothing by default.
  package func rewriteReports() {}

  /// Nil by default: only transcripts fail.
  package var trouble: ProgramExit? { nil }
}

/// The outcome of one repetition of a watched run.
package enum WatchOutcome {
  /// It was played and reported, with the files that the transcripts of each file read.
  case played([String: [FileReading]])
  /// It was outdated before its end, while these files were being played.
  case outdated(Set<String>)
}

/// Decides when a watched run plays again, and what: everything first, then what each change affects, until the user
/// quits.
///
/// Uses one thread, which sleeps while nothing changes.
package struct WatchLoop<Run: WatchedRun> {
  private var run: Run
  private let audience: any WatchAudience
  /// Files whose change affects every transcript.
  private let settings: [String]
  /// The program itself, which restarts after a rebuild.
  private let program: String?

  private var played = PlayedTranscripts()
  private var searched: Set<String> = []
  private var settingStamps: [FileStamp]
  private var programStamp: FileStamp?
  private var watch = FolderWatch(folders: [], looking: true)
  /// Whether the relevant folders may have changed.
  private var mayHaveMoved = true
  /// Whether something may have changed without a notification.
  private var mustLook = false
  /// The files that were being played when something changed.
  private var unplayed: Set<String> = []
  /// The number of consecutive outdated runs.
  private var outdatedCount = 0
  /// Why the files cannot be determined.
  private var problem: String?
  private var lastReason: FolderWatch.Reason?
  /// The notes that were printed about files that are left out.
  private var notes: [String] = []
  /// The duration of the last check of all files, in milliseconds.
  private var lookingTime = 0

  /// - Parameters:
  ///   - run: the run to repeat.
  ///   - audience: shows the progress and returns the requests of the user.
  ///   - settings: files that every transcript depends on.
  ///   - program: the path of the running program, if it shall restart after a rebuild.
  package init(
    _ run: Run,
    audience: any WatchAudience,
    settings: [String] = [],
    program: String? = nil
  ) {
    self.run = run
    self.audience = audience
    self.settings = settings
    self.program = program
    settingStamps = settings.map { FileStamp(of: $0) }
    programStamp = program.map { FileStamp(of: $0) }
  }

  /// Continues until the user quits.
  ///
  /// - Returns: the exit code of the process: whether anything failed when it was played last, or a file to
  ///   play is missing or has the same name as another one.
  package mutating func perform() -> ProgramExit {
    play(changes())
    while true {
      if let stop = run.stop { return stop }
      renewWatch()
      if mustLook {
        look()
        continue
      }
      switch audience.wait(for: watch.descriptor, withinMilliseconds: pause) {
      case .look: lookAfterNotice()
      case .playAll: playAll("everything again")
      case .playFailed: playFailed()
      case .quit:
        if played.count == 0 || !run.missing.isEmpty || problem != nil { return .usage }
        let isGood = run.failing.isEmpty && run.notReplayed.isEmpty
        return max(isGood ? .success : .differences, run.trouble ?? .success)
      }
    }
  }

  // MARK: Detecting changes

  /// The pause between two polls, long enough that polling takes a small part of the time.
  private var pause: Int? {
    watch.descriptor == nil
      ? min(max(WatchTime.pause, 20 * lookingTime), WatchTime.longestPause) : nil
  }

  /// Watches the relevant folders. If they differ from the previous ones, something may have changed without a
  /// notification.
  private mutating func renewWatch() {
    guard mayHaveMoved || watch.isStale else { return }
    mayHaveMoved = false
    var folders = played.folders.union(searched)
    for path in settings + [program].compactMap(\.self) {
      folders.formUnion(Folder.whereChangesShow(of: path))
    }
    let entries = Folder.entries(leadingTo: folders)
    guard folders != watch.folders || entries != watch.entries || watch.isStale else { return }
    watch = FolderWatch(folders: folders, entries: entries)
    mustLook = true
    if let note = watch.reason?.note, watch.reason != lastReason {
      audience.note("\(note): polling instead")
    }
    lastReason = watch.reason
  }

  private mutating func lookAfterNotice() {
    guard watch.takeNotices() || watch.descriptor == nil else { return }
    settle(for: WatchTime.quiet)
    look()
  }

  /// Waits until a burst of changes has ended.
  private func settle(for quiet: Int) {
    let end = ProcessControl.milliseconds + WatchTime.saving
    while watch.sleep(milliseconds: quiet), ProcessControl.milliseconds < end {
      _ = watch.takeNotices()
    }
  }

  private mutating func look() {
    mustLook = false
    if isRebuilt() { restart() }
    if let change = changeOfSettings() { return playAll(change) }
    let before = notes
    var changes = changes()
    if changes.mayBeUnfinished {
      settle(for: WatchTime.saving)
      changes = self.changes()
    }
    if !changes.isEmpty {
      play(changes, as: changes.sentence)
    } else if !unplayed.isEmpty {
      play(changes, as: "what was not replayed to its end")
    } else if notes != before {
      run.rewriteReports()
    }
  }

  /// Whether files that are being played have changed, or everything must be played again.
  private func isOutdated(_ files: Set<String>) -> Bool {
    if let program, let programStamp {
      let now = FileStamp(of: program)
      if now != programStamp, !now.isEmpty { return true }
    }
    if settings.map({ FileStamp(of: $0) }) != settingStamps { return true }
    let (paths, _, problem) = run.select()
    if problem != nil { return false }
    let changes = played.changes(in: paths)
    return !files.isDisjoint(with: changes.toPlay.union(changes.gone))
  }

  private mutating func changes() -> WatchChanges {
    let start = ProcessControl.milliseconds
    defer { lookingTime = ProcessControl.milliseconds - start }
    let (paths, folders, problem) = run.select()
    if let problem, problem != self.problem { audience.note(problem) }
    self.problem = problem
    printNotes()
    if problem != nil { return WatchChanges() }
    let found = Set(folders)
    if found != searched { mayHaveMoved = true }
    searched = found
    var changes = played.changes(in: paths)
    let waiting = unplayed.union(run.notReplayed)
    changes.toPlay.formUnion(waiting.filter { changes.stamps[$0] != nil })
    return changes
  }

  /// Prints the new notes.
  private mutating func printNotes() {
    for note in run.notes where !notes.contains(note) { audience.note(note) }
    notes = run.notes
  }

  /// Returns a description of changes of the settings; nil if there are none.
  private mutating func changeOfSettings() -> String? {
    let now = settings.map { FileStamp(of: $0) }
    defer { settingStamps = now }
    let changed = settings.indices.filter { now[$0] != settingStamps[$0] }
    guard !changed.isEmpty else { return nil }
    return changed.map { "\(settings[$0]) \(now[$0].exists ? "changed" : "is gone")" }
      .joined(separator: ", ")
  }

  // MARK: The program itself

  /// Whether the executable has been replaced, and the new one seems to be complete.
  private mutating func isRebuilt() -> Bool {
    guard let program, let before = programStamp else { return false }
    var now = FileStamp(of: program)
    guard now != before, !now.isEmpty else { return false }
    // A linker writes for some time.
    for _ in 0..<WatchTime.buildChecks {
      _ = watch.sleep(milliseconds: WatchTime.saving)
      let next = FileStamp(of: program)
      if next == now { break }
      now = next
    }
    programStamp = now
    return !now.isEmpty
  }

  private func restart() {
    audience.announce("\(ProgramName.current) was rebuilt")
    audience.note("the old program continues: \(audience.restart().sentence)")
  }

  // MARK: Playing

  private mutating func playAll(_ reason: String) {
    var changes = changes()
    changes.toPlay.formUnion(changes.stamps.keys)
    play(changes, as: reason)
  }

  private mutating func playFailed() {
    guard !run.failing.isEmpty || !run.notReplayed.isEmpty else {
      audience.note("nothing failed when it was replayed last")
      return tellStatus()
    }
    var changes = changes()
    changes.toPlay.formUnion(run.failing.filter { changes.stamps[$0] != nil })
    play(changes, as: "what failed again")
  }

  private mutating func play(_ changes: WatchChanges, as reason: String? = nil) {
    if let reason { audience.announce(reason) }
    played.accept(changes)
    unplayed = []
    mayHaveMoved = true
    renewWatch()
    let (loop, notifications) = (self, PendingNotifications(heededAfter: outdatedCount))
    let outcome = run.play(changes.toPlay, gone: changes.gone) {
      notifications.take(from: loop.watch)
      return notifications.isDue && loop.isOutdated(changes.toPlay)
    }
    // Files that were read for the first time were not watched until now.
    if notifications.hasAny { mustLook = true }
    switch outcome {
    case .outdated(let files):
      outdatedCount += 1
      unplayed = files
      mustLook = true
      settle(for: WatchTime.quiet)
    case .played(let readings):
      outdatedCount = 0
      for (path, readings) in readings { played.note(readings, of: path) }
      mayHaveMoved = true
      printNotes()
      if run.stop == nil { tellStatus() }
    }
  }

  private func tellStatus() {
    audience.tell(
      WatchStatus(
        transcripts: played.count,
        others: played.readingCount,
        failing: run.failing.count,
        notReplayed: run.notReplayed.count,
        missing: run.missing.count
      )
    )
  }
}

/// The notifications during a play.
private final class PendingNotifications {
  /// Whether there were any.
  private(set) var hasAny = false
  private var isNew = false
  private let start = ProcessControl.milliseconds
  private let minimumPlay: Int

  /// - Parameter count: the number of consecutive outdated runs. Each one delays the next interruption more, so that
  ///   files that change all the time cannot prevent every run from finishing.
  init(heededAfter count: Int) {
    minimumPlay = count == 0 ? 0 : WatchTime.halfMinimumPlay << min(count, 6)
  }

  func take(from watch: FolderWatch) {
    guard watch.descriptor != nil, watch.sleep(milliseconds: 0), watch.takeNotices() else { return }
    (hasAny, isNew) = (true, true)
  }

  /// Whether it is time to check the files.
  var isDue: Bool {
    guard isNew, ProcessControl.milliseconds - start >= minimumPlay else { return false }
    isNew = false
    return true
  }
}

/// Waiting times of a watched run, in milliseconds of real time.
private enum WatchTime {
  /// Without a notification for this time, a burst of changes has ended.
  static let quiet = 10
  /// The time in which an editor puts back a file that it moved away to save.
  static let saving = 60
  /// Half of the minimum duration of a play after an outdated one.
  static let halfMinimumPlay = 125
  /// The pause between two polls.
  static let pause = 100
  static let longestPause = 2_000
  /// Maximum number of checks whether a linker has finished.
  static let buildChecks = 50
}
