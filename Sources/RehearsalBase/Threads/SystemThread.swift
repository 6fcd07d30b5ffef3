import LibC

/// A thread of the system, for code that blocks in system calls.
package struct SystemThread: @unchecked Sendable {
  // Immutable after initialisation.
  private let thread: pthread_t

  /// Starts a thread that runs `body`. Call either `join` or `detach` once.
  ///
  /// - Precondition: the system has room for another thread.
  package init(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let context = Unmanaged.passRetained(Box(body)).toOpaque()
    #if canImport(Darwin)
    var started: pthread_t?
    let code = pthread_create(
      &started,
      nil,
      { context in
        Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
        return nil
      },
      context
    )
    guard code == 0, let started else { preconditionFailure("A thread could not be started.") }
    thread = started
    #else
    var started = pthread_t()
    let code = pthread_create(
      &started,
      nil,
      { context in
        if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      },
      context
    )
    precondition(code == 0, "A thread could not be started.")
    thread = started
    #endif
  }

  /// Waits until the thread has ended.
  package func join() { pthread_join(thread, nil) }

  /// Lets the thread end on its own.
  package func detach() { pthread_detach(thread) }
}
