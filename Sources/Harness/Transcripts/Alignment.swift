/// Which expected line belongs to which printed line: what a difference shows and an update keeps.
struct Alignment {
  enum Step: Equatable {
    /// An expected line that still means a printed line, or that `...` holds.
    case keep(expected: Int, actual: Int)
    /// `...` itself, which stays, whatever it takes.
    case keepAnyLines(expected: Int)
    /// A printed line that `...` takes.
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

  /// Pairs of lines that are compared at most; beyond them all lines count as different.
  static let pairLimit = 250_000

  /// Beyond so many pairs the lines at both ends that are as expected count as such, also where a pattern means one
  /// that stands literally elsewhere.
  private static let carefulLimit = 10_000

  /// How often lines are aligned at most, each time with what the time before has captured.
  private static let roundLimit = 3

  private(set) var steps: [Step] = []
  /// What is captured behind the last line: what was before, and what the lines that stay have captured.
  private(set) var captures: Captures

  /// The cheapest way from what was expected to what was printed. Where several are, as many lines stay as can, and
  /// those that say more: without patterns first, and then with more text of their own.
  ///
  /// What a line that stays captures counts for those below it.
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

  /// Matches the lines that stay from the first to the last, as a replay does; those that do not match then
  /// are changed, or stay all the same.
  ///
  /// - Returns: what has been captured above each expected line.
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

  /// Finds the steps, with what has been captured above each expected line.
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

  /// Puts the removed lines of each run of changes in front of the inserted ones.
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

/// Why an expected line stands for a printed one, if it does.
private enum Match {
  case literal, pattern, none
}

extension Expectation.Meaning {
  /// How little a line says that stands for another: much where it has little text of its own.
  fileprivate var vagueness: Int {
    if case .pattern(let pattern) = self {
      max(1, CostTable.vaguest - pattern.literalCount)
    } else {
      0
    }
  }
}

/// The cost of the rest of an alignment from every pair of places, and the first step of each.
private struct CostTable {
  /// In the order in which they are preferred at equal cost.
  enum Step: UInt8 {
    case keep, replace, leave, take, remove, insert
  }

  /// What half a change costs: more than it is worth that all lines of a table stay.
  private static let unit = 1 << 32
  /// How little a line says at most that stays; that it does is worth more than that.
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
