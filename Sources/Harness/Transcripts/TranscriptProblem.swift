/// Why a transcript fails.
package enum TranscriptProblem: Sendable, Equatable {
  /// Output is not as expected; `after` is the line of an earlier difference in the same file.
  case differs(after: Int?)
  /// A command printed more than is kept.
  case tooLong
  /// A line that means nothing.
  case stray(StrayLine)
  /// The session ended before the last command.
  case endedEarly
  /// The process that played it was ended by a signal.
  case crashed(signal: Int)
  /// The process that played it left, with this status.
  case exited(status: Int)
  /// It took longer than the limit, in milliseconds of real time.
  case slow(limitInMilliseconds: Int)
  /// Two runs of the updated transcript print different output.
  case unstable
  /// The file holds no command.
  case noCommand
  /// A Markdown file that was asked for holds no fence marked `transcript`.
  case noFence
  /// A folder that was asked for holds no transcript.
  case noTranscript
  /// The file cannot be read or written.
  case file(FileProblem)

  /// What went wrong, a fact about the transcript.
  package var sentence: String {
    switch self {
    case .differs(nil): "output differs"
    case .differs(let line?): "output differs, perhaps because of line \(line)"
    case .tooLong: "the command printed more than \(OutputLines.limitInBytes >> 20) MB"
    case .stray(let line): line.sentence
    case .endedEarly: "the session ended before this command"
    case .crashed(let signal): "crashed, by \(SignalName.of(signal))"
    case .exited(let status): "the process left in mid-transcript, with status \(status)"
    case .slow(let limit): "took longer than \(Self.compact(limit)) of real time"
    case .unstable: "not updated: a second run printed other output"
    case .noCommand: "no command in this transcript"
    case .noFence: "no fence marked 'transcript' in this file"
    case .noTranscript: "no transcript in this folder"
    case .file(let problem): problem.sentence
    }
  }

  /// What to try, where there is something to say.
  package var hint: String? {
    switch self {
    case .stray(let line): line.hint
    case .endedEarly: "remove what stands below the command that ends the session"
    case .slow: "the time limit is set by '--timeout'"
    case .unstable: "make the output the same in every run, or write a pattern: [..] or {{…}}"
    case .noCommand: "begin a command with '> '"
    case .noFence: "mark a fence with ```transcript"
    case .differs, .tooLong, .crashed, .exited, .noTranscript, .file: nil
    }
  }

  private static func compact(_ milliseconds: Int) -> String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}
