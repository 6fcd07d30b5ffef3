import LibC
import RehearsalBase
import Script
import Synchronization
import Workers

/// Names what is still at the same place after seconds, once each: code that waits for a lock would
/// otherwise hold up a run of tests without a word.
///
/// One thread looks once a second, for all replays and searches of the process and as long as it lives.
package final class ReplayWatch: Sendable {
  /// For how long a command or a run may take before it is told: processor time, and real time in which it waits. While
  /// it is ready to run, but other threads have the processors, no time counts.
  static let limitInSeconds = 5

  /// The watch of this process, which writes to standard error.
  package static let shared: ReplayWatch = {
    let watch = ReplayWatch()
    watch.startThread()
    return watch
  }()

  /// Something that is under way.
  package struct Subject: Sendable {
    /// A number that is another whenever it has come further; nil where nothing is under way that could be named.
    private let place: @Sendable () -> Int?
    /// What is said of it.
    fileprivate let note: @Sendable () -> String
    /// What a crash tells of; nil where it has words of its own.
    fileprivate let command: String?
    /// The number of the thread that does it; nil if it is not known.
    private let thread: @Sendable () -> Int32?
    private var latest: Int?
    private var clock = ThreadClock()
    private var isTold = false

    private init(
      place: @escaping @Sendable () -> Int?,
      note: @escaping @Sendable () -> String,
      command: String?,
      thread: @escaping @Sendable () -> Int32?
    ) {
      (self.place, self.note, self.command, self.thread) = (place, note, command, thread)
    }

    /// Runs of something that is explored, one behind the other.
    ///
    /// - Parameters:
    ///   - place: where it stands.
    ///   - run: the number of the run under way, asked by any thread; nil where there is none.
    ///   - schedule: what was chosen in it so far, asked by any thread when it has come no further.
    ///   - thread: the number of the thread that does the runs, asked by any thread.
    /// - Returns: what is named when one of them takes its time.
    package static func search(
      at place: String,
      run: @escaping @Sendable () -> Int?,
      schedule: @escaping @Sendable () -> String,
      thread: @escaping @Sendable () -> Int32?
    ) -> Subject {
      Subject(
        place: run,
        note: {
          """
          note: \(place): a run has been under way for \(limitInSeconds) seconds
          hint: it waits for a lock, or goes round in circles; so it does again:
            try await explore(replaying: "\(schedule())") { … }\n
          """
        },
        command: nil,
        thread: thread
      )
    }

    /// A command of a transcript, performed by the thread that asks.
    static func command(_ text: String, of path: String) -> Subject {
      let path = path.printable(atMost: 1000)
      let line = "  > \(text.printable(atMost: 200))\n"
      let thread = ProcessActivity.thisThread
      return Subject(
        place: { 0 },
        note: {
          """
          note: \(path): this command has been under way for \(limitInSeconds) seconds:
          \(line)hint: it waits for a lock, or goes round in circles; the command 'test' of a shell ends it in time\n
          """
        },
        command: "\(path):\n\(line)",
        thread: { thread }
      )
    }

    /// Lets a second pass, and says whether it is time to tell of it.
    fileprivate mutating func tick(_ look: (Int32) -> ProcessActivity?) -> Bool {
      let place = place()
      if latest != place || place == nil { (clock, isTold) = (ThreadClock(), false) }
      latest = place
      clock.pass(1_000, thread().flatMap(look))
      guard clock.milliseconds >= ReplayWatch.limitInSeconds * 1_000, !isTold else { return false }
      isTold = true
      return true
    }
  }

  private struct State {
    var subjects: [Int: Subject] = [:]
    var newest = 0
    var follower: (@Sendable ([String]) -> Void)?

    func tellFollower() {
      follower?(subjects.sorted { $0.key < $1.key }.compactMap(\.value.command))
    }
  }

  private let state = Mutex(State())

  /// Does something under watch.
  package func watch<Result>(_ subject: Subject, _ body: () -> Result) -> Result {
    let number = state.withLock { state in
      state.newest += 1
      state.subjects[state.newest] = subject
      state.tellFollower()
      return state.newest
    }
    defer {
      state.withLock { state in
        state.subjects[number] = nil
        state.tellFollower()
      }
    }
    return body()
  }

  /// Has somebody told whenever a command begins or ends what is under way: each transcript with its
  /// command, in the order in which they began. Not for long: the replays wait.
  package func follow(_ follower: @escaping @Sendable ([String]) -> Void) {
    state.withLock { $0.follower = follower }
  }

  /// Lets a second pass, and returns what is to be said then.
  ///
  /// - Parameter look: tells of a thread by its number.
  /// - Returns: a note for each subject that has taken its time.
  func tick(_ look: (Int32) -> ProcessActivity?) -> [String] {
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
      for note in tick(ProcessActivity.ofThread) { try? FileBytes.write(Array(note.utf8), to: 2) }
    }
  }
}

private func replayWatchThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<ReplayWatch>.fromOpaque(context).takeUnretainedValue().run()
}

/// Performs commands of a transcript under the eye of a watch.
final class WatchedPerformer: CommandPerformer {
  private let performer: any CommandPerformer
  private let path: String

  init(_ performer: any CommandPerformer, of transcript: Transcript) {
    self.performer = performer
    path = transcript.description
  }

  func perform(_ command: String, output: (String) -> Void) -> Bool {
    ReplayWatch.shared.watch(.command(command, of: path)) {
      performer.perform(command, output: output)
    }
  }

  var failures: [CommandFailure] { performer.failures }
  var unperformed: [Unperformed] { performer.unperformed }
  var unreadFixtures: [String] { performer.unreadFixtures }

  func finish() { performer.finish() }
}
