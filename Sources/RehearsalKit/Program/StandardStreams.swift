import LibC
import Rehearsal
import RehearsalBase
import Script

/// Standard output and error, unbuffered, so that a reader of a pipe sees each line at once.
enum StandardStreams {
  enum Stream: Int32 {
    case output = 1
    case error = 2
  }

  /// Opens `/dev/null` for each closed standard stream. Otherwise the next opened file would get its number, and be read
  /// as input or be overwritten by messages. Reading ends at once, and writing still fails.
  static func keepPlaces() {
    while true {
      let file = open("/dev/null", O_RDONLY)
      if file > 2 { close(file) }
      if file < 0 || file > 2 { return }
    }
  }

  /// Writes text. Ends the program if the reader has closed the pipe, or, with an error, if writing fails.
  static func write(_ text: String, to stream: Stream = .output) {
    do throws(FileProblem) {
      try FileBytes.write(Array(text.utf8), to: stream.rawValue)
    } catch {
      if stream == .output, error != FileProblem(errno: EPIPE) {
        write("error: cannot write the output: \(error.sentence)\n", to: .error)
      }
      ThisProgram.end(with: ProgramExit.harness.rawValue)
    }
  }

  /// Writes text before further output.
  ///
  /// - Returns: whether it was written. If not, later output reports the error.
  static func begin(_ text: String) -> Bool {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    return (try? FileBytes.write(Array(text.utf8), to: Stream.output.rawValue)) != nil
  }

  /// Prints an error to standard error. It may quote arguments and file names, so control characters are escaped.
  static func complain(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    write(lines.map { String($0).escapingControls }.joined(separator: "\n") + "\n", to: .error)
  }

  /// Prints a command in the form of a transcript. A terminal gets control characters escaped; a file gets the exact
  /// bytes, to be replayed.
  static func echo(_ command: String) {
    show(TranscriptText.command(command))
  }

  /// Writes lines of foreign text. A terminal gets control characters escaped; a file gets the exact bytes.
  static func show(_ text: String) {
    guard isTerminal(1) else { return write(text) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    write(lines.map { String($0).escapingControls }.joined(separator: "\n"))
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The width of the terminal in columns; 80 if there is none.
  static var columns: Int { size.map { Int($0.ws_col) } ?? 80 }

  /// The height of the terminal in rows; 24 if there is none.
  static var rows: Int { size.map { Int($0.ws_row) } ?? 24 }

  private static var size: winsize? {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return size
  }
}
