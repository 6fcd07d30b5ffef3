import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The memory that a runner shares with its workers.
///
/// It holds which place of the run is next, the first that failed, for each how many transcripts of its file
/// passed and how long they took, and a `ProgressSlot` for each worker. Passing transcripts cost no message
/// at all.
struct WorkerBoard {
  private static let slotsOffset = 128

  let placeCount: Int
  let slots: [ProgressSlot]
  private let base: UnsafeMutableRawPointer
  private let size: Int

  /// Maps the memory, or returns nil when the system has none to give.
  init?(placeCount: Int, workers: Int) {
    let plays = Self.slotsOffset + workers * ProgressSlot.size
    size = plays + placeCount * MemoryLayout<Play>.stride
    let flags = MAP_SHARED | MAP_ANONYMOUS
    guard let base = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), base != MAP_FAILED
    else { return nil }
    self.base = base
    self.placeCount = placeCount
    slots = (0..<workers).map {
      ProgressSlot(at: base + Self.slotsOffset + $0 * ProgressSlot.size)
    }
    counter(0).initialize(to: Atomic(0))
    counter(64).initialize(to: Atomic(Int.max))
  }

  func unmap() {
    munmap(base, size)
  }

  private func counter(_ offset: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    (base + offset).assumingMemoryBound(to: Atomic<Int>.self)
  }

  /// What the playing of one file has brought.
  private struct Play {
    var passed: UInt32
    var microseconds: UInt32
    /// 1 when all its transcripts have been played.
    var isFinished: UInt32
  }

  private var plays: UnsafeMutablePointer<Play> {
    (base + Self.slotsOffset + slots.count * ProgressSlot.size)
      .assumingMemoryBound(to: Play.self)
  }

  /// Takes the next place, or nil when there is none left that matters.
  func takeNext() -> Int? {
    let place = counter(0).pointee.add(1, ordering: .relaxed).oldValue
    return place < placeCount && place <= firstFailure ? place : nil
  }

  /// How many places were taken.
  var taken: Int { min(placeCount, counter(0).pointee.load(ordering: .relaxed)) }

  /// The first place whose failure ends the run.
  var firstFailure: Int { counter(64).pointee.load(ordering: .relaxed) }

  /// Ends the run behind a place: those in front of it are still played, so that the outcome does
  /// not depend on which worker was quicker.
  func stop(after place: Int) {
    counter(64).pointee.min(place, ordering: .relaxed)
  }

  /// Counts a transcript that passed; only the worker that plays the file calls this.
  func countPass(_ place: Int) {
    plays[place].passed += 1
  }

  /// Adds to the time that a file took; only the worker that plays it calls this.
  func add(microseconds: Int, _ place: Int) {
    plays[place].microseconds &+= UInt32(clamping: microseconds)
  }

  /// Notes that a file was played to its end; only the worker that plays it calls this.
  func finish(_ place: Int) {
    plays[place].isFinished = 1
  }

  /// Whether a file was played to its end. Read when no worker is left.
  func isFinished(_ place: Int) -> Bool { plays[place].isFinished == 1 }

  /// Transcripts that passed in one file. Read when no worker is left.
  func passes(_ place: Int) -> Int { Int(plays[place].passed) }

  /// The real time that one file took. Read when no worker is left.
  func microseconds(_ place: Int) -> Int { Int(plays[place].microseconds) }
}
