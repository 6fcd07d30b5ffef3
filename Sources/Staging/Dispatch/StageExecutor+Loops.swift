import Synchronization

/// Lets other work run in loops that never suspend their task, such as `while !Task.isCancelled { await step() }`.
///
/// On several threads other code runs beside such a loop, and may end it. A stage runs one thread at a time, so the loop
/// must let other code run.
extension StageExecutor {
  /// Number of times in a row that a loop finds nothing else to do at an instant, before time moves on.
  private static let mostIdlePasses = 100
  /// Number of such times, if there is no later instant, before the loop counts as endless.
  private static let mostHopelessPasses = 10_000

  /// Number of such times in all jobs of a closed stage, before loops stay suspended for ever.
  private static let mostPassesAtEnd = 100

  /// Whether a task of a closed stage stays suspended. It was cancelled, and may be in a loop that ignores this.
  func stopsLoopAtEnd() -> Bool {
    idlePasses += 1
    return idlePasses >= Self.mostPassesAtEnd
  }

  /// Lets other work run before the calling loop continues.
  ///
  /// - Parameter addresses: returns the addresses at which the functions of the task continue.
  func letOthersRun(inLoopAt addresses: () -> [UInt]) {
    if hasWorkNow(besidesMain: isOnMain) || inbox.isRinging {
      idlePasses = 0
      return sleepInLoop(until: nanoseconds)
    }
    idlePasses += 1
    // Another thread may end the loop.
    guard idlePasses >= Self.mostIdlePasses, outsideCount.load(ordering: .acquiring) == 0 else {
      return
    }
    if let next = nextInstant() {
      idlePasses = 0
      return sleepInLoop(until: next)
    }
    guard idlePasses >= Self.mostHopelessPasses, submissions.isEmpty,
      threads?.blocked.isEmpty != false
    else { return }
    idlePasses = 0
    Self.endlessLoopHandler.withLock(\.self)?(Self.endlessLoop(at: addresses()))
  }

  /// Blocks the thread until the other work of an instant has run.
  private func sleepInLoop(until instant: Int64) {
    let wait = BlockedThread(.sleep, call: "", of: threads?.running, holdsMain: isOnMain)
    let alarm = dispatching.schedule(at: instant) { [unowned self] in wake(wait, .timedOut) }
    wait.alarm = alarm
    if scheduler != nil, instant == nanoseconds, let place = alarm.place {
      noteYield(by: Alarm.id(place.sequence))
    }
    block(wait)
  }

  private static func endlessLoop(at addresses: [UInt]) -> BlockedCall {
    let place = StackFunction.function(of: StackFunction.callers(at: addresses))
    return BlockedCall(
      text:
        "a loop\(place.map { " in \($0)" } ?? "") never ends: it never suspends its task, and nothing else is left to do",
      stack: StackFunction.frames(at: addresses)
    )
  }

  fileprivate static let endlessLoopHandler = Mutex<(@Sendable (BlockedCall) -> Void)?>(nil)
}

extension Stage {
  /// Sets a function that is called on the thread of an endless loop. If it returns, the loop continues.
  package static func whenLoopIsEndless(_ handler: @escaping @Sendable (BlockedCall) -> Void) {
    StageExecutor.endlessLoopHandler.withLock { $0 = handler }
  }
}
