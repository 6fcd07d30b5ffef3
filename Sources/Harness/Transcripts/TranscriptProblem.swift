import RehearsalBase
import Workers

/// Why a transcript fails: the error and the hint of each problem.
package enum TranscriptProblem: Sendable, Equatable {
  /// Output is not as expected; `after` is the line of an earlier difference in the same file.
  case differs(after: Int?)
  /// A command printed more than the limit.
  case tooLong
  /// A line of no known kind.
  case stray(StrayLine)
  /// The session ended before the last command.
  case endedEarly
  /// A signal ended the process that played it.
  case crashed(signal: Int)
  /// The process that played it overflowed its stack.
  case overflowed
  /// The process that played it exited with this status.
  case exited(status: Int)
  /// A command is expected to end the process, and this process has no supervisor that could start another one.
  case needsOwnProcess
  /// It took longer than the limit, in milliseconds, measured by `PlayClock`.
  case slow(limitInMilliseconds: Int)
  /// It exceeded the memory limit, or its allocation failed.
  case tooMuchMemory(limitInBytes: Int)
  /// It was running when the run reached its time limit, in milliseconds of real time.
  case outOfTime(limitInMilliseconds: Int)
  /// Its file was still being read at the limit, in milliseconds.
  case unread(limitInMilliseconds: Int)
  /// A second play printed other output, whether or not that matched.
  case otherOutput
  /// Two runs of the updated transcript print different output.
  case unstable
  /// A check or command that was not performed before the session ended.
  case unperformed(Unperformed.Reason, String, String)
  /// A command failed, and no expected line shows its error: `...` or a pattern covers it.
  case hiddenError(String)
  /// A fixture that no command has read.
  case unreadFixture(String)
  /// The file holds no command.
  case noCommand
  /// A Markdown file that the user named has no fence marked `transcript`.
  case noFence
  /// The file cannot be read or written.
  case file(FileProblem)

  /// The problem as text.
  package var sentence: String {
    switch self {
    case .differs(nil): "output differs"
    case .differs(let line?): "output differs, perhaps because of line \(line)"
    case .tooLong: "the command printed more than \(OutputLines.limitInBytes >> 20) MB"
    case .stray(let line): line.sentence
    case .endedEarly: "the session ended before this command"
    case .crashed(let signal): WorkerEnd.Cause.signal(signal).text
    case .overflowed: WorkerEnd.Cause.stackOverflow.text
    case .exited(let status): WorkerEnd.Cause.exit(status: status).text
    case .needsOwnProcess: "it is expected to end its own process"
    case .slow(let limit): WorkerEnd.Cause.time(limitInMilliseconds: limit).text
    case .tooMuchMemory(let limit): WorkerEnd.Cause.memory(limitInBytes: limit).text
    case .outOfTime(let limit):
      "was running when the run reached its limit of \(WorkerEnd.Cause.compact(limit))"
    case .unread(let limit): "was still being read after \(WorkerEnd.Cause.compact(limit))"
    case .otherOutput: "printed other output the second time"
    case .unstable: "not updated: a second run printed other output"
    case .unperformed(let reason, let text, let details):
      Unperformed.sentence(reason, text, details)
    case .hiddenError(let error): "the command fails, and no expected line shows it: \(error)"
    case .unreadFixture(let name):
      "the lines below are not replayed: they are the file '\(name)', and nothing reads it"
    case .noCommand: "no command in this transcript"
    case .noFence: "no code block marked 'transcript' in this file"
    case .file(let problem): problem.sentence
    }
  }

  /// Whether a time limit was exceeded.
  var isOfTime: Bool {
    switch self {
    case .slow, .outOfTime: true
    default: false
    }
  }

  /// Whether the transcript was played and failed. Other problems prevent it from being played to its end.
  var isOfPlaying: Bool {
    switch self {
    case .differs, .tooLong, .crashed, .overflowed, .exited, .slow, .tooMuchMemory, .otherOutput,
      .unstable, .unperformed, .hiddenError:
      true
    case .stray, .endedEarly, .unreadFixture, .needsOwnProcess, .outOfTime, .unread, .noCommand,
      .noFence, .file:
      false
    }
  }

  /// Whether a command was not due when the session ended, or a run assertion checked nothing.
  var isUnperformed: Bool { if case .unperformed = self { true } else { false } }

  /// Whether its file was not read to its end, so that its content is unknown.
  var isUnread: Bool { if case .unread = self { true } else { false } }

  /// Why the file could not be used, if that is the problem.
  var fileProblem: FileProblem? {
    if case .file(let problem) = self { problem } else { nil }
  }

  /// What to do; nil if there is no advice.
  package var hint: String? {
    switch self {
    case .stray(let line): line.hint
    case .endedEarly: "remove the lines after the command that ends the session"
    case .needsOwnProcess:
      "replay it with the 'test' command of a shell, which starts a process for it"
    case .crashed, .exited:
      ending.map { "if this is intended, end its output with '\($0)'" }
    case .slow: "the time limit is set by '--timeout'"
    case .tooMuchMemory: "the limit is set by '--memory'"
    case .outOfTime: "the time limit of the whole run is set by '--total-timeout'"
    case .unread: "the limits are set by '--timeout' and '--total-timeout'"
    case .otherOutput:
      "look for state that replays share, and for real time"
    case .overflowed: "look for endless recursion"
    case .unstable: "make the output the same in every run, or write a pattern: [..] or {{…}}"
    case .unperformed(let reason, _, _): Unperformed.hint(reason)
    case .hiddenError(let line):
      Expectation.word(of: line) == "error"
        ? "if the failure is intended, write its line, or 'error: [..]'"
        : "if the failure is intended, write its line, or a pattern with 'fail'"
    case .unreadFixture:
      "a line '-- NAME --' begins a file; let a command read it, or change the line"
    case .noCommand: "begin a command with '> '"
    case .noFence: "mark a code block with ```transcript"
    case .differs, .tooLong, .file: nil
    }
  }
}
