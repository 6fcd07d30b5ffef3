import Rehearsal
import RehearsalBase
import Script

/// A host that performs commands, and starts the watches for crashes and endless loops in the user's code.
struct GuardedHost {
  let host: SessionHost
  private let watch: StuckWatch?
  private let screen: ShellScreen?

  /// - Parameters:
  ///   - host: performs the commands.
  ///   - screen: shows the progress of a command that takes long.
  ///   - isInteractive: whether Ctrl-C stops the command and not the program.
  init(_ host: SessionHost, on screen: ShellScreen? = nil, isInteractive: Bool) {
    self.host = host
    self.screen = screen
    CrashNotice.install()
    watch = StuckWatch(host.place, isInteractive: isInteractive) {
      [place = host.place, progress = host.progress] isStuck in
      screen?.show(note: isStuck ? nil : Self.note(at: place.stage.now.elapsed, progress))
    }
  }

  /// Performs one command; false if it ends the session.
  func perform(_ command: String) -> Bool {
    begin(command)
    defer { end() }
    return host.perform(command)
  }

  /// Advances virtual time in live mode, and returns the time of the next event.
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
