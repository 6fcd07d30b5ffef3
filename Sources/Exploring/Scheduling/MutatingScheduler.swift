import RehearsalBase
import Staging

/// Repeats a run that showed something new, with a few other decisions. After one of them, it follows the earlier run, or
/// chooses at random.
///
/// The seed draws the run and the decisions, so the same runs and the same seed give the same choices.
final class MutatingScheduler: SearchScheduler {
  private let parents: [Schedule]
  private var generator = SplitMix64(seed: 0)
  private var parent: [Int] = []
  private var changed: Set<Int> = []
  /// The decision from which on all are random.
  private var end = 0

  /// Maximum number of changed decisions.
  private static let mostChanges = 3

  /// - Parameter parents: the earlier runs; at least one.
  init(_ parents: [Schedule]) { self.parents = parents }

  /// Whether the run of a seed changes an earlier run. It depends on the seed only, so that every part of a search decides
  /// in the same way.
  static func isChosen(by seed: UInt64) -> Bool {
    var generator = SplitMix64(seed: ~seed)
    return generator.next(below: 2) == 0
  }

  override func begin(seed: UInt64) -> Bool {
    generator = SplitMix64(seed: seed)
    parent = parents[generator.next(below: parents.count)].choices
    changed = []
    for _ in 0...generator.next(below: Self.mostChanges) {
      changed.insert(generator.next(below: parent.count + 1))
    }
    end = generator.next(below: 2) == 0 ? changed.min() ?? 0 : parent.count
    return super.begin(seed: seed)
  }

  /// The choice of the earlier run; nil if the decision is random.
  private var inherited: Int? {
    let place = choices.count
    return place < end && place < parent.count && !changed.contains(place) ? parent[place] : nil
  }

  override func decide(among count: Int) -> Int {
    inherited.map { min($0, count - 1) } ?? generator.next(below: count)
  }

  override func decide(among count: Int, marked: [Int]) -> Int {
    inherited.map { min($0, count - 1) } ?? generator.next(below: count, marked: marked)
  }
}
