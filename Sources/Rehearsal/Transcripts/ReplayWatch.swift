import Script
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Names the transcripts that are still at the same command after seconds of real time, once each: code
/// that waits for a lock would otherwise hold up a run of tests without a word.
///
/// One thread looks once a second, for all replays of the process and as long as it lives.
package final class ReplayWatch: Sendable {
  /// For how long, in real time, a command may take before it is told.
  static let limitInSeconds = 5

  /// The watch of this process, which writes to standard error.
  package static let shared: ReplayWatch = {
    let watch = ReplayWatch()
    watch.startThread()
    return watch
  }()

  private struct Command {
    let path: String
    let text: String
    var seconds = 0

    /// The transcript, and the command below it.
    var words: String {
      "\(path.printable(atMost: 1000)):\n  > \(text.printable(atMost: 200))\n"
    }
  }

  private struct State {
    var commands: [Int: Command] = [:]
    var latest = 0
    var follower: (@Sendable ([String]) -> Void)?

    func tellFollower() {
      follower?(commands.sorted { $0.key < $1.key }.map { $0.value.words })
    }
  }

  private let state = Mutex(State())

  /// Performs a command of a transcript under watch.
  func watch<Result>(_ command: String, of path: String, _ perform: () -> Result) -> Result {
    let number = state.withLock { state in
      state.latest += 1
      state.commands[state.latest] = Command(path: path, text: command)
      state.tellFollower()
      return state.latest
    }
    defer {
      state.withLock { state in
        state.commands[number] = nil
        state.tellFollower()
      }
    }
    return perform()
  }

  /// Has somebody told whenever a command begins or ends what is under way: each transcript with its
  /// command, in the order in which they began. Not for long: the replays wait.
  package func follow(_ follower: @escaping @Sendable ([String]) -> Void) {
    state.withLock { $0.follower = follower }
  }

  /// Lets a second pass, and returns what is to be said then.
  func tick() -> [String] {
    state.withLock { state in
      for number in state.commands.keys { state.commands[number]?.seconds += 1 }
      return state.commands.sorted { $0.key < $1.key }.map(\.value)
        .filter { $0.seconds == Self.limitInSeconds }.map(Self.note)
    }
  }

  private static func note(of command: Command) -> String {
    """
    note: \(command.path.printable(atMost: 1000)): this command has been under way for \(limitInSeconds) \
    seconds of real time:
      > \(command.text.printable(atMost: 200))
    hint: it waits for a lock, or goes round in circles; the command 'test' of a shell ends it in time\n
    """
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
      for note in tick() { try? FileBytes.write(Array(note.utf8), to: 2) }
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
    ReplayWatch.shared.watch(command, of: path) { performer.perform(command, output: output) }
  }

  func finish() { performer.finish() }
}
