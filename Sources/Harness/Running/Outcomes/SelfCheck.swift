/// A transcript played twice, one right after the other: both must print the same, byte for byte. That a
/// pattern matches either is not enough.
struct SelfCheck {
  let outcome: TranscriptOutcome
  /// The commands that failed, if it passed.
  let failing: [FailingCommand]

  init(_ transcript: Transcript, _ makePerformer: PerformerFactory, _ slot: ProgressSlot?) {
    let first = Replay(transcript, makePerformer, slot: slot, keepsOutput: true)
    let second = Replay(transcript, makePerformer, slot: slot, keepsOutput: true)
    var failures = first.failures
    if let difference = Self.difference(first, second) {
      let other = TranscriptFailure.otherOutput(
        of: difference,
        in: transcript,
        first: first.outputs.indices.contains(difference) ? first.outputs[difference] : [],
        second: second.outputs.indices.contains(difference) ? second.outputs[difference] : []
      )
      failures.append(other)
    }
    outcome = failures.isEmpty ? .passed : .failed(failures)
    failing = failures.isEmpty ? first.failing : []
  }

  /// The first command that did not print the same both times.
  private static func difference(_ first: Replay, _ second: Replay) -> Int? {
    let (one, other) = (first.outputs, second.outputs)
    let shared = zip(one, other).prefix { $0 == $1 }.count
    return shared == one.count && shared == other.count ? nil : shared
  }
}

extension TranscriptFailure {
  fileprivate static func otherOutput(
    of index: Int,
    in transcript: Transcript,
    first: [[UInt8]],
    second: [[UInt8]]
  ) -> TranscriptFailure {
    let block = transcript.blocks[index]
    let line = transcript.lineNumber(block.command)
    var failure = TranscriptFailure(path: transcript.path, line: line, problem: .otherOutput)
    failure.command = transcript.command(block)
    let alignment = Alignment(Expectation(literal: first), second, [:])
    let text = { (bytes: [UInt8]) in String(decoding: bytes, as: UTF8.self) }
    failure.diff = alignment.steps.compactMap { step in
      switch step {
      case .keep(let index, _), .keepAnyLines(let index): .init(.same, text(first[index]))
      case .remove(let index): .init(.expected, text(first[index]))
      case .insert(let index): .init(.actual, text(second[index]))
      case .taken: nil
      }
    }
    return failure
  }
}
