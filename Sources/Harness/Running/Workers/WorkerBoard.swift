import Synchronization
import Workers

/// The memory that all workers of a run share: the next place of the run, the first place that failed, and the results
/// of each place. Transcripts that pass cost no message.
struct WorkerBoard {
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

  /// The results of one place. Only the worker that plays its file writes them, and they are read when no worker is
  /// left.
  private struct Play {
    var passed: UInt32
    var microseconds: UInt32
    /// 1 when all transcripts of the file have been played.
    var isFinished: UInt32
  }

  private var plays: UnsafeMutablePointer<Play> {
    (region.base + Self.playsOffset).assumingMemoryBound(to: Play.self)
  }

  /// Takes the next place; nil if none is left that matters.
  func takeNext() -> Int? {
    let place = counter(0).pointee.add(1, ordering: .relaxed).oldValue
    return place < placeCount && place <= firstFailure ? place : nil
  }

  /// How many places were taken.
  var taken: Int { min(placeCount, counter(0).pointee.load(ordering: .relaxed)) }

  /// The first place whose failure ends the run.
  var firstFailure: Int { counter(64).pointee.load(ordering: .relaxed) }

  /// Ends the run after a place. The places before it are still played, so that the outcome does not depend on the speed
  /// of the workers.
  func stop(after place: Int) {
    counter(64).pointee.min(place, ordering: .relaxed)
  }

  func countPass(_ place: Int) { plays[place].passed += 1 }

  func add(microseconds: Int, _ place: Int) {
    plays[place].microseconds &+= UInt32(clamping: microseconds)
  }

  /// Notes that all transcripts of the file were played.
  func finish(_ place: Int) { plays[place].isFinished = 1 }

  func isFinished(_ place: Int) -> Bool { plays[place].isFinished == 1 }

  /// Number of transcripts in one file that passed.
  func passes(_ place: Int) -> Int { Int(plays[place].passed) }

  /// The real time of one file.
  func microseconds(_ place: Int) -> Int { Int(plays[place].microseconds) }
}
