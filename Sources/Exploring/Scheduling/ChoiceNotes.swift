/// The choices of a run in memory that outlives the process, because another process shares it.
package struct ChoiceNotes {
  /// Maximum number of choices.
  private static let capacity = 1 << 18
  /// The size in bytes.
  package static let size = (2 * capacity + 2) * MemoryLayout<UInt32>.size

  private let base: UnsafeMutablePointer<UInt32>

  /// - Parameter base: zeroed memory of `size` bytes, aligned to a word.
  package init(at base: UnsafeMutableRawPointer) {
    self.base = base.assumingMemoryBound(to: UInt32.self)
  }

  /// Removes all choices, because another run begins.
  package func begin() { base[0] = 0 }

  /// Notes all choices of a run that is replayed.
  package func begin(_ schedule: Schedule) {
    begin()
    for (place, choice) in schedule.choices.enumerated() { add(choice, of: 0, at: place) }
  }

  @inline(__always) func add(_ choice: Int, of count: Int, at place: Int) {
    guard place < Self.capacity else { return }
    base[2 * place + 2] = UInt32(clamping: choice)
    base[2 * place + 3] = UInt32(clamping: count)
    base[0] = UInt32(place + 1)
  }

  private var count: Int { min(Int(base[0]), Self.capacity) }

  /// The choices of the run.
  package var choices: [Int] { (0..<count).map { Int(base[2 * $0 + 2]) } }

  /// The number of possible choices at each decision.
  package var counts: [Int] { (0..<count).map { Int(base[2 * $0 + 3]) } }
}
