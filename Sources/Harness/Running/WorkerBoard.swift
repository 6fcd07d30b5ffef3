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
/// It holds which file is next, the first file that failed, how many transcripts of each file
/// passed, and a `ProgressSlot` for each worker. Passing transcripts cost no message at all.
struct WorkerBoard {
  private static let slotsOffset = 128

  let fileCount: Int
  let slots: [ProgressSlot]
  private let base: UnsafeMutableRawPointer
  private let size: Int

  /// Maps the memory, or returns nil when the system has none to give.
  init?(fileCount: Int, workers: Int) {
    let passes = Self.slotsOffset + workers * ProgressSlot.size
    size = passes + fileCount * MemoryLayout<UInt32>.stride
    let flags = MAP_SHARED | MAP_ANONYMOUS
    guard let base = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), base != MAP_FAILED
    else { return nil }
    self.base = base
    self.fileCount = fileCount
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

  private var passes: UnsafeMutablePointer<UInt32> {
    (base + Self.slotsOffset + slots.count * ProgressSlot.size)
      .assumingMemoryBound(to: UInt32.self)
  }

  /// Takes the next file, or nil when there is none left that matters.
  func takeNext() -> Int? {
    let index = counter(0).pointee.add(1, ordering: .relaxed).oldValue
    return index < fileCount && index <= firstFailure ? index : nil
  }

  /// How many files were taken.
  var taken: Int { min(fileCount, counter(0).pointee.load(ordering: .relaxed)) }

  /// The index of the first file, by path, whose failure ends the run.
  var firstFailure: Int { counter(64).pointee.load(ordering: .relaxed) }

  /// Ends the run behind a file: those in front of it are still played, so that the outcome does
  /// not depend on which worker was quicker.
  func stop(after file: Int) {
    counter(64).pointee.min(file, ordering: .relaxed)
  }

  /// Counts a transcript that passed; only the worker that plays the file calls this.
  func countPass(_ file: Int) {
    passes[file] += 1
  }

  /// Transcripts that passed in one file. Read when no worker is left.
  func passes(_ file: Int) -> Int { Int(passes[file]) }
}
