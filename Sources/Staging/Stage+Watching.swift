import CVirtualTime
import Synchronization

/// Lets a host detect code on the stage that blocks its thread: ping, stack, and what runs and waits.
extension Stage {
  /// Begins work that is no job but may block the thread like one: for example a command that calls
  /// user code directly.
  ///
  /// - Returns: the value that `endHosting` needs.
  package func beginHosting() -> Bool {
    executor.isHosting.exchange(true, ordering: .acquiringAndReleasing)
  }

  package func endHosting(_ wasHosting: Bool) {
    executor.isHosting.store(wasHosting, ordering: .releasing)
  }

  /// Whether `interrupt` was called and no driving call has stopped for it yet. For any thread; for
  /// a host that does long work between driving calls.
  package var isInterrupted: Bool { executor.inbox.isInterrupted }

  /// Requests an answer from the stage. For any thread.
  package func ping() { executor.inbox.ping() }

  /// Answers `ping`. For a host that does long work other than driving the stage.
  package func answerPing() { executor.inbox.answerPing() }

  /// Returns the instants in a range that have a sleeper: ascending, without duplicates. For code
  /// on the stage.
  package func alarms(from first: StageInstant, through last: StageInstant) -> [StageInstant] {
    let range = first.nanoseconds...max(first.nanoseconds, last.nanoseconds)
    let awaited = executor.sleepers.alarms.alarms.filter {
      range.contains($0.at) && executor.sleepers.isAwaited($0)
    }
    return Set(awaited.map(\.at)).sorted().map { StageInstant(nanoseconds: $0) }
  }

  /// Returns the addresses at which the functions of a thread would continue, the innermost first; empty if the thread does
  /// not answer. For any other thread.
  ///
  /// - Parameter thread: the system's number of the thread.
  /// - Returns: the addresses.
  package static func stack(ofThread thread: Int32) -> [UInt] {
    var stack: [UInt] = []
    // At the beginning of a function, the unwinder does not find the caller. A moment later it may.
    for _ in 0..<mostSamples {
      stack = [UInt](unsafeUninitializedCapacity: Int(CVT_FRAMES)) { buffer, count in
        count = Int(cvt_stack_of_thread(thread, buffer.baseAddress, CVT_FRAMES))
      }
      if stack.isEmpty || !StackFunction.frames(at: stack).isEmpty { break }
    }
    return stack
  }

  private static let mostSamples = 10

  /// The addresses at which the calling functions would continue, the innermost first.
  package static var stackOfThis: [UInt] {
    let callers = ReturnAddresses.ofCallers()
    // If a signal interrupts the call of a library's function at its beginning, the unwinder does not find the caller.
    return StackFunction.frames(at: callers).isEmpty ? ReturnAddresses.ofFrames() : callers
  }

  /// Returns what runs, and what waits, while code keeps the thread of the stage: functions of the tested code with their
  /// places. Only for a copy of the process, or for a signal handler of that thread, because the thread changes what this
  /// reads.
  ///
  /// - Parameter addresses: the stack of the thread; empty if it is unknown.
  /// - Returns: lines for readers; empty if nothing is known.
  package func activity(at addresses: [UInt]) -> [String] {
    let stack = StackFunction.frames(at: addresses)
    // A stage without code of the user keeps no tasks.
    let hasCode = executor.tasks != nil
    let unknown =
      hasCode ? ["what runs is unknown: no function of the tested code is on the stack"] : []
    let runs = stack.isEmpty ? unknown : ["what runs:"] + stack.map { "  in \($0)" }
    let tasks =
      executor.tasks.map {
        $0.waiting()?.lines ?? ["its tasks are unknown: this toolchain has another layout"]
      } ?? []
    let waits = blockedCalls.flatMap(\.lines) + tasks
    return (addresses.isEmpty ? ["what runs is unknown: its thread does not answer"] : runs)
      + (waits.isEmpty ? [] : ["what waits, and where:"] + waits.map { "  " + $0 })
  }

  /// Whether one job, or one piece of hosted work, has kept the thread since the last `ping`. For
  /// any thread.
  package var isBlocked: Bool {
    executor.inbox.hasUnansweredPing
      && (executor.isDriven.load(ordering: .acquiring)
        || executor.isHosting.load(ordering: .acquiring))
  }
}
