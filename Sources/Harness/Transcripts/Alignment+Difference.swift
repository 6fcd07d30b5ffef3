extension Alignment {
  /// The expected line that is the first not to be as expected, or the last one above output that nobody
  /// expects, by its index; -1 where that stands above all.
  var firstChange: Int {
    var last = -1
    for step in steps {
      switch step {
      case .keep(let expected, _), .keepAnyLines(let expected): last = expected
      case .taken: break
      case .remove(let expected): return expected
      case .insert: return last
      }
    }
    return last
  }

  /// The difference as somebody reads it.
  func diff(_ expectation: Expectation, _ output: [[UInt8]]) -> [TranscriptFailure.DiffLine] {
    let expected = { String(decoding: expectation.lines[$0].text, as: UTF8.self) }
    let actual = { String(decoding: output[$0], as: UTF8.self) }
    return steps.compactMap { step in
      switch step {
      case .keep(let index, _), .keepAnyLines(let index): .init(.same, expected(index))
      case .remove(let index): .init(.expected, expected(index))
      case .insert(let index): .init(.actual, actual(index))
      case .taken: nil
      }
    }
  }
}
