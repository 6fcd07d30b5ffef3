import Synchronization

/// How far one worker has come, in memory that outlives it.
///
/// A worker that crashed or was killed cannot say what it was doing. It writes here as it goes,
/// and the process that watches it reads when it is gone. The worker alone writes, except for
/// `reset` while there is no worker; only `sequence` is read while it runs, and is atomic.
struct ProgressSlot {
  /// Bytes that a slot takes: numbers, then the newest output of the command under way. All that is compared has room,
  /// each line with its end; the system gives memory only where something is written.
  static let size = headerSize + 2 * OutputLines.limitInBytes
  private static let headerSize = 64

  private let base: UnsafeMutableRawPointer

  /// - Parameter base: the start of `size` bytes of zeros, aligned to a word.
  init(at base: UnsafeMutableRawPointer) {
    self.base = base
    base.bindMemory(to: Atomic<Int>.self, capacity: 1).initialize(to: Atomic(0))
    reset()
  }

  /// Counts the transcripts that were begun.
  var sequence: Int { counter.pointee.load(ordering: .acquiring) }
  /// The place in the run, whose file is under way, or -1 between two.
  var place: Int { self[1] }
  /// The index of the fence under way within its file.
  var fence: Int { self[2] }
  /// The line, in the file, of the command under way; 0 before the first.
  var line: Int { self[3] }

  /// A number for what the file under way held when it was read; 0 while it is read.
  var content: UInt64 { UInt64(bitPattern: Int64(self[5])) }

  /// What the command under way has printed.
  var output: NewestLines {
    NewestLines(at: base + Self.headerSize, size: Self.size - Self.headerSize)
  }

  /// Whether the stack of the worker has overflowed.
  var hasOverflowed: Bool { self[4] == 1 }
  /// Where a worker notes that, in a handler of signals.
  var overflowNote: UnsafeMutablePointer<Int> {
    (base + 4 * 8).bindMemory(to: Int.self, capacity: 1)
  }

  private var counter: UnsafeMutablePointer<Atomic<Int>> {
    base.assumingMemoryBound(to: Atomic<Int>.self)
  }

  private subscript(_ word: Int) -> Int {
    get { base.load(fromByteOffset: word * 8, as: Int.self) }
    nonmutating set { base.storeBytes(of: newValue, toByteOffset: word * 8, as: Int.self) }
  }

  /// Forgets what was under way.
  func reset() {
    self[1] = -1
    self[4] = 0
    begin(line: 0)
  }

  func begin(place: Int, fence: Int) {
    self[2] = fence
    self[1] = place
    self[5] = 0
    begin(line: 0)
    counter.pointee.store(sequence + 1, ordering: .releasing)
  }

  func note(content: UInt64) { self[5] = Int(Int64(bitPattern: content)) }

  func begin(line: Int) {
    self[3] = line
    output.removeAll()
  }
}
