#if canImport(Glibc)
import RehearsalBase
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How a worker ended before its work did.
struct WorkerLoss {
  let end: ProcessControl.End
  /// The most memory that it had.
  let peakBytes: Int

  /// Lines of output that are told at most.
  private static let shownLines = 20

  /// What is to be said of the transcript that was being played.
  ///
  /// - Parameters:
  ///   - problem: what is wrong.
  ///   - entry: the file that it stands in.
  ///   - slot: where it had come to.
  ///   - written: lines that the worker wrote to its standard streams.
  /// - Returns: the failure, at the command that it died in.
  static func failure(
    _ problem: TranscriptProblem,
    of entry: TranscriptSelection.Entry,
    _ slot: ProgressSlot,
    written: [String]
  ) -> TranscriptFailure {
    var failure = TranscriptFailure(path: entry.path, line: slot.line, problem: problem)
    failure.diff = slot.output.suffix(shownLines).map { .init(.same, $0) }
    let transcripts = Transcripts.load(entry)
    let transcript = transcripts.indices.contains(slot.fence) ? transcripts[slot.fence] : nil
    if let transcript, slot.content != 0, FNV1a.hash(transcript.bytes) != slot.content {
      failure.notes.append("the file has changed meanwhile; this is about what it held before")
    } else if let transcript {
      let block = transcript.blocks.first { transcript.lineNumber($0.command) == slot.line }
      failure.command = block.map(transcript.command)
      if let end = block.flatMap({ transcript.expected($0).last }), let ending = problem.ending,
        TranscriptProblem.isEnd(end.text)
      {
        failure.diff.append(.init(.expected, String(decoding: end.text, as: UTF8.self)))
        failure.diff.append(.init(.actual, ending))
      }
      if let unreached = transcript.unreached(below: slot.line) { failure.notes.append(unreached) }
    }
    // Addresses are others in each process.
    failure.notes += written.prefix { !$0.hasPrefix("Current stack trace") }
      .map { "the process wrote: \($0)" }
    return failure
  }

  /// What a worker ended of that nobody ended: a crash, or that it was refused memory.
  func problem(
    hasOverflowed: Bool,
    _ written: [String],
    _ memoryLimit: Int
  ) -> TranscriptProblem {
    if hasOverflowed, end == .signal(Int(SIGSEGV)) { return .overflowed }
    if case .signal = end,
      peakBytes > memoryLimit || written.contains(where: ProcessMemory.isRefusal)
    {
      return .tooMuchMemory(limitInBytes: memoryLimit)
    }
    return TranscriptProblem(end)
  }
}

extension TranscriptProblem {
  /// That a worker ended of itself in the middle of its work.
  package init(_ end: ProcessControl.End) {
    switch end {
    case .signal(let signal): self = .crashed(signal: signal)
    case .status(let status): self = .exited(status: status)
    }
  }

  /// Whether somebody else may have ended the process: by a signal that no mistake of its own raises.
  package var isFromOutside: Bool {
    guard case .crashed(let signal) = self else { return false }
    return ![SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS].contains(Int32(signal))
  }

  /// Whether the process ended by what it did itself, whatever the machine has to spare.
  package var isOwnEnd: Bool {
    switch self {
    case .crashed: !isFromOutside
    case .overflowed, .exited: true
    default: false
    }
  }
}
