extension Replay {
  /// What is wrong, in the order of the file; empty when all is as expected.
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
    if result.isEmpty, let unsheltered {
      let path = transcript.path
      return [TranscriptFailure(path: path, line: unsheltered, problem: .needsShelter)]
    }
    for difference in differences {
      result.append(failure(difference, after: result.first?.line))
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

  /// Returns the failure for a check or command that was never performed, at the last command that may have scheduled
  /// it.
  private func failure(_ unperformed: Unperformed) -> TranscriptFailure {
    let index = transcript.blocks.lastIndex { transcript.command($0) == unperformed.command }
    let block = transcript.blocks[index ?? transcript.blocks.count - 1]
    var failure = TranscriptFailure(
      path: transcript.path,
      line: transcript.lineNumber(block.command),
      problem: .unperformed(unperformed.reason, unperformed.text, unperformed.details)
    )
    failure.command = transcript.command(block)
    return failure
  }

  /// Returns the failure for an unread fixture: a command mistypes its name, or a line `-- NAME --` made a fixture of
  /// the rest of the transcript.
  private func failure(_ fixture: String) -> TranscriptFailure? {
    guard let line = transcript.line(ofFixture: fixture) else { return nil }
    return TranscriptFailure(path: transcript.path, line: line, problem: .unreadFixture(fixture))
  }

  /// Nothing of a transcript is accepted while something else is wrong with it.
  private static func sayingHowToAccept(_ failures: [TranscriptFailure]) -> [TranscriptFailure] {
    let other = failures.first { !$0.isAcceptable }
    return failures.map { failure in
      var failure = failure
      if let other, failure.isAcceptable {
        failure.notes.append("not to be accepted before line \(other.line) is mended")
      } else if other == nil {
        failure.acceptance = "test --update \(FailureText.quoted(failure.path))"
      }
      return failure
    }
  }

  private var problemLine: Int {
    if case .file(.notUTF8(let line)) = transcript.problem { return line }
    // An empty fence may end the file; what opens it is there in any case.
    return transcript.fence > 0 ? transcript.firstLine - 1 : 0
  }

  private func failure(_ difference: Difference, after first: Int?) -> TranscriptFailure {
    let block = transcript.blocks[difference.block]
    let expected = transcript.expected(block)
    let expectation = Expectation(expected.map(\.text))
    let alignment = Alignment(expectation, difference.output, difference.captures)
    let index = alignment.firstChange
    let place = index < 0 ? block.command : expected[index].index
    var failure = TranscriptFailure(
      path: transcript.path,
      line: transcript.lineNumber(place),
      problem: difference.isCut ? .tooLong : .differs(after: first)
    )
    failure.command = transcript.command(block)
    failure.diff = alignment.diff(expectation, difference.output)
    failure.notes = notes(expectation, difference, expected.map(\.index))
    return failure
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
      notes.append("the lines differ only in blanks at their ends")
    }
    let texts = expectation.lines.map(\.text)
    if !difference.isCut,
      let reason = DifferenceReason(texts, difference.output, difference.captures)
    {
      notes.append(reason.sentence)
    }
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
