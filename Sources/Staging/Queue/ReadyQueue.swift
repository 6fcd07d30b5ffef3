/// A job that may run now, and whether it belongs on the main actor. One word: jobs are aligned, so
/// the lowest bit is free to say so.
struct ReadyJob {
  private let bits: UInt

  init(_ job: UnownedJob, onMain: Bool) {
    bits = unsafeBitCast(job, to: UInt.self) | (onMain ? 1 : 0)
  }

  var job: UnownedJob { unsafeBitCast(bits & ~1, to: UnownedJob.self) }
  var onMain: Bool { bits & 1 != 0 }
}

/// Jobs in the order they came, in a ring that grows by doubling and never shrinks.
struct ReadyQueue: ~Copyable {
  private var storage: UnsafeMutablePointer<ReadyJob>
  private var mask: Int
  private var head = 0
  private(set) var count = 0

  init() {
    storage = .allocate(capacity: 16)
    mask = 15
  }

  deinit { storage.deallocate() }

  mutating func append(_ job: ReadyJob) {
    if count > mask { grow() }
    storage[(head + count) & mask] = job
    count += 1
  }

  mutating func popFirst() -> ReadyJob? {
    guard count > 0 else { return nil }
    let first = storage[head]
    head = (head + 1) & mask
    count -= 1
    return first
  }

  /// The job at a place, which is there.
  subscript(index: Int) -> ReadyJob { storage[(head + index) & mask] }

  /// Takes out the job at `index`, whose place the first one takes. Index 0 keeps the order.
  mutating func remove(at index: Int) -> ReadyJob? {
    guard index < count else { return nil }
    let place = (head + index) & mask
    let chosen = storage[place]
    storage[place] = storage[head]
    head = (head + 1) & mask
    count -= 1
    return chosen
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<ReadyJob>.allocate(capacity: (mask + 1) * 2)
    for index in 0..<count { larger[index] = storage[(head + index) & mask] }
    storage.deallocate()
    storage = larger
    mask = mask * 2 + 1
    head = 0
  }
}
