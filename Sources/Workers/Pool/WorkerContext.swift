import Synchronization

/// The memory that a worker shares with its parent process. It outlives the worker.
package struct WorkerContext: @unchecked Sendable {
  // Both sides use the counters, which are atomic. The worker writes the notes; they are read after it has ended.
  private static let headerSize = 64
  private let region: SharedRegion
  /// The output of the worker to its standard streams; only in its own process.
  private var captured: CapturedOutput?

  /// Maps the memory; nil if the system has none.
  init?(noteSize: Int) {
    guard let region = SharedRegion(size: Self.headerSize + noteSize) else { return nil }
    self.region = region
    for place in 0..<4 { counter(place).initialize(to: Atomic(0)) }
  }

  func unmap() { region.unmap() }

  /// Returns the context for the worker.
  func capturing(_ captured: CapturedOutput) -> WorkerContext {
    var context = self
    context.captured = captured
    return context
  }

  private func counter(_ place: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    region.base.assumingMemoryBound(to: Atomic<Int>.self) + place
  }

  /// Notes of the worker about its work, initially zeros.
  package var notes: UnsafeMutableRawPointer { region.base + Self.headerSize }

  /// Begins a step of the request. The time limit applies to each step. Output of earlier steps is dropped.
  package func beginStep() {
    _ = captured?.take()
    _ = counter(0).pointee.add(1, ordering: .releasing)
  }

  /// The number of steps that have begun, in all processes of this worker.
  package var steps: Int { counter(0).pointee.load(ordering: .acquiring) }

  /// Removes and returns the lines that this worker wrote to its standard streams.
  package func takeOutput() -> [String] { captured?.take() ?? [] }

  /// Whether the worker shall answer with the results so far.
  package var isStopped: Bool { counter(1).pointee.load(ordering: .relaxed) != 0 }

  func stop(_ isStopped: Bool) { counter(1).pointee.store(isStopped ? 1 : 0, ordering: .relaxed) }

  /// Whether the stack of the worker has overflowed.
  var hasOverflowed: Bool { overflowNote.pointee == 1 }
  /// Set by a signal handler of the worker.
  var overflowNote: UnsafeMutablePointer<Int> {
    (region.base + 2 * 8).assumingMemoryBound(to: Int.self)
  }

  /// Ends the process after the current answer, so that the next request starts a new one.
  package func retire() { counter(3).pointee.store(1, ordering: .relaxed) }

  var isRetired: Bool { counter(3).pointee.load(ordering: .relaxed) != 0 }

  /// Resets the memory for a new process.
  func reset() {
    overflowNote.pointee = 0
    counter(3).pointee.store(0, ordering: .relaxed)
    stop(false)
  }
}
