import LibC
import Rehearsal
import RehearsalBase
import Script

/// The terminal or pipe that shows `test --watch`; a terminal has a few keys.
final class WatchTerminal: WatchAudience {
  /// The form of the output.
  enum Style {
    case plain
    case coloured
    case json
    /// A report that must have standard output alone.
    case bare

    /// Creates the style that fits reports.
    init(_ reporters: Reporters) {
      self =
        reporters.areJSON
        ? .json : reporters.arePlain ? reporters.colour ? .coloured : .plain : .bare
    }
  }

  private let screen: ShellScreen
  private let style: Style
  private let hasKeys = StandardStreams.isTerminal(0) && StandardStreams.isTerminal(1)
  private let signals = SignalPipe()
  /// The status line of a terminal with keys.
  private var status: String?
  /// The keyboard, from the status line until transcripts are played.
  private var keyboard: WatchKeyboard?
  /// The path of the program; nil if the system does not report it. A new build may replace the file later.
  let program = ThisProgram.path.flatMap { Folder.realPath($0) }

  init(screen: ShellScreen, style: Style) {
    self.screen = screen
    self.style = style
  }

  // MARK: Waiting

  func wait(for descriptor: Int32?, withinMilliseconds limit: Int?) -> WatchRequest {
    startListening()
    let request = request(descriptor, withinMilliseconds: limit)
    // Otherwise the keyboard stays on, because a change may affect no transcript.
    if request == .quit { stopListening() }
    return request
  }

  private func request(
    _ descriptor: Int32?,
    withinMilliseconds limit: Int?
  ) -> WatchRequest {
    // Standard output is watched only for the end of its reader.
    var polled = [
      pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: hasKeys ? 0 : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: 1, events: 0, revents: 0),
    ]
    while true {
      let count = poll(&polled, nfds_t(polled.count), limit.map { Int32(clamping: $0) } ?? -1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return count == 0 ? .look : .quit }
      if polled[3].revents & Int16(POLLERR | POLLNVAL) != 0 { return .quit }
      if polled[1].revents != 0 {
        let number = signals.next()
        if number == SIGTSTP {
          keyboard?.restore()
          screen.show(note: nil)
          signals.stop()
          screen.show(note: status)
        } else if number != SIGCONT {
          return .quit
        }
        keyboard?.apply()
      }
      if polled[2].revents != 0, let request = key() { return request }
      if polled[0].revents != 0 { return .look }
    }
  }

  private func startListening() {
    signals.listen()
    if hasKeys, keyboard == nil { keyboard = WatchKeyboard() }
  }

  private func stopListening() {
    keyboard?.restore()
    keyboard = nil
    signals.ignore()
  }

  /// Returns the request of the next key; nil for other keys.
  private func key() -> WatchRequest? {
    var byte: UInt8 = 0
    guard read(0, &byte, 1) == 1 else { return .quit }
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "a"): return .playAll
    case UInt8(ascii: "f"): return .playFailed
    case UInt8(ascii: "q"), 4: return .quit
    default: return nil
    }
  }

  // MARK: Telling

  func announce(_ changes: String) {
    // Transcripts that are played have the terminal and the signals as usual.
    stopListening()
    switch style {
    case .plain: screen.write("\n\(changes)\n")
    case .coloured: screen.write("\n\u{1B}[1m\(changes)\u{1B}[0m\n")
    case .json: screen.write(JSONLine("changes").with("text", changes).text)
    case .bare: break
    }
  }

  func tell(_ status: WatchStatus) {
    // Before the status is shown, because keys may follow at once.
    startListening()
    switch style {
    case .json:
      screen.write(
        JSONLine("watching").with("files", status.transcripts).with("others", status.others)
          .with("failing", status.failing)
          .with("notReplayed", status.notReplayed > 0 ? status.notReplayed : nil)
          .with("missing", status.missing > 0 ? status.missing : nil).text
      )
    case .plain, .coloured:
      let text = status.sentence
      if hasKeys {
        self.status = "\(text) · Enter all · f failed · q quit"
        screen.show(note: self.status)
      } else {
        screen.write("\(text)\n")
      }
    case .bare: break
    }
  }

  func note(_ text: String) {
    switch style {
    case .json: screen.write(JSONLine("note").with("text", text).text)
    case .plain, .coloured: screen.write("note: \(text.escapingControls)\n")
    case .bare: StandardStreams.complain("note: \(text)")
    }
  }

  // MARK: The program itself

  func restart() -> FileProblem {
    screen.show(note: nil)
    guard let program else { return .missing }
    execv(program, CommandLine.unsafeArgv)
    return FileProblem(errno: errno)
  }
}

extension WatchStatus {
  /// The status of a watched run as text.
  fileprivate var sentence: String {
    let files = "watching \("file".counted(transcripts))"
    let read = others == 0 ? "" : ", and \(others) that they read"
    var trouble: [String] = []
    if failing > 0 { trouble.append("\(failing) failing") }
    if notReplayed > 0 { trouble.append("\(notReplayed) not replayed") }
    if missing > 0 { trouble.append("\(missing) missing") }
    if transcripts == 0, missing == 0 { trouble.append("nothing is left to replay") }
    return files + read + (trouble.isEmpty ? "" : "; " + trouble.joined(separator: ", "))
  }
}

/// The keyboard in a mode without echo and line buffering. Ctrl-C and Ctrl-Z are still signals.
private struct WatchKeyboard {
  private let before: termios
  private var during: termios

  init?() {
    var settings = termios()
    guard tcgetattr(0, &settings) == 0 else { return nil }
    before = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    during = settings
    apply()
  }

  func apply() {
    var settings = during
    tcsetattr(0, TCSADRAIN, &settings)
  }

  func restore() {
    var settings = before
    tcsetattr(0, TCSADRAIN, &settings)
  }
}

/// Signals as bytes in a pipe while `listen` is in effect; otherwise they have their default effect.
private final class SignalPipe {
  // Written once, before a handler can run. A handler can only use globals.
  nonisolated(unsafe) fileprivate static var writing: Int32 = -1

  let descriptor: Int32
  private let awaited = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT]

  init() {
    guard let ends = try? Descriptor.makePipe(isNonblocking: true) else {
      descriptor = -1
      return
    }
    descriptor = ends.reading
    Self.writing = ends.writing
  }

  func listen() {
    for number in awaited {
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(SignalPipe.writing, &byte, 1)
      }
    }
  }

  func ignore() {
    for number in awaited { signal(number, SIG_DFL) }
  }

  /// Stops the process until it is continued. In an orphaned process group, the system ignores the stop.
  func stop() {
    signal(SIGTSTP, SIG_DFL)
    raise(SIGTSTP)
    listen()
  }

  /// Returns the earliest signal; 0 if there is none.
  func next() -> Int32 {
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1 ? Int32(byte) : 0
  }
}
