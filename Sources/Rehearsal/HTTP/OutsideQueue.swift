import Staging

/// Work outside of the stage, over sockets. Its results return in an order that does not depend on
/// its speed.
///
/// Results arrive only while a command advances time, in the order of the start of the work. So a
/// session with real sockets prints the same lines in every run.
@MainActor final class OutsideQueue {
  private let stage: Stage
  private(set) var lastTicket = 0
  /// The tickets of unfinished work, oldest first.
  private var open: [Int] = []
  /// Finished work that waits for its turn.
  private var parked: [Int: CheckedContinuation<Void, Never>] = [:]
  /// Whether a command advances time.
  private var isOpen = false

  init(stage: Stage) {
    self.stage = stage
  }

  /// Whether work is running or waits for its turn.
  var isBusy: Bool { !open.isEmpty }

  /// Performs work on other threads, while virtual time stands still.
  ///
  /// - Throws: the error of the work. If the task is cancelled, the work is cancelled and does not
  ///   wait for its turn.
  func perform<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    lastTicket += 1
    let ticket = lastTicket
    open.append(ticket)
    defer { close(ticket) }
    do {
      let value = try await stage.outside(work)
      await turn(of: ticket)
      return value
    } catch {
      await turn(of: ticket)
      throw error
    }
  }

  /// Lets results arrive while `body` runs.
  func whileOpen<T, Failure: Error>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
    let wasOpen = isOpen
    isOpen = true
    defer { isOpen = wasOpen }
    advance()
    return try body()
  }

  private func turn(of ticket: Int) async {
    if isOpen, open.first == ticket { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume() }
        parked[ticket] = continuation
      }
    } onCancel: {
      // On the thread of the stage, where the session's tasks are cancelled.
      MainActor.assumeIsolated { parked.removeValue(forKey: ticket)?.resume() }
    }
  }

  private func close(_ ticket: Int) {
    open.removeAll { $0 == ticket }
    if isOpen { advance() }
  }

  private func advance() {
    guard let first = open.first else { return }
    parked.removeValue(forKey: first)?.resume()
  }
}
