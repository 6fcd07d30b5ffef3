/// A job that may run now, and whether it belongs on the main actor. One word: jobs are aligned, so
/// the lowest bit is free to say so.
struct ReadyJob: BitwiseCopyable, Equatable {
  private let bits: UInt

  init(_ job: UnownedJob, onMain: Bool) {
    bits = unsafeBitCast(job, to: UInt.self) | (onMain ? 1 : 0)
  }

  var job: UnownedJob { unsafeBitCast(bits & ~1, to: UnownedJob.self) }
  var onMain: Bool { bits & 1 != 0 }
  /// An even number; that of an `Alarm` is odd.
  var id: UInt64 { UInt64(bits & ~1) }
}
