import Staging

/// Work outside of the stage, over sockets, brought back in an order that does not depend on how fast
/// it was.
///
/// What it comes to is taken in only while a command lets time pass, and in the order in which the
/// work began. A session with real sockets in it prints the same lines in every run.
@MainActor final class OutsideQueue {
  private let stage: Stage
  private(set) var lastTicket = 0
  /// The tickets of work that is not over, oldest first.
  private var open: [Int] = []
  /// Work whose end has come, and which waits for its turn.
  private var parked: [Int: CheckedContinuation<Void, Never>] = [:]
  /// Whether a command lets time pass.
  private var isOpen = false

  init(stage: Stage) {
    self.stage = stage
  }

  /// Whether work is under way, or waits for its turn.
  var isBusy: Bool { !open.isEmpty }

  /// Performs work that runs on other threads, while virtual time stands still.
  ///
  /// - Throws: what the work throws. When the task is cancelled, the work is, and nobody waits for a turn.
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

  /// Lets what has come in, and what comes, be taken in, as long as `body` runs.
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
      // On the stage's thread, where whoever cancels a task of the session is.
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
