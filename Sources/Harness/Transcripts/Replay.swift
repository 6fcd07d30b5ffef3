import LibC
import Timelines

/// One play of a transcript: performs each command, compares its output, and makes the failures.
struct Replay {
  /// A command whose output is not as expected.
  struct Difference {
    let block: Int
    let output: [[UInt8]]
    let isCut: Bool
    /// The captures before the command.
    let captures: Captures
    /// What waits after the command and explains its output.
    let reasons: [String]
  }

  let transcript: Transcript
  private let slot: ProgressSlot?
  private var captures: Captures = [:]
  private(set) var differences: [Difference] = []
  /// The first command that was not performed because the session had ended.
  private(set) var unplayed: Int?
  /// The state transitions that were taken, if they are counted.
  private(set) var transitions = TransitionCounts()
  /// The output of each command, if it is kept.
  private(set) var outputs: [[[UInt8]]] = []
  /// The commands that failed with the expected output.
  private(set) var failing: [FailingCommand] = []
  /// The error lines of commands that failed, and that no expected line shows.
  private var hiddenErrors: [(block: Int, text: String)] = []
  /// Checks and commands that were never performed.
  private(set) var unperformed: [Unperformed] = []
  /// Fixtures that no command has read.
  private(set) var unreadFixtures: [String] = []
  /// Notes about checks that may have checked nothing; empty if something failed.
  private(set) var notes: [String] = []
  /// The recording, if failures are drawn and something failed.
  private(set) var recording: Recording?

  /// Plays the transcript in a new performer. `slot` is shared memory in which a supervising process reads the
  /// progress.
  init(
    _ transcript: Transcript,
    _ makePerformer: PerformerFactory,
    slot: ProgressSlot? = nil,
    countsTransitions: Bool = false,
    keepsOutput: Bool = false,
    recordsFailures: Bool = false
  ) {
    self.transcript = transcript
    self.slot = slot
    guard transcript.problem == nil, transcript.strays.isEmpty, unsupervisedEnd == nil else {
      return
    }
    slot?.begin(line: 0)
    let performer = makePerformer(transcript.fixtures, transcript.folder)
    var output = OutputLines()
    for (index, block) in transcript.blocks.enumerated() {
      output.removeAll()
      slot?.begin(line: transcript.lineNumber(block.command))
      let continues = performer.perform(transcript.command(block)) { line in
        output.append(line, mirroredTo: slot)
      }
      if keepsOutput { outputs.append(output.lines) }
      lazy var expectation = Expectation(transcript.expected(block).map(\.text))
      let before = captures
      if !output.isCut, isLiterally(block, output) || expectation.matches(output.lines, &captures) {
        note(performer.failures, ofBlock: index, output, before)
      } else {
        differences.append(
          Difference(
            block: index,
            output: output.lines,
            isCut: output.isCut,
            captures: before,
            reasons: performer.reasons
          )
        )
        // The matching lines have captures that later commands may refer to.
        if !output.isCut { captures = Alignment(expectation, output.lines, before).captures }
      }
      if !continues, index + 1 < transcript.blocks.count {
        unplayed = index + 1
        break
      }
    }
    unperformed = performer.unperformed
    if differences.isEmpty, unplayed == nil {
      unreadFixtures = performer.unreadFixtures
      notes = performer.notes
    }
    if countsTransitions { transitions = performer.transitionCounts }
    if recordsFailures, !differences.isEmpty || unplayed != nil { recording = performer.recording }
    performer.finish()
  }

  /// Returns the failed commands among those whose output was accepted.
  func failing(among differences: [Difference]) -> [FailingCommand] {
    let blocks = Set(differences.map(\.block))
    return failing.filter { blocks.contains($0.block) }
  }

  /// The line that says that a command ends its process, if no supervising process could start another one.
  var unsupervisedEnd: Int? { slot == nil ? transcript.lineOfOwnEnd : nil }

  /// Notes the failures of a command that printed the expected output, with the captures of the commands above.
  private mutating func note(
    _ failures: [CommandFailure],
    ofBlock index: Int,
    _ output: OutputLines,
    _ captures: Captures
  ) {
    guard let first = failures.first else { return }
    let block = transcript.blocks[index]
    let expectation = Expectation(transcript.expected(block).map(\.text))
    var captures = captures
    let matched = expectation.match(output.lines, &captures)
    let hasAnyLines = expectation.lines.contains { $0.meaning == .anyLines }
    // A session prints only the first failures in the middle of very long output, and a digest of the others, which '...'
    // may cover.
    let hidden = failures.first { failure in
      guard let line = failure.line, matched?.prints(line) != false else { return hasAnyLines }
      return matched?.lineShowing(line) == nil
    }
    if let text = hidden?.line { hiddenErrors.append((index, text)) }
    let assertion = failures.first(where: \.isAssertion)
    // The text is the pattern if the expected line is one, because the pattern hides parts that differ between runs,
    // such as a port.
    let line = (assertion ?? hidden ?? first).line
    failing.append(
      FailingCommand(
        block: index,
        line: transcript.lineNumber(block.command),
        kind: assertion != nil ? .assertion : hidden != nil ? .hidden : .shown,
        text: line.map { matched?.lineShowing($0) ?? $0 } ?? ""
      )
    )
  }

  /// A fast comparison of bytes, which nearly every command passes.
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
}

extension [UInt8] {
  /// Whether two runs of equal length have the same bytes.
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

extension Replay {
  /// All failures, in the order of the file; empty if everything is as expected.
  var failures: [TranscriptFailure] {
    if let problem = transcript.problem {
      return [TranscriptFailure(path: transcript.path, line: problemLine, problem: problem)]
    }
    var result = transcript.strays.sorted { $0.line < $1.line }.map {
      TranscriptFailure(path: transcript.path, line: $0.line, problem: .stray($0.problem))
    }
    if !result.isEmpty, let unreached = transcript.unreached(from: 0) {
      result[result.count - 1].notes.append(unreached)
    }
    if result.isEmpty, let unsupervisedEnd {
      let path = transcript.path
      return [TranscriptFailure(path: path, line: unsupervisedEnd, problem: .needsOwnProcess)]
    }
    for difference in differences {
      let block = transcript.blocks[difference.block]
      let expected = transcript.expected(block)
      let expectation = Expectation(expected.map(\.text))
      let alignment = Alignment(expectation, difference.output, difference.captures)
      let index = alignment.firstChange
      let place = index < 0 ? block.command : expected[index].index
      var failure = TranscriptFailure(
        path: transcript.path,
        line: transcript.lineNumber(place),
        problem: difference.isCut ? .tooLong : .differs(after: result.first?.line)
      )
      failure.command = transcript.command(block)
      failure.diff = alignment.diff(expectation, difference.output)
      failure.notes = notes(expectation, difference, expected.map(\.index))
      result.append(failure)
    }
    result += hiddenErrors.map { block, error in
      failure(.hiddenError(error), of: transcript.blocks[block])
    }
    result = (result + unperformed.map(failure)).sorted { $0.line < $1.line }
    if result.isEmpty { result = unreadFixtures.compactMap(failure) }
    if let unplayed {
      let block = transcript.blocks[unplayed]
      let line = transcript.lineNumber(block.command)
      var failure = TranscriptFailure(path: transcript.path, line: line, problem: .endedEarly)
      failure.command = transcript.command(block)
      failure.notes = transcript.unreached(from: unplayed).map { [$0] } ?? []
      result.append(failure)
    }
    return Self.sayingHowToAccept(result)
  }

  /// Returns the failure for a check or command that was not performed, at the last command that may have scheduled it.
  private func failure(_ unperformed: Unperformed) -> TranscriptFailure {
    let index = transcript.blocks.lastIndex { transcript.command($0) == unperformed.command }
    return failure(
      .unperformed(unperformed.reason, unperformed.text, unperformed.details),
      of: transcript.blocks[index ?? transcript.blocks.count - 1]
    )
  }

  private func failure(
    _ problem: TranscriptProblem,
    of block: TranscriptBlock
  ) -> TranscriptFailure {
    let line = transcript.lineNumber(block.command)
    var failure = TranscriptFailure(path: transcript.path, line: line, problem: problem)
    failure.command = transcript.command(block)
    return failure
  }

  /// Returns the failure for an unread fixture: a command mistypes its name, or a line `-- NAME --` made a fixture of
  /// the rest of the transcript.
  private func failure(_ fixture: String) -> TranscriptFailure? {
    guard let line = transcript.line(ofFixture: fixture) else { return nil }
    return TranscriptFailure(path: transcript.path, line: line, problem: .unreadFixture(fixture))
  }

  /// Removes the commands that accept output if the transcript has other failures.
  private static func sayingHowToAccept(_ failures: [TranscriptFailure]) -> [TranscriptFailure] {
    let other = failures.first { !$0.isAcceptable }
    return failures.map { failure in
      var failure = failure
      if let other, failure.isAcceptable {
        failure.notes.append("cannot be accepted until line \(other.line) is fixed")
      } else if other == nil {
        failure.acceptance = "test --update \(FailureText.quoted(failure.path))"
      }
      return failure
    }
  }

  private var problemLine: Int {
    if case .file(.notUTF8(let line)) = transcript.problem { return line }
    // An empty fence may end the file, but its opening line always exists.
    return transcript.fence > 0 ? transcript.firstLine - 1 : 0
  }

  private func notes(
    _ expectation: Expectation,
    _ difference: Difference,
    _ indices: [Int]
  ) -> [String] {
    let longest = difference.output.lazy.map(\.count).max() ?? 0
    let mistakes = expectation.mistakes(difference.captures, longest: longest)
    var notes = mistakes.map { mistake in
      "line \(transcript.lineNumber(indices[mistake.index])): \(mistake.sentence)"
    }
    let expected = expectation.lines.map { $0.text.withoutTrailingBlanks }
    if expected == difference.output.map(\.withoutTrailingBlanks) {
      notes.append("the lines differ only in spaces at their ends")
    }
    let texts = expectation.lines.map(\.text)
    if !difference.isCut,
      let reason = DifferenceReason(texts, difference.output, difference.captures)
    {
      notes.append(reason.sentence)
    }
    if !difference.reasons.isEmpty { notes.append(difference.reasons.joined(separator: "\n")) }
    return notes
  }
}

extension [UInt8] {
  fileprivate var withoutTrailingBlanks: ArraySlice<UInt8> {
    var end = endIndex
    while end > startIndex, self[end - 1].isBlank { end -= 1 }
    return self[..<end]
  }
}
