/// A line pattern as instructions for a machine that follows all alternatives at once.
///
/// Thompson's construction with Pike's bookkeeping of captures: every step looks at each
/// instruction at most once, so the time is the length of the line times the length of the program.
struct ExpressionProgram {
  enum Instruction {
    case one(UInt32)
    case set(ScalarSet)
    case split(preferred: Int, other: Int)
    case jump(Int)
    case save(Int)
    case match
  }

  /// Instructions that a line's pattern may become.
  static let sizeLimit = 4_000

  private(set) var instructions: [Instruction] = []
  private(set) var slotCount = 0
  private(set) var isTooLarge = false

  mutating func add(literal text: [UInt8]) {
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      append(.one(scalar.value))
    }
  }

  mutating func addAnyText() {
    add(.repeated(.set(.any), 0...Int.max, lazily: true))
  }

  mutating func addCapture(_ node: Expression.Node, slot: Int) {
    append(.save(slot))
    add(node)
    append(.save(slot + 1))
  }

  mutating func finish(slots: Int) {
    append(.match)
    slotCount = slots
  }

  mutating func add(_ node: Expression.Node) {
    switch node {
    case .set(let set):
      if !set.isNegated, set.ranges.count == 1, let only = set.ranges.first, only.count == 1 {
        append(.one(only.lowerBound))
      } else {
        append(.set(set))
      }
    case .sequence(let nodes): for node in nodes { add(node) }
    case .choice(let nodes): add(choice: nodes[...])
    case .repeated(let node, let range, let lazily): add(node, range, lazily)
    }
  }

  private mutating func add(choice nodes: ArraySlice<Expression.Node>) {
    guard let first = nodes.first else { return }
    guard nodes.count > 1 else { return add(first) }
    let split = append(.jump(0))
    add(first)
    let leave = append(.jump(0))
    set(split, .split(preferred: split + 1, other: instructions.count))
    add(choice: nodes.dropFirst())
    set(leave, .jump(instructions.count))
  }

  private mutating func add(_ node: Expression.Node, _ range: ClosedRange<Int>, _ lazily: Bool) {
    for _ in 0..<range.lowerBound { add(node) }
    if range.upperBound == .max {
      let split = append(.jump(0))
      add(node)
      append(.jump(split))
      set(split, branch(split + 1, instructions.count, lazily))
      return
    }
    var splits: [Int] = []
    for _ in range.lowerBound..<range.upperBound where !isTooLarge {
      splits.append(append(.jump(0)))
      add(node)
    }
    for split in splits { set(split, branch(split + 1, instructions.count, lazily)) }
  }

  private func branch(_ inside: Int, _ outside: Int, _ lazily: Bool) -> Instruction {
    lazily
      ? .split(preferred: outside, other: inside) : .split(preferred: inside, other: outside)
  }

  private mutating func set(_ index: Int, _ instruction: Instruction) {
    if index < instructions.count { instructions[index] = instruction }
  }

  @discardableResult private mutating func append(_ instruction: Instruction) -> Int {
    // A long literal beside expressions is bounded by the line; expressions are by `measure`.
    if instructions.count > Self.sizeLimit + 100_000 { isTooLarge = true }
    if !isTooLarge { instructions.append(instruction) }
    return instructions.count - 1
  }
}
