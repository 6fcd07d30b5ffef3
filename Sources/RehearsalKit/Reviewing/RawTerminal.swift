import LibC

/// The terminal in a mode without line buffering. It is restored on every exit.
///
/// Only one instance may exist at a time, because signal handlers use a global.
struct RawTerminal {
  enum Event: Equatable {
    case keys([UInt8])
    case signal(Int32)
    case end
  }

  /// Signals that `read` returns as events. The caller restores the terminal before such a signal ends the program.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP]
  /// The pipe that the handler writes to. Never changed while a handler is installed.
  nonisolated(unsafe) private static var bell: Int32 = -1

  private let outer: termios
  private let signalPipe: Int32

  /// Creates the mode; nil if standard input is not a terminal.
  init?() {
    var settings = termios()
    guard tcgetattr(0, &settings) == 0,
      let ends = try? Descriptor.makePipe(isNonblocking: true)
    else { return nil }
    outer = settings
    signalPipe = ends.reading
    Self.bell = ends.writing
    for number in Self.signals {
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        let code = errno
        _ = write(RawTerminal.bell, &byte, 1)
        errno = code
      }
    }
    enter()
  }

  private func enter() {
    var raw = outer
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    tcsetattr(0, TCSADRAIN, &raw)
    // The alternate screen, without a cursor.
    StandardStreams.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
  }

  private func leave() {
    StandardStreams.write("\u{1B}[?25h\u{1B}[?1049l")
    var settings = outer
    tcsetattr(0, TCSADRAIN, &settings)
  }

  /// Restores the terminal and the signals.
  func restore() {
    leave()
    for number in Self.signals { signal(number, SIG_DFL) }
  }

  /// Stops the program, as Ctrl-Z does, until the shell continues it.
  func suspend() {
    leave()
    raise(SIGSTOP)
    enter()
  }

  /// Ends the program by a signal.
  static func end(by signal: Int32) { raise(signal) }

  /// Waits for keys or a signal.
  func read() -> Event {
    var polled = [
      pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signalPipe, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&polled, 2, -1) < 0 { if errno != EINTR { return .end } }
    var bytes = [UInt8](repeating: 0, count: 256)
    if polled[1].revents != 0, systemRead(signalPipe, &bytes, 1) == 1 {
      return .signal(Int32(bytes[0]))
    }
    let count = systemRead(0, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return .keys([]) }
    return count > 0 ? .keys(Array(bytes[..<count])) : .end
  }
}

// A free function, because the method `read` hides the system's.
private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(file, bytes, count)
}
