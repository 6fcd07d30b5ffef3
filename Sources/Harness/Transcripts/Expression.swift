/// A regular expression: its syntax tree and its limits.
///
/// The usual notation: `.`, `[a-z]`, `[^…]`, `\d \w \s` and their capitals, `( )`, `(?: )`, `|`,
/// `* + ? {2} {2,} {2,5}`, and each of these with `?` for as few as possible. An expression always
/// matches the whole placeholder, so there are no anchors. There are no look-arounds and no
/// back-references. The standard library's `Regex` has them, but it backtracks: an expression such as
/// `(a+)+b` would hang the harness, and nothing can interrupt it.
struct Expression: Equatable {
  indirect enum Node: Equatable {
    case set(ScalarSet)
    case sequence([Node])
    case choice([Node])
    case repeated(Node, ClosedRange<Int>, lazily: Bool)
  }

  /// Maximum of a counted repetition; a larger one is refused as a mistake.
  static let repetitionLimit = 1_000

  let root: Node

  /// Parses an expression.
  init(_ text: ArraySlice<UInt8>) throws(ExpressionProblem) {
    var parser = ExpressionParser(String(decoding: text, as: UTF8.self))
    root = try parser.parse()
    var size = 0
    try Self.measure(root, times: 1, &size)
  }

  /// Adds up the instructions for a node, and stops at the limit.
  private static func measure(
    _ node: Node,
    times: Int,
    _ size: inout Int
  ) throws(ExpressionProblem) {
    size += times
    if size > ExpressionProgram.sizeLimit / 2 { throw .tooLarge }
    switch node {
    case .set: break
    case .sequence(let nodes), .choice(let nodes):
      for node in nodes { try measure(node, times: times, &size) }
    case .repeated(let node, let range, _):
      let count = range.upperBound == .max ? range.lowerBound + 1 : range.upperBound
      try measure(node, times: times * max(count, 1), &size)
    }
  }
}

/// The characters that one position of an expression accepts.
struct ScalarSet: Equatable {
  var ranges: [ClosedRange<UInt32>]
  var isNegated = false

  static let any = ScalarSet(ranges: [], isNegated: true)
  static let digits = ScalarSet(ranges: [0x30...0x39])
  static let words = ScalarSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let blanks = ScalarSet(ranges: [0x09...0x0D, 0x20...0x20])

  func contains(_ scalar: UInt32) -> Bool {
    for range in ranges where range.contains(scalar) { return !isNegated }
    return isNegated
  }

  /// The same characters as ranges that are not negated.
  var positiveRanges: [ClosedRange<UInt32>] {
    guard isNegated else { return ranges }
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
      next = max(next, range.upperBound + 1)
    }
    if next <= 0x10FFFF { result.append(next...0x10FFFF) }
    return result
  }
}
