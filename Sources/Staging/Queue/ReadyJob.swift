/// A job that may run now, with two flags: whether it runs on the main actor, and whether it runs
/// messages of another actor. It is one word: jobs are aligned to 16 bytes, so the lowest bits are
/// free.
struct ReadyJob: BitwiseCopyable, Equatable {
  private static let mainBit: UInt = 1
  private static let actorBit: UInt = 2
  private static let addressBits = ~(mainBit | actorBit)
  private let bits: UInt

  init(_ job: UnownedJob, onMain: Bool) {
    let kind = onMain ? Self.mainBit : Runtime.isActor(job) ? Self.actorBit : 0
    bits = unsafeBitCast(job, to: UInt.self) | kind
  }

  var job: UnownedJob { unsafeBitCast(bits & Self.addressBits, to: UnownedJob.self) }
  var onMain: Bool { bits & Self.mainBit != 0 }
  /// Whether it runs the messages of an actor other than the main actor.
  var isActor: Bool { bits & Self.actorBit != 0 }
  /// An even number. The `id` of an `Alarm` is odd.
  var id: UInt64 { UInt64(bits & Self.addressBits) }
}
