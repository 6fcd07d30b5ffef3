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
  // Only notes after the end of the process: its last command may have performed them, as a 'settle' that crashes.
  var unperformed: [Unperformed] { hasEnded ? [] : performer.unperformed }
  var unreadFixtures: [String] { hasEnded ? [] : performer.unreadFixtures }
  var notes: [String] {
    if !hasEnded { return performer.notes }
    let unless = "unless the command that ends the process did so"
    // The last command follows the rest of a schedule.
    let open = performer.unperformed.filter { $0.reason != .undecided }.map(\.sentence)
    let unread = performer.unreadFixtures.map { "no command has read the file '\($0)'" }
    return (open + unread).map { "\($0); \(unless)" }
  }
  var transitionCounts: TransitionCounts { performer.transitionCounts }
  var reasons: [String] { performer.reasons }
  var activity: [String] { performer.activity }
  var recording: Recording? { performer.recording }
  var readings: [FileReading] { performer.readings }
  func finish() { performer.finish() }
}
