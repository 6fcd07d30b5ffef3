import RehearsalBase
import Workers

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
  /// The process that played it called ever deeper, until its stack had no room.
  case overflowed
  /// The process that played it left, with this status.
  case exited(status: Int)
  /// A command is expected to end the process, and this one has nobody to start another.
  case needsOwnProcess
  /// It took longer than the limit, in milliseconds, as `PlayClock` counts them.
  case slow(limitInMilliseconds: Int)
  /// It used more memory than the limit, or asked for so much that it got none.
  case tooMuchMemory(limitInBytes: Int)
  /// It was under way when the run had taken as long as it may, in milliseconds of real time.
  case outOfTime(limitInMilliseconds: Int)
  /// Its file was still being read after the limit, in milliseconds.
  case unread(limitInMilliseconds: Int)
  /// A second playing printed something else, whether or not it matched.
  case otherOutput
  /// Two runs of the updated transcript print different output.
  case unstable
  /// A check or command that was not performed before the session ended.
  case unperformed(Unperformed.Reason, String, String)
  /// A fixture that no command has read.
  case unreadFixture(String)
  /// The file holds no command.
  case noCommand
  /// A Markdown file that was asked for holds no fence marked `transcript`.
  case noFence
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
    case .crashed(let signal): WorkerEnd.Cause.signal(signal).text
    case .overflowed: WorkerEnd.Cause.stackOverflow.text
    case .exited(let status): WorkerEnd.Cause.exit(status: status).text
    case .needsOwnProcess: "it is expected to end the process that plays it"
    case .slow(let limit): WorkerEnd.Cause.time(limitInMilliseconds: limit).text
    case .tooMuchMemory(let limit): WorkerEnd.Cause.memory(limitInBytes: limit).text
    case .outOfTime(let limit):
      "was under way when the run had taken \(WorkerEnd.Cause.compact(limit))"
    case .unread(let limit): "was still being read after \(WorkerEnd.Cause.compact(limit))"
    case .otherOutput: "printed other output the second time"
    case .unstable: "not updated: a second run printed other output"
    case .unperformed(let reason, let text, let details):
      Unperformed.sentence(reason, text, details)
    case .unreadFixture(let name):
      "the lines below are not played: they are the file '\(name)', and nothing reads it"
    case .noCommand: "no command in this transcript"
    case .noFence: "no fence marked 'transcript' in this file"
    case .file(let problem): problem.sentence
    }
  }

  /// Whether a limit of time was over.
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
      .unstable, .unperformed:
      true
    case .stray, .endedEarly, .unreadFixture, .needsOwnProcess, .outOfTime, .unread, .noCommand,
      .noFence, .file:
      false
    }
  }

  /// Whether a command was not due when the session ended, or a run assertion checked nothing.
  var isUnperformed: Bool { if case .unperformed = self { true } else { false } }

  /// Whether its file was not read to its end, so that nobody knows what is in it.
  var isUnread: Bool { if case .unread = self { true } else { false } }

  /// Why the file could not be used, where that is the problem.
  var fileProblem: FileProblem? {
    if case .file(let problem) = self { problem } else { nil }
  }

  /// What to try, where there is something to say.
  package var hint: String? {
    switch self {
    case .stray(let line): line.hint
    case .endedEarly: "remove what stands below the command that ends the session"
    case .needsOwnProcess: "the command 'test' of a shell plays it, in a process of its own"
    case .crashed, .exited:
      ending.map { "if it is meant to, let '\($0)' end its output" }
    case .slow: "the time limit is set by '--timeout'"
    case .tooMuchMemory: "the limit is set by '--memory'"
    case .outOfTime: "the time limit of the whole run is set by '--total-timeout'"
    case .unread: "the limits are set by '--timeout' and '--total-timeout'"
    case .otherOutput:
      "what changes from one playing to the next is shared between them, or depends on real time"
    case .overflowed: "something calls itself without an end"
    case .unstable: "make the output the same in every run, or write a pattern: [..] or {{…}}"
    case .unperformed(let reason, _, _): Unperformed.hint(reason)
    case .unreadFixture:
      "a line '-- NAME --' begins a file; let a command read it, or change the line"
    case .noCommand: "begin a command with '> '"
    case .noFence: "mark a fence with ```transcript"
    case .differs, .tooLong, .file: nil
    }
  }
}
