package import LibC
import Synchronization

/// Reports commands and runs that make no progress for several seconds, once each, and at SIGQUIT. Without it, code
/// that waits for a lock would block the tests silently.
///
/// One thread checks once per second, for all replays and searches of the process.
package final class ReplayWatch: Sendable {
  /// The time without progress before a report: processor time, and real time of waiting. Time in
  /// which the thread is ready, but other threads use the processors, does not count.
  package static let limitInSeconds = 5

  /// The watch of this process, which writes to standard error.
  package static let shared: ReplayWatch = {
    let watch = ReplayWatch()
    watch.startThread()
    return watch
  }()

  /// What is known of a command or a run.
  package struct Report: Sendable {
    /// Its place and what it is: `a.transcript: this command`.
    let title: String
    /// The lines below the title.
    let details: [String]
    /// Why it may take so long, and what to do.
    let hint: String

    package init(title: String, details: [String] = [], hint: String) {
      (self.title, self.details, self.hint) = (title, details, hint)
    }
  }

  /// A command or a run that is watched.
  package struct Subject: Sendable {
    /// Returns a number that changes with each progress; nil while there is nothing to report.
    private let place: @Sendable () -> Int?
    fileprivate let report: @Sendable () -> Report
    /// Returns what runs and what waits, as lines, by the number of its thread.
    private let activity: @Sendable (Int32?) -> [String]
    /// The text for a crash; nil if a crash has its own text.
    fileprivate let command: String?
    /// Returns the number of its thread; nil if it is unknown.
    private let thread: @Sendable () -> Int32?
    private var latest: Int?
    private var clock = ThreadClock()
    private var isReported = false

    /// - Parameters:
    ///   - place: returns a number that changes with each progress; nil while there is nothing to report.
    ///   - report: returns what the report says.
    ///   - activity: returns what runs and what waits, as lines, by the number of its thread. Called on the thread of the
    ///     watch.
    ///   - command: the text for a crash; nil if a crash has its own text.
    ///   - thread: returns the number of its thread; nil if it is unknown.
    package init(
      place: @escaping @Sendable () -> Int?,
      report: @escaping @Sendable () -> Report,
      activity: @escaping @Sendable (Int32?) -> [String] = { _ in [] },
      command: String? = nil,
      thread: @escaping @Sendable () -> Int32?
    ) {
      (self.place, self.report, self.activity) = (place, report, activity)
      (self.command, self.thread) = (command, thread)
    }

    /// The report at the time limit.
    fileprivate var note: String {
      let report = report()
      let first =
        "note: \(report.title) has been under way for \(ReplayWatch.limitInSeconds) seconds"
      return Self.text([first] + report.details + activity(thread()) + ["hint: " + report.hint])
    }

    /// The report at SIGQUIT; nil if there is nothing to report now.
    fileprivate var quitNote: String? {
      guard place() != nil else { return nil }
      let report = report()
      return Self.text(["SIGQUIT: \(report.title)"] + report.details + activity(thread()))
    }

    private static func text(_ lines: [String]) -> String {
      lines.map { $0 + "\n" }.joined()
    }

    /// Counts one second, and returns whether to report the subject now.
    fileprivate mutating func tick(_ look: (Int32) -> ProcessActivity?) -> Bool {
      let place = place()
      if latest != place || place == nil { (clock, isReported) = (ThreadClock(), false) }
      latest = place
      clock.pass(1_000, thread().flatMap(look))
      guard clock.milliseconds >= ReplayWatch.limitInSeconds * 1_000, !isReported else {
        return false
      }
      isReported = true
      return true
    }
  }

  private struct State {
    var subjects: [Int: Subject] = [:]
    var newest = 0
    var follower: (@Sendable ([String]) -> Void)?

    func callFollower() {
      follower?(subjects.sorted { $0.key < $1.key }.compactMap(\.value.command))
    }
  }

  private let state = Mutex(State())
  /// The descriptor that can be read after SIGQUIT; -1 if the signal is not caught.
  private let quits = Atomic<Int32>(-1)

  /// Makes a watch without a thread, which only `tick` moves on.
  package init() {}

  /// Watches `body` while it runs.
  package func watch<Result>(_ subject: Subject, _ body: () -> Result) -> Result {
    let number = state.withLock { state in
      state.newest += 1
      state.subjects[state.newest] = subject
      state.callFollower()
      return state.newest
    }
    defer {
      state.withLock { state in
        state.subjects[number] = nil
        state.callFollower()
      }
    }
    return body()
  }

  /// Sets a function that is called whenever a command begins or ends. It receives each transcript
  /// with its current command, in the order of their beginnings. It must return quickly, because
  /// the replays wait for it.
  package func follow(_ follower: @escaping @Sendable ([String]) -> Void) {
    state.withLock { $0.follower = follower }
  }

  /// Counts one second.
  ///
  /// - Parameter look: returns the activity of a thread by its number.
  /// - Returns: the reports of all subjects that have just reached the limit.
  package func tick(_ look: (Int32) -> ProcessActivity?) -> [String] {
    let subjects = state.withLock { state in
      state.subjects.keys.sorted().filter { state.subjects[$0]?.tick(look) == true }
        .compactMap { state.subjects[$0] }
    }
    return subjects.map(\.note)
  }

  private func startThread() {
    // Before the first run, which may send the signal before the thread begins.
    quits.store(QuitSignal.listen() ?? -1, ordering: .releasing)
    let context = Unmanaged.passRetained(self)
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    if pthread_create(&thread, nil, replayWatchThread, context.toOpaque()) != 0 {
      context.release()
      // Nobody would notice the signal.
      if quits.load(ordering: .relaxed) >= 0 { signal(SIGQUIT, SIG_DFL) }
    }
  }

  fileprivate func run() -> Never {
    let descriptor = quits.load(ordering: .acquiring)
    let quits = descriptor < 0 ? nil : descriptor
    while true {
      if QuitSignal.waits(quits, milliseconds: 1_000) { quit() }
      for note in tick(ProcessActivity.ofThread) { try? Descriptor.write(Array(note.utf8), to: 2) }
    }
  }
}

extension ReplayWatch {
  /// The reports of all subjects at SIGQUIT.
  package var quitNotes: [String] {
    let subjects = state.withLock { $0.subjects.sorted { $0.key < $1.key }.map(\.value) }
    let notes = subjects.compactMap(\.quitNote)
    return notes.isEmpty ? ["SIGQUIT: no code runs in virtual time now\n"] : notes
  }

  private func quit() {
    for note in quitNotes { try? Descriptor.write(Array(note.utf8), to: 2) }
    QuitSignal.end()
  }
}

private func replayWatchThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<ReplayWatch>.fromOpaque(context).takeUnretainedValue().run()
}
