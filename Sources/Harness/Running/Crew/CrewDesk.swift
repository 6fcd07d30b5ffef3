import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What a member of a crew shares with the process that asks it: memory that outlives either.
package struct CrewDesk: @unchecked Sendable {
  // Numbers that both sides touch are atomic; the notes are written by the member, and read when it is gone.
  private static let headerSize = 64
  private let base: UnsafeMutableRawPointer
  private let size: Int
  /// What the member writes to its standard streams; only in its own process.
  private var captured: CapturedOutput?

  /// The desk as the member sees it.
  func seen(with captured: CapturedOutput) -> CrewDesk {
    var desk = self
    desk.captured = captured
    return desk
  }

  /// Maps the memory, or returns nil when the system has none to give.
  init?(noteSize: Int) {
    size = Self.headerSize + noteSize
    let flags = MAP_SHARED | MAP_ANONYMOUS
    guard let base = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), base != MAP_FAILED
    else { return nil }
    self.base = base
    for place in 0..<3 { counter(place).initialize(to: Atomic(0)) }
  }

  func unmap() { munmap(base, size) }

  private func counter(_ place: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    base.assumingMemoryBound(to: Atomic<Int>.self) + place
  }

  /// Where the member writes what is to be known of it when it is gone: zeros at first.
  package var notes: UnsafeMutableRawPointer { base + Self.headerSize }

  /// Says that another step begins; the limit of time is for each. Steps are counted, and what was written before is
  /// forgotten.
  package func beginStep() {
    _ = captured?.take()
    _ = counter(0).pointee.add(1, ordering: .releasing)
  }

  /// How many steps were begun at this desk, whoever sat there.
  package var steps: Int { counter(0).pointee.load(ordering: .acquiring) }

  /// Whether the member shall answer with what it has.
  package var isStopped: Bool { counter(1).pointee.load(ordering: .relaxed) != 0 }

  func stop(_ isStopped: Bool) { counter(1).pointee.store(isStopped ? 1 : 0, ordering: .relaxed) }

  /// Whether the stack of the member has overflowed.
  var hasOverflowed: Bool { overflowNote.pointee == 1 }
  /// Where it notes that, in a handler of signals.
  var overflowNote: UnsafeMutablePointer<Int> {
    (base + 2 * 8).assumingMemoryBound(to: Int.self)
  }

  /// Makes place for another member.
  func reset() {
    overflowNote.pointee = 0
    stop(false)
  }
}
