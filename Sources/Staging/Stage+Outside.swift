import CVirtualTime
import Synchronization

/// Waits for operations outside of a stage while its time stands still, and runs code as if there were no stage.
extension Stage {
  /// Whether operations outside of the stage are in flight, such as requests over a socket.
  package var waitsForOutside: Bool { executor.outsideCount.load(ordering: .acquiring) > 0 }

  /// Waits for an operation outside of the stage, such as a socket. Meanwhile virtual time stands
  /// still, and the driving thread waits.
  ///
  /// `body` continues on the stage, whichever thread resumes it. Cancellation has the effect that
  /// `body` gives it.
  ///
  /// - Throws: the error of `body`.
  public func outside<T>(_ body: () async throws -> T) async rethrows -> T {
    let task = executor.beginOutside()
    defer {
      executor.endOutside(of: task)
      if !isCurrent { executor.inbox.nudge() }
    }
    return try await body()
  }
}

extension Stage {
  /// Runs `body` at once as on a thread without a stage: clocks show real time, and tasks run on
  /// the platform's executors. For a host that measures real time or waits for a real event.
  ///
  /// - Throws: the error of `body`.
  public static func withoutStage<T>(_ body: () throws -> T) rethrows -> T {
    try StageExecutor.leavingThread(body)
  }
}

extension Stage {
  /// Runs `body` at once as on a thread that code of the current stage has started: clocks show real time, and the current
  /// stage takes what blocks that it submits give to the main queue. For a library that lets real threads call code of the
  /// stage.
  package static func asOnItsThread<T>(_ body: () throws -> T) rethrows -> T {
    let before = cvt_exchange_home(cvt_stage_home() ?? cvt_current_home())
    defer { _ = cvt_exchange_home(before) }
    return try StageExecutor.leavingThread(body)
  }

  /// Declares that nothing in the process runs the main queue, the main run loop and the main actor, as in a shell whose main
  /// thread performs commands. So what any thread outside of the stages gives to them belongs to the newest open stage. Call
  /// it before the first stage is made.
  package static func takeMainQueueOfProcess() { cvt_take_main_queue() }
}
