import LibC
import Synchronization

/// Ctrl-C, Ctrl-\ and termination signals. While `listening` is active, the first one ends the run, which then reports what was
/// played. A second one ends the process at once, unless it arrives together with the first: `timeout` sends its signal
/// to the process and then to its whole group.
package enum StopSignals {
  private static let numbers = [SIGINT, SIGTERM, SIGQUIT]
  // The only state that the handler accesses.
  private static let first = Atomic<Int32>(0)
  private static let isListening = Atomic(false)
  /// The time of the first signal, in milliseconds.
  private static let time = Atomic(0)

  /// The first signal; nil if there was none.
  package static var caught: Int32? {
    let number = first.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// The time since the first signal, in milliseconds.
  package static var age: Int? {
    caught.map { _ in ProcessControl.milliseconds - time.load(ordering: .relaxed) }
  }

  /// Runs `body` and catches signals meanwhile. Signals that this process ignores stay ignored.
  package static func listening<T>(_ body: () -> T) -> T {
    first.store(0, ordering: .relaxed)
    time.store(0, ordering: .relaxed)
    isListening.store(true, ordering: .relaxed)
    let before = numbers.map { number in
      let before = signal(number, Self.handler)
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
      return before
    }
    defer {
      for (number, handler) in zip(numbers, before) { signal(number, handler) }
      isListening.store(false, ordering: .relaxed)
    }
    return body()
  }

  /// Ignores the signals in a worker. A terminal sends them to every process, and the parent handles them.
  static func leaveToParent() {
    guard isListening.load(ordering: .relaxed) else { return }
    for number in numbers { signal(number, SIG_IGN) }
  }

  private static let handler: @convention(c) (Int32) -> Void = { number in
    let milliseconds = ProcessControl.milliseconds
    if StopSignals.first.load(ordering: .relaxed) == 0 {
      StopSignals.time.store(milliseconds, ordering: .relaxed)
      StopSignals.first.store(number, ordering: .relaxed)
    } else if milliseconds - StopSignals.time.load(ordering: .relaxed) > StopSignals.mergeInterval {
      signal(number, SIG_DFL)
      raise(number)
    }
  }

  /// Signals within this number of milliseconds count as one.
  private static var mergeInterval: Int { 100 }

  /// The name of the signal in messages.
  package static func name(of number: Int32) -> String {
    switch number {
    case SIGINT: "Ctrl-C"
    case SIGQUIT: "Ctrl-\\"
    default: SignalName.of(Int(number))
    }
  }
}
