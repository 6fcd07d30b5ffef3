/// A line pattern, compiled for a machine that follows all alternatives at the same time.
///
/// Thompson's construction with Pike's captures: every step visits each instruction at most once, so the time is
/// proportional to the length of the line times the length of the program.
struct ExpressionProgram {
  enum Instruction {
    case one(UInt32)
    case set(ScalarSet)
    case split(preferred: Int, other: Int)
    case jump(Int)
    case save(Int)
    case match
  }

  /// Maximum number of instructions for one line.
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
    // Literal text is limited by the line length, expressions by `measure`.
    if instructions.count > Self.sizeLimit + 100_000 { isTooLarge = true }
    if !isTooLarge { instructions.append(instruction) }
    return instructions.count - 1
  }
}

extension ExpressionProgram {
  /// Maximum number of steps of a match, far above any reasonable line.
  private static let stepLimit = 50_000_000

  /// Whether a text of this length stays within the limit of steps.
  func canMatch(_ count: Int) -> Bool {
    !isTooLarge && count * instructions.count <= Self.stepLimit
  }

  /// Returns the start and end of each capture if the whole text matches, otherwise nil.
  ///
  /// - Precondition: `canMatch` is true for the length of the text.
  func match(_ text: [UInt32]) -> [Int]? {
    precondition(canMatch(text.count), "The text must be within the limit of `canMatch`.")
    var current = Threads(capacity: instructions.count)
    var next = Threads(capacity: instructions.count)
    add(0, Array(repeating: 0, count: slotCount), at: 0, to: &current)
    for (position, scalar) in text.enumerated() {
      next.removeAll()
      for thread in current.list where accepts(thread.instruction, scalar) {
        add(thread.instruction + 1, thread.slots, at: position + 1, to: &next)
      }
      swap(&current, &next)
      if current.list.isEmpty { return nil }
    }
    return current.list.first {
      if case .match = instructions[$0.instruction] { true } else { false }
    }?
    .slots
  }

  private func accepts(_ index: Int, _ scalar: UInt32) -> Bool {
    switch instructions[index] {
    case .one(let wanted): wanted == scalar
    case .set(let set): set.contains(scalar)
    case .split, .jump, .save, .match: false
    }
  }

  /// Follows all instructions from `start` that need no character, in order of preference.
  private func add(_ start: Int, _ slots: [Int], at position: Int, to threads: inout Threads) {
    var pending = [Thread(instruction: start, slots: slots)]
    while var thread = pending.popLast() {
      guard threads.visit(thread.instruction) else { continue }
      switch instructions[thread.instruction] {
      case .one, .set, .match: threads.list.append(thread)
      case .jump(let target):
        thread.instruction = target
        pending.append(thread)
      case .split(let preferred, let other):
        pending.append(Thread(instruction: other, slots: thread.slots))
        pending.append(Thread(instruction: preferred, slots: thread.slots))
      case .save(let slot):
        thread.slots[slot] = position
        thread.instruction += 1
        pending.append(thread)
      }
    }
  }

  private struct Thread {
    var instruction: Int
    var slots: [Int]
  }

  /// The live alternatives at one position, in order of preference, each instruction once.
  private struct Threads {
    var list: [Thread] = []
    private var generations: [Int]
    private var generation = 1

    init(capacity: Int) {
      generations = Array(repeating: 0, count: capacity)
    }

    mutating func visit(_ instruction: Int) -> Bool {
      if generations[instruction] == generation { return false }
      generations[instruction] = generation
      return true
    }

    mutating func removeAll() {
      list.removeAll(keepingCapacity: true)
      generation += 1
    }
  }
}
