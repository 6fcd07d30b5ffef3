/// Parses the notation of regular expressions.
struct ExpressionParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  mutating func parse() throws(ExpressionProblem) -> Expression.Node {
    let node = try choice()
    if let left = peek { throw .unexpected(String(left)) }
    return node
  }

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  private mutating func next() -> Unicode.Scalar? {
    defer { position += 1 }
    return peek
  }

  private mutating func choice() throws(ExpressionProblem) -> Expression.Node {
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() throws(ExpressionProblem) -> Expression.Node {
    var nodes: [Expression.Node] = []
    while let scalar = peek, scalar != "|", scalar != ")" {
      nodes.append(try repetition(of: try atom()))
    }
    return .sequence(nodes)
  }

  private mutating func atom() throws(ExpressionProblem) -> Expression.Node {
    guard let scalar = next() else { return .sequence([]) }
    switch scalar {
    case ".": return .set(.any)
    case "(": return try group()
    case "[": return .set(try bracket())
    case "\\": return .set(try escape())
    case "*", "+", "?": throw .unexpected(String(scalar))
    case "^", "$": throw .unsupported(String(scalar))
    default: return .set(Self.single(scalar))
    }
  }

  private mutating func group() throws(ExpressionProblem) -> Expression.Node {
    if take("?"), !take(":") { throw .unsupported("(?" + (peek.map { String($0) } ?? "")) }
    depth += 1
    if depth > 50 { throw .tooLarge }
    let node = try choice()
    depth -= 1
    guard take(")") else { throw .unclosed("(") }
    return node
  }

  private static func single(_ scalar: Unicode.Scalar) -> ScalarSet {
    ScalarSet(ranges: [scalar.value...scalar.value])
  }

  private mutating func escape() throws(ExpressionProblem) -> ScalarSet {
    guard let scalar = next() else { throw .unexpected("\\") }
    switch scalar {
    case "d": return .digits
    case "w": return .words
    case "s": return .blanks
    case "D": return ScalarSet(ranges: ScalarSet.digits.ranges, isNegated: true)
    case "W": return ScalarSet(ranges: ScalarSet.words.ranges, isNegated: true)
    case "S": return ScalarSet(ranges: ScalarSet.blanks.ranges, isNegated: true)
    case "t": return Self.single("\t")
    case "a"..."z", "A"..."Z", "0"..."9": throw .unsupported("\\" + String(scalar))
    default: return Self.single(scalar)
    }
  }

  private mutating func bracket() throws(ExpressionProblem) -> ScalarSet {
    var set = ScalarSet(ranges: [], isNegated: take("^"))
    var isFirst = true
    while isFirst || peek != "]" {
      isFirst = false
      guard let scalar = next() else { throw .unclosed("[") }
      let low = scalar == "\\" ? try escape() : Self.single(scalar)
      guard peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]",
        let from = low.onlyScalar
      else {
        set.ranges += low.positiveRanges
        continue
      }
      position += 1
      set.ranges.append(try range(from: from))
    }
    position += 1
    return set
  }

  private mutating func range(from: UInt32) throws(ExpressionProblem) -> ClosedRange<UInt32> {
    guard let scalar = next() else { throw .unclosed("[") }
    let high = scalar == "\\" ? try escape() : Self.single(scalar)
    guard let to = high.onlyScalar else { throw .unexpected("-") }
    guard from <= to else {
      let ends = [from, to].compactMap(Unicode.Scalar.init).map { String($0) }
      throw .badRange(ends.joined(separator: "-"))
    }
    return from...to
  }

  private mutating func repetition(
    of node: Expression.Node
  ) throws(ExpressionProblem) -> Expression.Node {
    var node = node
    var isRepeated = false
    while let range = try repetitionRange() {
      if isRepeated { throw .unexpected(String(scalars[position - 1])) }
      node = .repeated(node, range, lazily: take("?"))
      isRepeated = true
    }
    return node
  }

  private mutating func repetitionRange() throws(ExpressionProblem) -> ClosedRange<Int>? {
    if take("*") { return 0...Int.max }
    if take("+") { return 1...Int.max }
    if take("?") { return 0...1 }
    let start = position
    guard take("{"), let low = number() else {
      position = start  // A brace without a number is literal.
      return nil
    }
    var high = low
    if take(",") { high = number() ?? .max }
    guard take("}") else {
      position = start
      return nil
    }
    let bound = high == .max ? low : high
    guard bound <= Expression.repetitionLimit else { throw .tooLarge }
    guard low <= high else { throw .badRange("{\(low),\(high)}") }
    return low...high
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let scalar = peek, ("0"..."9").contains(scalar) {
      value = min((value ?? 0) * 10 + Int(scalar.value - 48), Expression.repetitionLimit + 1)
      position += 1
    }
    return value
  }
}

extension ScalarSet {
  /// The only character of the set; nil if it has more.
  fileprivate var onlyScalar: UInt32? {
    guard !isNegated, ranges.count == 1, let range = ranges.first, range.count == 1 else {
      return nil
    }
    return range.lowerBound
  }
}
