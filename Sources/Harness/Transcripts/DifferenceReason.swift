import RehearsalBase

/// The short reason why output differs, if it is certain: only times, or only the order of lines.
enum DifferenceReason: Equatable {
  /// The lines are as expected, in another order.
  case onlyOrder
  /// Only times differ. `shift` is the common difference, if they all have the same.
  case onlyTimes(shift: Duration?, isInColumn: Bool)

  /// Finds the explanation; nil for most differences.
  init?(_ expected: [[UInt8]], _ output: [[UInt8]], _ captures: Captures) {
    let expectation = Expectation(expected)
    let alignment = Alignment(expectation, output, captures)
    if Self.isOnlyOrder(expectation, alignment, output) {
      self = .onlyOrder
    } else if let pairs = Self.pairs(expectation, alignment, output, captures),
      let times = Self.times(pairs)
    {
      self = times
    } else {
      return nil
    }
  }

  /// The explanation as text.
  var sentence: String {
    switch self {
    case .onlyOrder: return "only the order of lines differs"
    case .onlyTimes(nil, _): return "only times differ"
    case .onlyTimes(let shift?, let isInColumn):
      let words = isInColumn ? ("later", "earlier") : ("more", "less")
      let amount = shift < .zero ? .zero - shift : shift
      return "only times differ (each \(amount.compact) \(shift < .zero ? words.1 : words.0))"
    }
  }

  /// Whether every missing line was printed elsewhere, and no pattern is missing, which could match any line.
  private static func isOnlyOrder(
    _ expectation: Expectation,
    _ alignment: Alignment,
    _ output: [[UInt8]]
  ) -> Bool {
    var counts: [[UInt8]: Int] = [:]
    var hasMoved = false
    for step in alignment.steps {
      switch step {
      case .keep, .keepAnyLines, .taken: break
      case .remove(let index):
        guard expectation.lines[index].meaning == .literal else { return false }
        counts[expectation.lines[index].text, default: 0] += 1
        hasMoved = true
      case .insert(let index): counts[output[index], default: 0] -= 1
      }
    }
    return hasMoved && counts.values.allSatisfy { $0 == 0 }
  }

  /// Returns the expected lines that do not match, each with the line printed in its place; nil if the numbers differ.
  private static func pairs(
    _ expectation: Expectation,
    _ alignment: Alignment,
    _ output: [[UInt8]],
    _ captures: Captures
  ) -> [(expected: [UInt8], actual: [UInt8])]? {
    var result: [(expected: [UInt8], actual: [UInt8])] = []
    let hasAnyLines = expectation.lines.contains { $0.meaning == .anyLines }
    guard hasAnyLines || expectation.lines.count == output.count else { return nil }
    if hasAnyLines { return alignment.replacements(expectation, output) }
    for index in output.indices {
      var captures = captures
      if expectation.line(index, matches: output[index], &captures) { continue }
      guard expectation.lines[index].meaning == .literal else { return nil }
      result.append((expectation.lines[index].text, output[index]))
    }
    return result
  }

  private static func times(_ pairs: [(expected: [UInt8], actual: [UInt8])]) -> Self? {
    var shifts: Set<Duration> = []
    var isInColumn = true
    for (expected, actual) in pairs {
      let (one, other) = (TimedText(expected), TimedText(actual))
      guard one.hasSameWords(as: other) else { return nil }
      for (index, (before, after)) in zip(one.times, other.times).enumerated() where before != after
      {
        shifts.insert(after - before)
        if index > 0 || !one.beginsWithTime { isInColumn = false }
      }
    }
    if shifts.isEmpty { return nil }
    return .onlyTimes(shift: shifts.count == 1 ? shifts.first : nil, isInColumn: isInColumn)
  }
}

extension Alignment {
  /// Returns the removed lines, each with the line inserted in its place; nil if a run of changes removes and inserts
  /// different numbers of lines, or removes a pattern.
  fileprivate func replacements(
    _ expectation: Expectation,
    _ output: [[UInt8]]
  ) -> [(expected: [UInt8], actual: [UInt8])]? {
    var result: [(expected: [UInt8], actual: [UInt8])] = []
    var removed: [[UInt8]] = []
    for step in steps {
      switch step {
      case .keep, .keepAnyLines, .taken: if !removed.isEmpty { return nil }
      case .remove(let index):
        guard expectation.lines[index].meaning == .literal else { return nil }
        removed.append(expectation.lines[index].text)
      case .insert(let index):
        if removed.isEmpty { return nil }
        result.append((removed.removeFirst(), output[index]))
      }
    }
    return removed.isEmpty ? result : nil
  }
}
