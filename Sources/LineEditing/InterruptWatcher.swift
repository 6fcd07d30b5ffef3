internal import CLineEdit
import LibC
import Synchronization

/// Calls a handler on a separate thread when Ctrl-C is pressed while a command runs.
final class InterruptWatcher: Sendable {
  typealias Handler = @Sendable () -> Void

  let pipe: Pipe
  /// Has a byte for each call of `finish` that the thread has reached.
  private let finished: Pipe
  /// The byte of `finish`. Those of signals are their numbers.
  private static let end = UInt8.max
  private let state = Mutex(State())

  private struct State {
    var handler: Handler?
    var wasCalled = false
  }

  init() throws(SystemError) {
    pipe = try Pipe(readsBlock: true)
    finished = try Pipe(readsBlock: true)
  }

  /// Starts the thread, which runs until `stop`.
  func start() -> Thread? {
    let context = Unmanaged.passRetained(self)
    let watcher = cle_watch(
      pipe.readEnd,
      { context, byte in
        Unmanaged<InterruptWatcher>.fromOpaque(context).takeUnretainedValue().take(byte)
      },
      context.toOpaque()
    )
    guard let watcher else {
      context.release()
      return nil
    }
    return Thread(watcher: watcher, context: context)
  }

  struct Thread {
    fileprivate let watcher: OpaquePointer
    fileprivate let context: Unmanaged<InterruptWatcher>
  }

  /// Ends the thread and waits for it.
  func stop(_ thread: Thread) {
    pipe.send(0)
    cle_watch_end(thread.watcher)
    thread.context.release()
  }

  /// Waits until the thread, which must run, has called the handler for each Ctrl-C so far.
  func finish() {
    if pipe.send(Self.end) { finished.waitForByte() }
  }

  /// Sets the handler and returns the previous one. Waits for a running call of that one.
  func exchange(_ new: Handler?) -> Handler? {
    state.withLock { state in
      defer { state.handler = new }
      return state.handler
    }
  }

  /// Whether a handler was called since the last call of this function.
  func takeWasCalled() -> Bool {
    state.withLock { state in
      defer { state.wasCalled = false }
      return state.wasCalled
    }
  }

  private func take(_ byte: UInt8) {
    if byte == Self.end {
      finished.send(byte)
    } else {
      call()
    }
  }

  private func call() {
    state.withLock { state in
      guard let handler = state.handler else { return }
      state.wasCalled = true
      handler()
    }
  }
}
