import LibC
import Rehearsal
import RehearsalBase
import Script

/// Standard output and error, unbuffered: what a program behind a pipe reads is what was printed.
enum StandardStreams {
  enum Stream: Int32 {
    case output = 1
    case error = 2
  }

  /// Takes the places of streams that whoever started the program has closed. The next file that is opened would
  /// have the number of one of them, and be read as what somebody types, or be written into by a message. Reading
  /// ends at once, and writing fails as before.
  static func keepPlaces() {
    while true {
      let file = open("/dev/null", O_RDONLY)
      if file > 2 { close(file) }
      if file < 0 || file > 2 { return }
    }
  }

  /// Writes all of it. Where nobody reads any more, the program ends, as one in a pipe should, and
  /// where it cannot be written, with a word.
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

  /// Writes what more is to follow.
  ///
  /// - Returns: whether that was possible; if not, it is for what follows to say so.
  static func begin(_ text: String) -> Bool {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    return (try? FileBytes.write(Array(text.utf8), to: Stream.output.rawValue)) != nil
  }

  /// Says on standard error what is wrong. Arguments and names of files may be quoted in it, so what could
  /// move a terminal's cursor is spelt out.
  static func complain(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    write(lines.map { String($0).escapingControls }.joined(separator: "\n") + "\n", to: .error)
  }

  /// Prints a command as a transcript has it. It may come from anywhere, so a terminal gets its
  /// controls spelt out; a file gets it byte for byte, to be replayed.
  static func echo(_ command: String) {
    show(TranscriptText.command(command))
  }

  /// Writes text that may come from anywhere, in lines: a terminal gets its controls spelt out, a file gets it byte
  /// for byte.
  static func show(_ text: String) {
    guard isTerminal(1) else { return write(text) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    write(lines.map { String($0).escapingControls }.joined(separator: "\n"))
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The width of the terminal, or 80 columns where there is none.
  static var columns: Int { size.map { Int($0.ws_col) } ?? 80 }

  /// The height of the terminal, or 24 rows where there is none.
  static var rows: Int { size.map { Int($0.ws_row) } ?? 24 }

  private static var size: winsize? {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return size
  }
}
