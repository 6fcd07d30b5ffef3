import Timelines

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// One playing of a transcript: every command in order, its output held against the expectation.
struct Replay {
  /// A command whose output is not as expected.
  struct Difference {
    let block: Int
    let output: [[UInt8]]
    let isCut: Bool
    /// What had been captured above the command.
    let captures: Captures
  }

  let transcript: Transcript
  private let slot: ProgressSlot?
  private let keepsOutput: Bool
  private var captures: Captures = [:]
  private(set) var differences: [Difference] = []
  /// The first command that was never performed, the session being over.
  private(set) var unplayed: Int?
  /// Which ways between the states of members were taken, if somebody counts them.
  private(set) var arrows = ArrowCounts()
  /// What each command printed, where that is kept.
  private(set) var outputs: [[[UInt8]]] = []
  /// The commands that failed with the expected output.
  private(set) var failing: [FailingCommand] = []
  /// Checks and commands that were never performed.
  private(set) var unperformed: [Unperformed] = []
  /// Fixtures that no command has read.
  private(set) var unreadFixtures: [String] = []
  /// What happened, if somebody draws failures and not all is as expected.
  private(set) var recording: Recording?

  /// Plays the transcript in a performer of its own; in `slot`, where there is one, the process that
  /// watches this one reads how far it came.
  init(
    _ transcript: Transcript,
    _ makePerformer: PerformerFactory,
    slot: ProgressSlot? = nil,
    countsArrows: Bool = false,
    keepsOutput: Bool = false,
    recordsFailures: Bool = false
  ) {
    self.transcript = transcript
    self.slot = slot
    self.keepsOutput = keepsOutput
    guard transcript.problem == nil, transcript.strays.isEmpty, unsheltered == nil else { return }
    slot?.begin(line: 0)
    let performer = makePerformer(transcript.fixtures, transcript.folder)
    play(performer)
    unperformed = performer.unperformed
    if differences.isEmpty, unplayed == nil { unreadFixtures = performer.unreadFixtures }
    if countsArrows { arrows = performer.arrowCounts }
    if recordsFailures, !differences.isEmpty || unplayed != nil { recording = performer.recording }
    performer.finish()
  }

  /// Returns the failed commands among those whose output was accepted.
  func failing(among differences: [Difference]) -> [FailingCommand] {
    let blocks = Set(differences.map(\.block))
    return failing.filter { blocks.contains($0.block) }
  }

  /// The line that says that this process would end, where nobody watches it who could start another.
  var unsheltered: Int? { slot == nil ? transcript.lineOfOwnEnd : nil }

  private mutating func play(_ performer: any CommandPerformer) {
    var output = OutputLines()
    for (index, block) in transcript.blocks.enumerated() {
      output.removeAll()
      slot?.begin(line: transcript.lineNumber(block.command))
      let goesOn = performer.perform(transcript.command(block)) { line in
        output.append(line, mirroredTo: slot)
      }
      if keepsOutput { outputs.append(output.lines) }
      let count = differences.count
      if output.isCut || !isLiterally(block, output) { compare(index, block, output) }
      if count == differences.count { note(performer.failures, ofBlock: index) }
      if !goesOn, index + 1 < transcript.blocks.count {
        unplayed = index + 1
        return
      }
    }
  }

  /// Notes the failures of a command that printed the expected output.
  private mutating func note(_ failures: [CommandFailure], ofBlock index: Int) {
    guard let first = failures.first else { return }
    let block = transcript.blocks[index]
    let expectation = Expectation(transcript.expected(block).map(\.text))
    let hidden = failures.first { failure in
      failure.line.map { expectation.lineShowing($0) == nil }
        ?? expectation.lines.contains { $0.meaning == .anyLines }
    }
    let assertion = failures.first(where: \.isAssertion)
    // The text is the pattern if the expected line is one, because the pattern hides parts that differ between runs,
    // such as a port.
    let line = (assertion ?? hidden ?? first).line
    failing.append(
      FailingCommand(
        block: index,
        line: transcript.lineNumber(block.command),
        kind: assertion != nil ? .assertion : hidden != nil ? .hidden : .shown,
        text: line.map { expectation.lineShowing($0) ?? $0 } ?? ""
      )
    )
  }

  /// The quick comparison, byte by byte, that nearly every command passes.
  private func isLiterally(_ block: TranscriptBlock, _ output: OutputLines) -> Bool {
    var next = 0
    for index in block.commandEnd..<block.end where transcript.lines[index].kind == .output {
      guard next < output.count else { return false }
      let expected = transcript.lines[index].content
      let actual = output.range(next)
      guard expected.count == actual.count,
        output.bytes.hasEqualBytes(actual, to: transcript.bytes, expected)
      else { return false }
      next += 1
    }
    return next == output.count
  }

  private mutating func compare(_ index: Int, _ block: TranscriptBlock, _ output: OutputLines) {
    let before = captures
    let lines = output.lines
    let expectation = Expectation(transcript.expected(block).map(\.text))
    if !output.isCut, expectation.matches(lines, &captures) { return }
    differences.append(
      Difference(block: index, output: lines, isCut: output.isCut, captures: before)
    )
    // Those of its lines that are as expected have captured what later commands may repeat.
    if !output.isCut { captures = Alignment(expectation, lines, before).captures }
  }
}

extension [UInt8] {
  /// Whether two runs of equal length hold the same bytes.
  fileprivate func hasEqualBytes(
    _ range: Range<Int>,
    to other: [UInt8],
    _ otherRange: Range<Int>
  ) -> Bool {
    withUnsafeBytes { mine in
      other.withUnsafeBytes { theirs in
        guard !range.isEmpty, let mine = mine.baseAddress, let theirs = theirs.baseAddress else {
          return range.isEmpty
        }
        return memcmp(mine + range.lowerBound, theirs + otherRange.lowerBound, range.count) == 0
      }
    }
  }
}
