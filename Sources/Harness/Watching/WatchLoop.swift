import Workers

/// What is played again and again while files change.
package protocol WatchedRun {
  /// The files that the run is about now, and the folders that were searched for them; a problem where nobody can
  /// tell, so that it is about what it was about before.
  func select() -> (paths: [String], folders: [String], problem: String?)

  /// Plays files and reports; those that are gone count no more.
  ///
  /// - Parameters:
  ///   - paths: the files.
  ///   - gone: those that are gone.
  ///   - isOutdated: asked again and again while they are played; where it says so, nothing is reported.
  /// - Returns: how that went. Where it was outdated, nothing else has changed.
  mutating func play(
    _ paths: Set<String>,
    gone: [String],
    unless isOutdated: () -> Bool
  ) -> WatchOutcome

  /// One line for each file that the latest `select` left out and that may be meant as a transcript.
  var notes: [String] { get }

  /// The files of which something failed when they were played last.
  var failing: Set<String> { get }

  /// The files of which something has no result, because a run ended before or was refused.
  var notPlayed: Set<String> { get }

  /// Writes the report files again, after `notes` has changed.
  func rewriteReports()

  /// What was asked for by name, and is there no more.
  var missing: [String] { get }

  /// How the program ends, once somebody has stopped it while it played.
  var stop: ProgramExit? { get }

  /// The exit code of the newest run, if its cause is no transcript but, for example, a list or a report.
  var trouble: ProgramExit? { get }
}

extension WatchedRun {
  /// Empty by default.
  package var notes: [String] { [] }

  /// Empty by default.
  package var notPlayed: Set<String> { [] }

  /// Does nothing by default.
  package func rewriteReports() {}

  /// Nil by default: only transcripts fail.
  package var trouble: ProgramExit? { nil }
}

/// How a part of a watched run went.
package enum WatchOutcome {
  /// It was played and reported: what the transcripts of each file read.
  case played([String: [FileReading]])
  /// It was outdated before its end: the files that were being played.
  case outdated(Set<String>)
}

/// Plays everything, and then what each change affects, until somebody has seen enough.
///
/// One thread, which sleeps while nothing changes.
package struct WatchLoop<Run: WatchedRun> {
  private var run: Run
  private let audience: any WatchAudience
  /// A change of one of these affects every transcript.
  private let settings: [String]
  /// The program itself, which starts anew when it was rebuilt.
  private let program: String?

  private var played = PlayedTranscripts()
  private var searched: Set<String> = []
  private var settingStamps: [FileStamp]
  private var programStamp: FileStamp?
  private var watch = FolderWatch(folders: [], looking: true)
  /// Whether the folders that matter may be others than those watched.
  private var mayHaveMoved = true
  /// Whether something may have happened that nobody was told of.
  private var mustLook = false
  /// The files that were being played when something changed.
  private var unplayed: Set<String> = []
  /// How often in a row what was played was outdated.
  private var outdatedCount = 0
  /// Why nobody can tell which files there are.
  private var problem: String?
  private var lastReason: FolderWatch.Reason?
  /// The notes that were printed about files that are left out.
  private var notes: [String] = []
  /// How long it took to look at all files, in milliseconds.
  private var lookingTime = 0

  /// - Parameters:
  ///   - run: what is played.
  ///   - audience: who is told, and asked what comes next.
  ///   - settings: files that every transcript depends on.
  ///   - program: the path of the program that runs, where it shall follow its own changes.
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

  /// Goes on until somebody wants to quit.
  ///
  /// - Returns: what the process should end with: whether anything failed when it was played last, or what should
  ///   be played is missing or has the same name as another one.
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
        let isGood = run.failing.isEmpty && run.notPlayed.isEmpty
        return max(isGood ? .success : .differences, run.trouble ?? .success)
      }
    }
  }

  // MARK: Noticing

  /// How long to wait before looking again, where nobody says that something changed: a small part of the
  /// time is spent looking.
  private var pause: Int? {
    watch.descriptor == nil
      ? min(max(WatchTime.pause, 20 * lookingTime), WatchTime.longestPause) : nil
  }

  /// Watches the folders that matter now. Where those are others than before, something may have happened
  /// unnoticed.
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
      audience.note("\(note): looking again and again instead")
    }
    lastReason = watch.reason
  }

  private mutating func lookAfterNotice() {
    guard watch.takeNotices() || watch.descriptor == nil else { return }
    settle(for: WatchTime.quiet)
    look()
  }

  /// Lets what comes in one go come to its end.
  private func settle(for quiet: Int) {
    let end = ProcessControl.milliseconds + WatchTime.saving
    while watch.sleep(milliseconds: quiet), ProcessControl.milliseconds < end {
      _ = watch.takeNotices()
    }
  }

  private mutating func look() {
    mustLook = false
    if isRebuilt() { restart() }
    if let news = newsOfSettings() { return playAll(news) }
    let before = notes
    var changes = changes()
    if changes.mayBeUnfinished {
      settle(for: WatchTime.saving)
      changes = self.changes()
    }
    if !changes.isEmpty {
      play(changes, as: changes.sentence)
    } else if !unplayed.isEmpty {
      play(changes, as: "what was not played to its end")
    } else if notes != before {
      run.rewriteReports()
    }
  }

  /// Whether files that are being played are not what they were, or all is to be played anew.
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
    let waiting = unplayed.union(run.notPlayed)
    changes.toPlay.formUnion(waiting.filter { changes.stamps[$0] != nil })
    return changes
  }

  /// Prints the notes that are new.
  private mutating func printNotes() {
    for note in run.notes where !notes.contains(note) { audience.note(note) }
    notes = run.notes
  }

  /// What has become of the settings since they were looked at; nil where they are as they were.
  private mutating func newsOfSettings() -> String? {
    let now = settings.map { FileStamp(of: $0) }
    defer { settingStamps = now }
    let changed = settings.indices.filter { now[$0] != settingStamps[$0] }
    guard !changed.isEmpty else { return nil }
    return changed.map { "\(settings[$0]) \(now[$0].exists ? "changed" : "is gone")" }
      .joined(separator: ", ")
  }

  // MARK: The program itself

  /// Whether another program stands where this one was started from, complete as far as one can tell.
  private mutating func isRebuilt() -> Bool {
    guard let program, let before = programStamp else { return false }
    var now = FileStamp(of: program)
    guard now != before, !now.isEmpty else { return false }
    // A linker writes for a while.
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
    audience.note("the old program goes on: \(audience.restart().sentence)")
  }

  // MARK: Playing

  private mutating func playAll(_ reason: String) {
    var changes = changes()
    changes.toPlay.formUnion(changes.stamps.keys)
    play(changes, as: reason)
  }

  private mutating func playFailed() {
    guard !run.failing.isEmpty || !run.notPlayed.isEmpty else {
      audience.note("nothing failed when it was played last")
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
    let (loop, news) = (self, WatchNews(heededAfter: outdatedCount))
    let outcome = run.play(changes.toPlay, gone: changes.gone) {
      news.take(from: loop.watch)
      return news.isDue && loop.isOutdated(changes.toPlay)
    }
    // Of files that were read for the first time nobody knew until now that they matter.
    if news.hasAny { mustLook = true }
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
        notPlayed: run.notPlayed.count,
        missing: run.missing.count
      )
    )
  }
}

/// What the system has told of while something was played.
private final class WatchNews {
  /// Whether it has told of anything.
  private(set) var hasAny = false
  private var isNew = false
  private let start = ProcessControl.milliseconds
  private let patience: Int

  /// - Parameter count: how often in a row something was played in vain. The next is left alone for longer each time,
  ///   so that files that never rest do not keep everything from its end.
  init(heededAfter count: Int) {
    patience = count == 0 ? 0 : WatchTime.patience << min(count, 6)
  }

  func take(from watch: FolderWatch) {
    guard watch.descriptor != nil, watch.sleep(milliseconds: 0), watch.takeNotices() else { return }
    (hasAny, isNew) = (true, true)
  }

  /// Whether it is time to look at what nobody has looked at yet.
  var isDue: Bool {
    guard isNew, ProcessControl.milliseconds - start >= patience else { return false }
    isNew = false
    return true
  }
}

/// How long a watched run waits, in milliseconds of real time.
private enum WatchTime {
  /// Without a notice for so long, what came together has come.
  static let quiet = 10
  /// In this time an editor puts back what it moved away while it saved.
  static let saving = 60
  /// Half of how long something is played at least that was played in vain before.
  static let patience = 125
  /// Between two looks, where there are no notices.
  static let pause = 100
  static let longestPause = 2_000
  /// How often to look at most whether a linker is done.
  static let buildChecks = 50
}
