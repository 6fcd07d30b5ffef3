import Timelines
import Workers

/// A command that ended its own process, as its transcript expects.
struct ExpectedEnd: Equatable, Codable {
  private let fence: Int
  private let block: Int
  private let output: [String]

  /// Nil if the transcript expects something else.
  ///
  /// - Parameters:
  ///   - problem: how the process ended.
  ///   - entry: the file that was played.
  ///   - slot: the progress of the process.
  init?(_ problem: TranscriptProblem, of entry: TranscriptSelection.Entry, _ slot: ProgressSlot) {
    let transcripts = Transcripts.load(entry)
    guard let printed = slot.output.all,
      transcripts.indices.contains(slot.fence)
    else { return nil }
    let transcript = transcripts[slot.fence]
    guard
      let block = transcript.blocks.firstIndex(where: {
        transcript.lineNumber($0.command) == slot.line
      }),
      let last = transcript.expected(transcript.blocks[block]).last,
      let ending = problem.ending(expectedBy: last.text)
    else { return nil }
    fence = slot.fence
    self.block = block
    output = printed + [ending]
  }

  /// Returns performers of that transcript that do not end their process. At the command that would, they print what it
  /// printed, and the session ends.
  func sparing(_ makePerformer: @escaping PerformerFactory, fence: Int) -> PerformerFactory {
    guard fence == self.fence else { return makePerformer }
    return { [block, output] fixtures, folder in
      SparedPerformer(makePerformer(fixtures, folder), until: block, output)
    }
  }
}

private final class SparedPerformer: CommandPerformer {
  private let performer: any CommandPerformer
  private let end: Int
  private let lastOutput: [String]
  private var performed = 0
  private var hasEnded = false

  init(_ performer: any CommandPerformer, until end: Int, _ lastOutput: [String]) {
    self.performer = performer
    self.end = end
    self.lastOutput = lastOutput
  }

  func perform(_ command: String, output: (String) -> Void) -> Bool {
    guard performed < end else {
      for line in lastOutput { output(line) }
      hasEnded = true
      return false
    }
    performed += 1
    return performer.perform(command, output: output)
  }

  /// The end of the process is an expected failure.
  var failures: [CommandFailure] {
    hasEnded ? [CommandFailure(isAssertion: true, line: lastOutput.last)] : performer.failures
  }
  /// Empty if the process has ended as expected, because then nothing more can be performed.
  var unperformed: [Unperformed] { hasEnded ? [] : performer.unperformed }
  var unreadFixtures: [String] { hasEnded ? [] : performer.unreadFixtures }
  var notes: [String] { hasEnded ? [] : performer.notes }
  var transitionCounts: TransitionCounts { performer.transitionCounts }
  var reasons: [String] { performer.reasons }
  var activity: [String] { performer.activity }
  var recording: Recording? { performer.recording }
  var readings: [FileReading] { performer.readings }
  func finish() { performer.finish() }
}
