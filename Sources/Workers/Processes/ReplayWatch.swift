package import LibC
import Synchronization

/// Reports commands and runs that make no progress for several seconds, once each. Without it, code
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

  /// A command or a run that is watched.
  package struct Subject: Sendable {
    /// Returns a number that changes with each progress; nil while there is nothing to report.
    private let place: @Sendable () -> Int?
    /// Returns the text of the report.
    fileprivate let note: @Sendable () -> String
    /// The text for a crash; nil if a crash has its own text.
    fileprivate let command: String?
    /// Returns the number of its thread; nil if it is unknown.
    private let thread: @Sendable () -> Int32?
    private var latest: Int?
    private var clock = ThreadClock()
    private var isReported = false

    /// - Parameters:
    ///   - place: returns a number that changes with each progress; nil while there is nothing to report.
    ///   - note: returns the text of the report.
    ///   - command: the text for a crash; nil if a crash has its own text.
    ///   - thread: returns the number of its thread; nil if it is unknown.
    package init(
      place: @escaping @Sendable () -> Int?,
      note: @escaping @Sendable () -> String,
      command: String? = nil,
      thread: @escaping @Sendable () -> Int32?
    ) {
      (self.place, self.note, self.command, self.thread) = (place, note, command, thread)
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
    return subjects.map { $0.note() }
  }

  private func startThread() {
    let context = Unmanaged.passRetained(self)
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    if pthread_create(&thread, nil, replayWatchThread, context.toOpaque()) != 0 {
      context.release()
    }
  }

  fileprivate func run() -> Never {
    while true {
      sleep(1)
      for note in tick(ProcessActivity.ofThread) { try? Descriptor.write(Array(note.utf8), to: 2) }
    }
  }
}

private func replayWatchThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<ReplayWatch>.fromOpaque(context).takeUnretainedValue().run()
}
