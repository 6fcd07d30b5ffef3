import LibC
import Synchronization

/// SIGQUIT, which Ctrl-\ sends: it ends the process after a report.
package enum QuitSignal {
  // The only state that the handler accesses: the writing end of a pipe.
  private static let mouth = Atomic<Int32>(-1)

  /// Lets the signal end the process, unless it is ignored. Removes every other handler: in a debug build, that of Swift
  /// writes a backtrace and then waits for a key.
  package static func endsProcess() {
    let before = signal(SIGQUIT, SIG_DFL)
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGQUIT, SIG_IGN)
    }
  }

  /// Catches the signal from now on, unless the process ignores it or has a handler for it.
  ///
  /// - Returns: the descriptor that can be read after the signal; nil if it is not caught.
  static func listen() -> Int32? {
    guard let ends = try? Descriptor.makePipe() else { return nil }
    mouth.store(ends.1, ordering: .relaxed)
    let before = signal(SIGQUIT, handler)
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self) { return ends.0 }
    signal(SIGQUIT, before)
    for end in [ends.0, ends.1] { close(end) }
    return nil
  }

  /// Waits until the signal has come; false after a time.
  static func waits(_ ear: Int32?, milliseconds: Int32) -> Bool {
    guard let ear else {
      usleep(UInt32(milliseconds) * 1_000)
      return false
    }
    var ready = pollfd(fd: ear, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, milliseconds) > 0
  }

  /// Ends the process as the signal does by default.
  static func end() {
    signal(SIGQUIT, SIG_DFL)
    kill(getpid(), SIGQUIT)
  }

  private static let handler: @convention(c) (Int32) -> Void = { _ in
    let before = errno
    var byte: UInt8 = 0
    write(QuitSignal.mouth.load(ordering: .relaxed), &byte, 1)
    errno = before
  }
}
