extension Replay {
  /// What is wrong, in the order of the file; empty when all is as expected.
  var failures: [TranscriptFailure] {
    if let problem = transcript.problem {
      return [TranscriptFailure(path: transcript.path, line: problemLine, problem: problem)]
    }
    var result = transcript.strays.sorted { $0.line < $1.line }.map {
      TranscriptFailure(path: transcript.path, line: $0.line, problem: .stray($0.problem))
    }
    for difference in differences {
      result.append(failure(difference, after: result.first?.line))
    }
    if let unplayed {
      let block = transcript.blocks[unplayed]
      let line = transcript.lineNumber(block.command)
      var failure = TranscriptFailure(path: transcript.path, line: line, problem: .endedEarly)
      failure.command = transcript.command(block)
      result.append(failure)
    }
    return result
  }

  private var problemLine: Int {
    if case .file(.notUTF8(let line)) = transcript.problem { return line }
    return transcript.fence > 0 ? transcript.firstLine : 0
  }

  private func failure(_ difference: Difference, after first: Int?) -> TranscriptFailure {
    let block = transcript.blocks[difference.block]
    let expected = transcript.expected(block)
    let expectation = Expectation(expected.map(\.text))
    let alignment = Alignment(expectation, difference.output, difference.captures)
    let place =
      expected.isEmpty ? block.command : place(of: alignment, expected.map(\.index), block)
    var failure = TranscriptFailure(
      path: transcript.path,
      line: transcript.lineNumber(place),
      problem: difference.isCut ? .tooLong : .differs(after: first)
    )
    failure.command = transcript.command(block)
    failure.diff = diff(alignment, expectation, difference.output)
    failure.notes = notes(expectation, difference, expected.map(\.index))
    return failure
  }

  /// The first line that is not as expected, or the last one above output that nobody expects.
  private func place(
    of alignment: Alignment,
    _ indices: [Int],
    _ block: TranscriptBlock
  ) -> Int {
    var last = block.command
    for step in alignment.steps {
      switch step {
      case .keep(let expected, _), .keepAnyLines(let expected): last = indices[expected]
      case .taken: break
      case .remove(let expected): return indices[expected]
      case .insert: return last
      }
    }
    return last
  }

  private func diff(
    _ alignment: Alignment,
    _ expectation: Expectation,
    _ output: [[UInt8]]
  ) -> [TranscriptFailure.DiffLine] {
    let expected = { String(decoding: expectation.lines[$0].text, as: UTF8.self) }
    let actual = { String(decoding: output[$0], as: UTF8.self) }
    return alignment.steps.compactMap { step in
      switch step {
      case .keep(let index, _), .keepAnyLines(let index): .init(.same, expected(index))
      case .remove(let index): .init(.expected, expected(index))
      case .insert(let index): .init(.actual, actual(index))
      case .taken: nil
      }
    }
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
