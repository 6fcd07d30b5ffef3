import RehearsalBase

/// Chooses the next ready job of a stage without a scheduler: the first one, at random, or by a list.
struct Chooser {
  private enum Source {
    case first
    case random(SplitMix64)
    case list([Int])
  }

  private var source: Source
  private var made: [Int] = []
  private var position = 0
  private var misread: Stage.Misfit?

  init(_ order: Stage.Order) {
    switch order {
    case .firstInFirstOut: source = .first
    case .shuffled(let seed): source = .random(SplitMix64(seed: seed))
    case .recorded(let choices): source = .list(choices)
    }
  }

  /// Whether the first job always runs next, so that the number of ready jobs is not needed.
  var isFirstInFirstOut: Bool {
    if case .first = source { true } else { false }
  }

  /// The choices so far, without those after the last one that was not the first job.
  var choices: [Int] {
    Array(made[..<((made.lastIndex { $0 != 0 } ?? -1) + 1)])
  }

  /// How a recorded list of choices does not fit this run: a choice that was not possible, or
  /// unused choices.
  var misfit: Stage.Misfit? {
    if let misread { return misread }
    guard case .list(let choices) = source, position < choices.count else { return nil }
    guard choices[position...].contains(where: { $0 != 0 }) else { return nil }
    return .unused(from: position, of: choices.count)
  }

  /// Returns the index of the job that runs next, of at least two.
  mutating func pick(among count: Int) -> Int {
    let choice = next(among: count)
    made.append(choice)
    position += 1
    return choice
  }

  private mutating func next(among count: Int) -> Int {
    switch source {
    case .first:
      return 0
    case .random(var generator):
      let choice = generator.next(below: count)
      source = .random(generator)
      return choice
    case .list(let choices):
      guard position < choices.count else { return 0 }
      let choice = choices[position]
      if choice >= 0, choice < count { return choice }
      misread = misread ?? .absent(choice: choice, among: count, position: position)
      return max(0, min(choice, count - 1))
    }
  }
}
