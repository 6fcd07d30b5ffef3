import Rehearsal
import RehearsalBase
import Script

/// Performs commands with an eye on what code of a user's own can do to the program: crash it, or keep
/// its thread for ever.
struct GuardedHost {
  let host: SessionHost
  private let watch: StuckWatch?
  private let screen: ShellScreen?

  /// - Parameters:
  ///   - host: what performs them.
  ///   - screen: where it is shown how far a command has come, if that takes its time.
  ///   - isInteractive: whether Ctrl-C means the command and not the program.
  init(_ host: SessionHost, on screen: ShellScreen? = nil, isInteractive: Bool) {
    self.host = host
    self.screen = screen
    CrashNotice.install()
    watch = StuckWatch(host.place, isInteractive: isInteractive) {
      [place = host.place, progress = host.progress] isStuck in
      screen?.show(note: isStuck ? nil : Self.note(at: place.stage.now.elapsed, progress))
    }
  }

  /// Performs one command; false when the session is over.
  func perform(_ command: String) -> Bool {
    begin(command)
    defer { end() }
    return host.perform(command)
  }

  /// Lets time pass that passes by itself, and returns when the next thing happens.
  func flow(to time: Duration) -> Duration? {
    guard let next = host.stage.nextInstant?.elapsed, next <= time else {
      return host.flow(to: time)
    }
    begin("wait \((time - host.stage.now.elapsed).compact)")
    defer { end() }
    return host.flow(to: time)
  }

  private func begin(_ command: String) {
    CrashNotice.prepare(command, recording: host.recordingPath)
    watch?.watch(command)
  }

  private func end() {
    watch?.watch(nil)
    screen?.show(note: nil)
    CrashNotice.prepare(nil, recording: nil)
  }

  private static func note(at time: Duration, _ progress: WorkProgress) -> String {
    (["at \(time.fixed)"] + [progress.words, "Ctrl-C stops"].compactMap { $0 })
      .joined(separator: " · ")
  }
}
