/// The assignment of expected lines to printed lines, for a difference or an update.
struct Alignment {
  enum Step: Equatable {
    /// An expected line that matches a printed line, or that `...` matches.
    case keep(expected: Int, actual: Int)
    /// A line `...`, which stays whatever it matches.
    case keepAnyLines(expected: Int)
    /// A printed line that `...` matches.
    case taken(actual: Int)
    case remove(expected: Int)
    case insert(actual: Int)

    var isExpected: Bool {
      switch self {
      case .keep, .keepAnyLines, .remove: true
      case .taken, .insert: false
      }
    }
  }

  /// Maximum number of compared pairs of lines; above it all lines count as different.
  static let pairLimit = 250_000

  /// Number of pairs above which equal lines at both ends are not aligned, even if a pattern matches a line that is
  /// literally expected elsewhere.
  private static let carefulLimit = 10_000

  /// Maximum number of alignments, each with the captures of the one before.
  private static let roundLimit = 3

  private(set) var steps: [Step] = []
  /// The captures after the last line: the given ones, and those of the lines that stay.
  private(set) var captures: Captures

  /// Finds the cheapest alignment. Among equally cheap ones it keeps as many lines as possible, and prefers the more
  /// specific ones: lines without patterns, then lines with more literal text.
  ///
  /// Lines below a kept line use its captures.
  init(_ expectation: Expectation, _ output: [[UInt8]], _ captures: Captures) {
    self.captures = captures
    var known = Array(repeating: captures, count: expectation.lines.count)
    align(expectation, output, known)
    for _ in 1..<Self.roundLimit where expectation.hasReferences {
      let found = walk(expectation, output, captures, keepsAll: true)
      if found == known { break }
      known = found
      align(expectation, output, known)
    }
    _ = walk(expectation, output, captures, keepsAll: !expectation.hasReferences)
  }

  /// Matches the kept lines from first to last, as a replay does. A line that then does not match is changed, or is kept
  /// anyway.
  ///
  /// - Returns: the captures above each expected line.
  private mutating func walk(
    _ expectation: Expectation,
    _ output: [[UInt8]],
    _ captures: Captures,
    keepsAll: Bool
  ) -> [Captures] {
    self.captures = captures
    var above: [Captures] = []
    var walked: [Step] = []
    for step in steps {
      if step.isExpected { above.append(self.captures) }
      if case .keep(let expected, let actual) = step,
        !expectation.line(expected, matches: output[actual], &self.captures), !keepsAll
      {
        walked += [.remove(expected: expected), .insert(actual: actual)]
      } else {
        walked.append(step)
      }
    }
    steps = Self.removalsFirst(walked)
    return above
  }

  /// Finds the steps, given the captures above each expected line.
  private mutating func align(
    _ expectation: Expectation,
    _ output: [[UInt8]],
    _ captures: [Captures]
  ) {
    steps = []
    let match = { (expected: Int, actual: Int) -> Match in
      if expectation.lines[expected].text == output[actual] { return .literal }
      var captures = captures[expected]
      let isMeant = expectation.line(expected, matches: output[actual], &captures)
      return isMeant ? .pattern : .none
    }
    let count = expectation.lines.count
    var (start, tail) = (0, 0)
    func widen(_ isSame: (Int, Int) -> Bool) {
      while start < min(count, output.count) - tail, isSame(start, start) { start += 1 }
      while tail < min(count, output.count) - start,
        isSame(count - 1 - tail, output.count - 1 - tail)
      {
        tail += 1
      }
    }
    widen { expectation.lines[$0].text == output[$1] }
    if (count - start - tail) * (output.count - start - tail) > Self.carefulLimit {
      widen { match($0, $1) != .none }
    }
    for index in 0..<start { steps.append(.keep(expected: index, actual: index)) }
    align(expectation, start..<count - tail, start..<output.count - tail, match)
    for index in (0..<tail).reversed() {
      steps.append(.keep(expected: count - 1 - index, actual: output.count - 1 - index))
    }
  }

  private mutating func align(
    _ expectation: Expectation,
    _ expected: Range<Int>,
    _ actual: Range<Int>,
    _ match: (Int, Int) -> Match
  ) {
    guard expected.count * actual.count <= Self.pairLimit else {
      steps += expected.map { .remove(expected: $0) } + actual.map { .insert(actual: $0) }
      return
    }
    let table = CostTable(expectation, expected, actual, match)
    var (row, column) = (0, 0)
    var middle: [Step] = []
    while row < expected.count || column < actual.count {
      let step = table.step(row, column)
      switch step {
      case .keep:
        middle.append(
          .keep(expected: expected.lowerBound + row, actual: actual.lowerBound + column)
        )
      case .replace:
        middle.append(.remove(expected: expected.lowerBound + row))
        middle.append(.insert(actual: actual.lowerBound + column))
      case .take: middle.append(.taken(actual: actual.lowerBound + column))
      case .leave: middle.append(.keepAnyLines(expected: expected.lowerBound + row))
      case .remove: middle.append(.remove(expected: expected.lowerBound + row))
      case .insert: middle.append(.insert(actual: actual.lowerBound + column))
      }
      if step != .insert, step != .take { row += 1 }
      if step != .remove, step != .leave { column += 1 }
    }
    steps += Self.removalsFirst(middle)
  }

  /// Moves the removed lines of each run of changes before the inserted ones.
  private static func removalsFirst(_ steps: [Step]) -> [Step] {
    var result: [Step] = []
    var inserted: [Step] = []
    for step in steps {
      switch step {
      case .insert: inserted.append(step)
      case .remove: result.append(step)
      case .keep, .keepAnyLines, .taken:
        result += inserted
        inserted = []
        result.append(step)
      }
    }
    return result + inserted
  }
}

/// Why an expected line matches a printed one.
private enum Match {
  case literal, pattern, none
}

extension Expectation.Meaning {
  /// A measure of how unspecific a matching line is: high if it has little literal text.
  fileprivate var vagueness: Int {
    if case .pattern(let pattern) = self {
      max(1, CostTable.vaguest - pattern.literalCount)
    } else {
      0
    }
  }
}

/// The cost of the rest of an alignment from every pair of positions, with the first step of each.
private struct CostTable {
  /// Ordered by preference at equal cost.
  enum Step: UInt8 {
    case keep, replace, leave, take, remove, insert
  }

  /// Half the cost of a change: more than the benefit of keeping all lines of a table.
  private static let unit = 1 << 32
  /// The maximum vagueness of a kept line, less than the benefit of keeping it.
  fileprivate static let vaguest = 1_000

  private let width: Int
  private var steps: [Step]

  init(
    _ expectation: Expectation,
    _ expected: Range<Int>,
    _ actual: Range<Int>,
    _ match: (Int, Int) -> Match
  ) {
    let unit = Self.unit
    width = actual.count + 1
    steps = Array(repeating: .insert, count: width * (expected.count + 1))
    var below = (0..<width).map { 2 * unit * (actual.count - $0) }
    for row in (0..<expected.count).reversed() {
      var costs = below
      let meaning = expectation.lines[expected.lowerBound + row].meaning
      let anyLines = meaning == .anyLines
      for column in (0..<width).reversed() {
        let going = below[column] + (anyLines ? 0 : 2 * unit)
        var best = (cost: going, step: anyLines ? Step.leave : .remove)
        func consider(_ cost: Int, _ step: Step) {
          if cost < best.cost || cost == best.cost && step.rawValue < best.step.rawValue {
            best = (cost, step)
          }
        }
        if column < actual.count {
          if anyLines {
            consider(costs[column + 1] + unit, .take)
          } else {
            consider(costs[column + 1] + 2 * unit, .insert)
            switch match(expected.lowerBound + row, actual.lowerBound + column) {
            case .literal: consider(below[column + 1] - 2 * Self.vaguest, .keep)
            case .pattern: consider(below[column + 1] - 2 * Self.vaguest + meaning.vagueness, .keep)
            case .none: consider(below[column + 1] + 3 * unit, .replace)
            }
          }
        }
        costs[column] = best.cost
        steps[row * width + column] = best.step
      }
      below = costs
    }
  }

  func step(_ row: Int, _ column: Int) -> Step { steps[row * width + column] }
}

extension Alignment {
  /// The index of the first expected line that differs, or of the last one above unexpected output; -1 if that is above
  /// all lines.
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

  /// Returns the difference for a report.
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
