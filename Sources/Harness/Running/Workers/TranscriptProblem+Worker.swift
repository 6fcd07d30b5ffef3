import LibC
import RehearsalBase
package import Workers

/// Turns the end of a worker into the failure of the transcript that it played, with its last command and output.
extension TranscriptProblem {
  /// The problem of work whose worker ended.
  package init(_ cause: WorkerEnd.Cause) {
    switch cause {
    case .signal(let signal): self = .crashed(signal: signal)
    case .exit(let status): self = .exited(status: status)
    case .stackOverflow: self = .overflowed
    case .time(let limit): self = .slow(limitInMilliseconds: limit)
    case .memory(let limit): self = .tooMuchMemory(limitInBytes: limit)
    case .ended: self = .crashed(signal: Int(SIGKILL))
    }
  }

  /// The problem of a process that ended.
  package init(_ end: ProcessEnd) {
    switch end {
    case .signal(let signal): self = .crashed(signal: signal)
    case .status(let status): self = .exited(status: status)
    }
  }

  /// Whether another program may have ended the process: by a signal that a crash does not raise.
  var isFromOutside: Bool {
    if case .crashed(let signal) = self {
      WorkerEnd.Cause.signal(signal).isFromOutside
    } else {
      false
    }
  }
}

extension TranscriptFailure {
  /// Maximum number of output lines in a failure.
  private static let shownLines = 20

  /// Creates the failure of a transcript whose worker ended, at the current command.
  ///
  /// - Parameters:
  ///   - problem: how the worker ended.
  ///   - entry: the file of the transcript.
  ///   - slot: the progress of the worker.
  ///   - written: lines that the worker wrote to its standard streams.
  ///   - activity: what the worker did when it was ended.
  init(
    _ problem: TranscriptProblem,
    of entry: TranscriptSelection.Entry,
    _ slot: ProgressSlot,
    written: [String],
    activity: [String]
  ) {
    self.init(path: entry.path, line: slot.line, problem: problem)
    diff = slot.output.suffix(Self.shownLines).map { .init(.same, $0) }
    let transcripts = Transcripts.load(entry)
    let transcript = transcripts.indices.contains(slot.fence) ? transcripts[slot.fence] : nil
    if let transcript, slot.content != 0, FNV1a.hash(transcript.bytes) != slot.content {
      notes.append("the file has changed in the meantime; this result is about its old content")
    } else if let transcript {
      let block = transcript.blocks.first { transcript.lineNumber($0.command) == slot.line }
      command = block.map(transcript.command)
      if let end = block.flatMap({ transcript.expected($0).last }), let ending = problem.ending,
        TranscriptProblem.isEnd(end.text)
      {
        diff.append(.init(.expected, String(decoding: end.text, as: UTF8.self)))
        diff.append(.init(.actual, ending))
      }
      if let unreached = transcript.unreached(below: slot.line) { notes.append(unreached) }
    }
    if !activity.isEmpty { notes.append(activity.joined(separator: "\n")) }
    // The stack trace has addresses, which differ between processes.
    notes += written.prefix { !$0.hasPrefix("Current stack trace") }
      .map { "the process wrote: \($0)" }
  }
}
