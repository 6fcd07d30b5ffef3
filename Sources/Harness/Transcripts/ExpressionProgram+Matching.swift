extension ExpressionProgram {
  /// Steps a match may take, which no honest line comes near.
  private static let stepLimit = 50_000_000

  /// Whether a text of this length is matched within the limit of steps.
  func canMatch(_ count: Int) -> Bool {
    !isTooLarge && count * instructions.count <= Self.stepLimit
  }

  /// Where each capture begins and ends when the whole text matches, or nil.
  ///
  /// - Precondition: `canMatch` says so for the text's length.
  func match(_ text: [UInt32]) -> [Int]? {
    precondition(canMatch(text.count), "A text beyond the limit must not be tried.")
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

  /// Follows all that needs no character from `start`, the preferred way first.
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

  /// The alternatives alive at one position, in order of preference, each instruction once.
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
