import Exploring
import LibC
import Rehearsal
import RehearsalBase
import Script
import Staging
import Synchronization
import Workers

/// A watchdog that prints a note when code on the stage blocks its thread: it waits for a lock or a semaphore, or loops
/// forever. Ctrl-C only works between two jobs, and so never in such code.
///
/// A separate thread checks every second during commands, and sleeps between them.
final class StuckWatch: Sendable {
  /// Time after which a note names code that keeps the thread, as `ThreadClock` counts.
  static let limitInSeconds = 3

  private let place: CurrentStage
  private let hint: String
  /// Called several times a second while a command takes longer than half a second.
  private let onWaiting: @Sendable (_ isStuck: Bool) -> Void
  private let state = Mutex(State())
  /// The writing end of the pipe that wakes the thread when a command begins.
  private let bell: Int32
  private let ear: Int32

  private struct State {
    var command: String?
    var number = 0
    var isResting = false
    /// The number of the thread that performs commands; nil if the system does not report it.
    var thread: Int32?
  }

  /// Starts the thread, which lives as long as the process; nil if there is none left.
  ///
  /// - Parameters:
  ///   - place: the stage of the commands.
  ///   - isInteractive: whether Ctrl-C stops the command and not the program.
  ///   - onWaiting: called on the thread, several times a second while a command takes long, and before the note.
  init?(
    _ place: CurrentStage,
    isInteractive: Bool,
    onWaiting: @escaping @Sendable (_ isStuck: Bool) -> Void = { _ in }
  ) {
    self.place = place
    self.onWaiting = onWaiting
    hint =
      isInteractive
      ? "Ctrl-C cannot stop a lock or an endless loop; Ctrl-\\ ends the program"
      : "it waits for a lock or loops forever; Ctrl-C ends the program"
    guard let ends = try? Descriptor.makePipe() else { return nil }
    (ear, bell) = ends
    guard Self.startThread(for: self) else { return nil }
  }

  /// Sets the command to watch.
  ///
  /// - Parameter command: the current command; nil if there is none.
  func watch(_ command: String?) {
    let isResting = state.withLock { state in
      state.command = command
      state.number += 1
      // A session performs its commands on one thread.
      if state.thread == nil, command != nil { state.thread = ProcessActivity.thisThread }
      defer { state.isResting = state.isResting && command == nil }
      return state.isResting && command != nil
    }
    var byte: UInt8 = 0
    if isResting { write(bell, &byte, 1) }
  }

  // MARK: The thread

  private static func startThread(for watch: StuckWatch) -> Bool {
    let context = Unmanaged.passRetained(watch)
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let result = pthread_create(&thread, nil, stuckWatchThread, context.toOpaque())
    if result != 0 { context.release() }
    return result == 0
  }

  fileprivate func run() -> Never {
    var (number, ticks) = (0, 0)
    var (clock, isReported) = (ThreadClock(), false)
    while true {
      let now = rest()
      ticks = now == number ? ticks + 1 : 0
      number = now
      if ticks >= Self.ticksPerSecond / 2 {
        noteWaiting(for: number, isStuck: isReported)
      }
      if ticks.isMultiple(of: Self.ticksPerSecond) {
        if ticks > 0, place.stage.isBlocked {
          clock.pass(1_000, activity)
        } else {
          clock.reset(activity)
          isReported = false
          place.stage.ping()
        }
        if !isReported, clock.milliseconds >= Self.limitInSeconds * 1_000 {
          isReported = true
          noteWaiting(for: number, isStuck: true)
          printNote()
        }
      }
      usleep(1_000_000 / UInt32(Self.ticksPerSecond))
    }
  }

  private static let ticksPerSecond = 4

  /// The activity of the thread that performs commands.
  private var activity: ProcessActivity? {
    state.withLock(\.thread).flatMap(ProcessActivity.ofThread)
  }

  /// Calls `onWaiting` within the lock, so that it is not called after the command has ended.
  private func noteWaiting(for number: Int, isStuck: Bool) {
    state.withLock { if $0.number == number, $0.command != nil { onWaiting(isStuck) } }
  }

  /// Waits until there is a command, and returns its number.
  private func rest() -> Int {
    while true {
      let number = state.withLock { state -> Int? in
        state.isResting = state.command == nil
        return state.command == nil ? nil : state.number
      }
      if let number { return number }
      var byte: UInt8 = 0
      read(ear, &byte, 1)
    }
  }

  private func printNote() {
    guard let command = state.withLock({ $0.command }) else { return }
    let thread = state.withLock(\.thread)
    let activity = Stage.activity(ofThread: thread) { place.stage }
    let lines =
      [
        "note: this command has blocked its thread for \(Self.limitInSeconds) seconds, working or waiting:",
        "  > \(command.printable(atMost: 200))",
      ] + activity.map { $0.printable(atMost: 400) } + ["hint: \(hint)"]
    StandardStreams.write(lines.map { $0 + "\n" }.joined(), to: .error)
  }
}

private func stuckWatchThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<StuckWatch>.fromOpaque(context).takeUnretainedValue().run()
}
