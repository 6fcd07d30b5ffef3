import CVirtualTime

/// Suspends a task on the stage's own clock, until a time, its cancellation, or the end of the stage.
extension StageExecutor {
  /// Suspends the running task of this stage until `deadline`.
  ///
  /// A million sleeping tasks need a million frames of this function, so it registers for
  /// cancellation without a closure. The registration is freed in the reverse order of allocation:
  /// the function is neither generic nor inlined, so that it allocates nothing else.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, and when the stage is closed.
  @inline(never)
  nonisolated(nonsending) func sleep(until deadline: Int64) async throws {
    if isClosed { try await refuseSleep() }
    let place = reservePlace()
    let registered = cvt_begin_sleep(cvt_sleep(place, of: self)) { sleep in
      sleep.executor.cancelSleep(sleep.place)
    }
    defer { withExtendedLifetime(self) { cvt_end_sleep(registered) } }
    try await withUnsafeThrowingContinuation { continuation in
      park(continuation, in: place, until: deadline)
    }
  }
}

extension StageExecutor {
  /// Suspends before it throws: otherwise a loop that ignores errors would never return to the code
  /// that closes the stage and counts its jobs.
  private nonisolated(nonsending) func refuseSleep() async throws -> Never {
    await Task.yield()
    throw CancellationError()
  }
}

extension cvt_sleep {
  fileprivate init(_ place: SleeperID, of stage: StageExecutor) {
    let stage = Unmanaged.passUnretained(stage).toOpaque()
    self.init(stage: stage, sequence: place.sequence, slot: place.slot)
  }

  /// Valid while the sleep is registered: the sleeping task keeps it alive.
  fileprivate var executor: StageExecutor {
    Unmanaged<StageExecutor>.fromOpaque(stage).takeUnretainedValue()
  }

  fileprivate var place: SleeperID { SleeperID(slot: slot, sequence: sequence) }
}
