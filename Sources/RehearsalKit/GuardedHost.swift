import Rehearsal
import Script

/// Performs commands with an eye on what code of a user's own can do to the program: crash it, or keep
/// its thread for ever.
struct GuardedHost {
  let host: SessionHost
  private let watch: StuckWatch?

  /// - Parameters:
  ///   - host: what performs them.
  ///   - isInteractive: whether Ctrl-C means the command and not the program.
  init(_ host: SessionHost, isInteractive: Bool) {
    self.host = host
    CrashNotice.install()
    watch = StuckWatch(host.place, isInteractive: isInteractive)
  }

  /// Performs one command; false when the session is over.
  func perform(_ command: String) -> Bool {
    CrashNotice.prepare(command, recording: host.recordingPath)
    watch?.watch(command)
    defer {
      watch?.watch(nil)
      CrashNotice.prepare(nil, recording: nil)
    }
    return host.perform(command)
  }
}
