import Timelines

/// What the command under way has printed of its share.
struct PrintedLines {
  var count = 0
  var hidden = 0
  /// The latest lines beyond those that a command may print.
  var tail: [String] = []
}

/// What a session prints.
extension Session {
  /// How many lines one command may print at once, and how many of its last ones follow at its end.
  static let mostLines = (first: 990, last: 10)

  /// Prints a line, unless the command has printed its share.
  func emit(_ line: String) {
    printed.count += 1
    guard printed.count <= Self.mostLines.first else {
      printed.tail.append(line)
      if printed.tail.count > Self.mostLines.last {
        printed.tail.removeFirst()
        printed.hidden += 1
      }
      return
    }
    put(line)
  }

  /// Prints a line that a transcript has as a pattern, since it differs from run to run.
  func emit(_ line: String, writtenAs pattern: String) {
    printed.count += 1
    put(line, writtenAs: pattern)
  }

  private func put(_ line: String, writtenAs written: String? = nil) {
    if !isReplaying { output(line) }
    if isOffTheRecord { return }
    writeFlow()
    if keepsLog {
      log.add(written ?? line, isRecorded: recordsOutput)
      if recordsOutput { recording.print(written ?? line) }
    }
    record(TranscriptText.output(written ?? line))
  }

  /// Prints a line that is no part of the session.
  func say(_ line: String) { output(line) }

  /// Prints what is left of a command's lines when it is over.
  func endOutput() {
    let hidden = printed.hidden
    if hidden > 0 {
      put("… \(hidden) more line\(hidden == 1 ? "" : "s"); 'log last N' shows the latest")
    }
    for line in printed.tail { put(line) }
    printed = PrintedLines()
  }
}
