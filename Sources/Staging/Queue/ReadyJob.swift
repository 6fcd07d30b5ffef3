/// A job or a block of a Dispatch queue that may run now. It is one word: jobs and objects are aligned to 16 bytes, so
/// the lowest bits are free for flags.
struct ReadyJob: BitwiseCopyable, Equatable {
  private static let mainBit: UInt = 1
  private static let actorBit: UInt = 2
  private static let blockBit: UInt = 4
  private static let addressBits = ~(mainBit | actorBit | blockBit)
  private let bits: UInt

  init(_ job: UnownedJob, onMain: Bool) {
    let kind = onMain ? Self.mainBit : Runtime.isActor(job) ? Self.actorBit : 0
    bits = unsafeBitCast(job, to: UInt.self) | kind
  }

  /// Retains the block until `takeBlock` or `releaseBlock`.
  init(_ block: QueuedBlock) {
    bits =
      UInt(bitPattern: Unmanaged.passRetained(block).toOpaque()) | Self.blockBit
      | (block.queue?.isMain == true ? Self.mainBit : 0)
  }

  /// The job. Only if it is no block.
  var job: UnownedJob { unsafeBitCast(bits & Self.addressBits, to: UnownedJob.self) }
  var onMain: Bool { bits & Self.mainBit != 0 }
  /// Whether it runs the messages of an actor other than the main actor.
  var isActor: Bool { bits & Self.actorBit != 0 }
  var isBlock: Bool { bits & Self.blockBit != 0 }
  /// Whether it only ends a `Task.yield()`.
  var isContinuation: Bool { !isBlock && Runtime.isContinuation(job) }
  /// An even number. The `id` of an `Alarm` is odd.
  var id: UInt64 { UInt64(bits & Self.addressBits) }

  /// The block of a Dispatch queue; nil for a job.
  var block: QueuedBlock? { isBlock ? unmanagedBlock.takeUnretainedValue() : nil }

  func takeBlock() -> QueuedBlock { unmanagedBlock.takeRetainedValue() }

  func releaseBlock() { unmanagedBlock.release() }

  private var unmanagedBlock: Unmanaged<QueuedBlock> {
    unsafeBitCast(bits & Self.addressBits, to: Unmanaged<QueuedBlock>.self)
  }
}
