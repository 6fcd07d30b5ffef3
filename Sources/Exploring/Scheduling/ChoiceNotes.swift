/// The choices of a run, noted as they are made where they outlive the process: in memory that it shares.
package struct ChoiceNotes {
  /// How many choices have room.
  private static let capacity = 1 << 18
  /// How many bytes it takes.
  package static let size = (2 * capacity + 2) * MemoryLayout<UInt32>.size

  private let base: UnsafeMutablePointer<UInt32>

  /// - Parameter base: so many zeros, aligned to a word.
  package init(at base: UnsafeMutableRawPointer) {
    self.base = base.assumingMemoryBound(to: UInt32.self)
  }

  /// Forgets what was noted, since another run begins.
  package func begin() { base[0] = 0 }

  /// Notes all choices of a run that is done again.
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

  /// What was chosen, decision by decision.
  package var choices: [Int] { (0..<count).map { Int(base[2 * $0 + 2]) } }

  /// Of how many.
  package var counts: [Int] { (0..<count).map { Int(base[2 * $0 + 3]) } }
}
