import Synchronization
import Workers

/// The shared memory of all workers of a run: the next position, the first failed position, which positions are
/// finished, and their results. A transcript that passes sends no message.
struct SharedRunState {
  private static let playsOffset = 128

  let placeCount: Int
  private let region: SharedRegion

  /// Maps the memory; nil if the system has none.
  init?(placeCount: Int) {
    let size = Self.playsOffset + placeCount * MemoryLayout<Play>.stride
    guard let region = SharedRegion(size: size) else { return nil }
    self.region = region
    self.placeCount = placeCount
    counter(0).initialize(to: Atomic(0))
    counter(64).initialize(to: Atomic(Int.max))
  }

  func unmap() { region.unmap() }

  private func counter(_ offset: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    (region.base + offset).assumingMemoryBound(to: Atomic<Int>.self)
  }

  /// The results of one position. Only the worker that plays the file writes them. They are read when all workers have
  /// ended.
  private struct Play {
    var passed: UInt32
    var microseconds: UInt32
    /// 1 if all transcripts of the file have been played.
    var isFinished: UInt32
  }

  private var plays: UnsafeMutablePointer<Play> {
    (region.base + Self.playsOffset).assumingMemoryBound(to: Play.self)
  }

  /// Claims the next position; nil if there is no more to play.
  func takeNext() -> Int? {
    let place = counter(0).pointee.add(1, ordering: .relaxed).oldValue
    return place < placeCount && place <= firstFailure ? place : nil
  }

  /// Number of claimed positions.
  var taken: Int { min(placeCount, counter(0).pointee.load(ordering: .relaxed)) }

  /// The first position whose failure ends the run.
  var firstFailure: Int { counter(64).pointee.load(ordering: .relaxed) }

  /// Ends the run after a position. Earlier positions are still played, so that the result does not depend on the speed
  /// of the workers.
  func stop(after place: Int) {
    counter(64).pointee.min(place, ordering: .relaxed)
  }

  func countPass(_ place: Int) { plays[place].passed += 1 }

  func add(microseconds: Int, _ place: Int) {
    plays[place].microseconds &+= UInt32(clamping: microseconds)
  }

  /// Marks that all transcripts of the file were played.
  func finish(_ place: Int) { plays[place].isFinished = 1 }

  func isFinished(_ place: Int) -> Bool { plays[place].isFinished == 1 }

  /// Returns the number of passed transcripts of a file.
  func passes(_ place: Int) -> Int { Int(plays[place].passed) }

  /// Returns the real time of a file.
  func microseconds(_ place: Int) -> Int { Int(plays[place].microseconds) }
}
