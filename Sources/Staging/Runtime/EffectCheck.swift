import CVirtualTime
import Dispatch

/// Tests whether the stage notices cancellations, jobs and Dispatch work, and which functions the toolchain lacks.
extension Runtime {
  /// Whether `cvt_calls` counts the calls that it is meant to count. It does so only on Linux, and
  /// in a program that links Swift statically only with the linker options in
  /// docs/your-own-code.md. Each kind of call is tried once.
  static let countsEffects: Bool = {
    if SearchNeed.effects.isMissingInTest { return false }
    let stage = StageExecutor(order: .firstInFirstOut, keepsTrace: false)
    return stage.drive {
      defer { while let job = stage.ready.popFirst() { stage.run(job) } }
      return stage.countsCancellations() && stage.countsJobs() && stage.countsSubmissions()
    }
  }()
}

extension StageExecutor {
  fileprivate func countsCancellations() -> Bool {
    let task = Task.detached {
      await withTaskGroup(of: Void.self) { group in group.cancelAll() }
    }
    let cancelsTasks = isCounted(\.cancellations) { task.cancel() }
    let cancelsGroups = isCounted(\.cancellations) {
      if let job = ready.popFirst() { run(job) }
    }
    return cancelsTasks && cancelsGroups
  }

  /// Returns whether jobs that run in each of the three ways are counted.
  fileprivate func countsJobs() -> Bool {
    let ways: [(UnownedJob) -> Void] = [
      { $0.runSynchronously(on: Runtime.genericExecutor) },
      { $0.runSynchronously(on: Runtime.defaultExecutor) },
      {
        $0.runSynchronously(
          isolatedTo: Runtime.genericExecutor,
          taskExecutor: Runtime.defaultExecutor
        )
      },
    ]
    return ways.allSatisfy { run in
      Task.detached {}
      guard let job = ready.popFirst() else { return false }
      return isCounted(\.jobs) { run(job.job) }
    }
  }

  /// Returns whether work for Dispatch is counted. The queue is never activated, so no thread
  /// starts. It is never released, because a queue must not be released before its activation.
  fileprivate func countsSubmissions() -> Bool {
    let queue = DispatchQueue(label: "probe", attributes: .initiallyInactive)
    _ = Unmanaged.passRetained(queue)
    return isCounted(\.submissions) { queue.async {} }
  }

  private func isCounted(_ count: KeyPath<cvt_calls, UInt64>, _ body: () -> Void) -> Bool {
    let before = cvt_current_calls()[keyPath: count]
    body()
    return cvt_current_calls()[keyPath: count] > before
  }
}

extension Stage {
  /// What stays in real time because the toolchain lacks a function that Rehearse replaces:
  /// `'dispatch_async' is missing: the block runs in real time`. Empty on the tested toolchains. Looked up once.
  package static let gapsOfToolchain: [String] = {
    var gaps: [String] = []
    var place: Int32 = 0
    while let function = cvt_missing_function(&place)?.pointee {
      let name = String(cString: function.name)
      gaps.append("'\(name)' is missing: \(String(cString: function.effect))")
    }
    return gaps
  }()
}
