import Synchronization

/// Runs an async closure as a task until nothing is left to do, and says why it did not end.
extension Stage {
  /// Runs `body` as a task, and all the work that it starts, until nothing is left to do.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of jobs at one instant, and of instants.
  ///   - body: the work.
  /// - Returns: the value of `body`.
  /// - Throws: the error of `body`; `Unfinished` if nothing is left to do and `body` still waits, or if the limit or
  ///   `interrupt()` stopped the call.
  @discardableResult
  public func run<Value: Sendable>(
    limit: Int = defaultLimit,
    _ body: @escaping @Sendable @isolated(any) () async throws -> Value
  ) throws -> Value {
    let task = enter { Task(priority: .medium, operation: body) }
    executor.cancelRoots.append { task.cancel() }
    let stop = settle(limit: limit)
    // Reads the result after the run, so that it changes no order in the run.
    let result = TaskResult<Value>()
    enter { _ = Task { result.set(await task.result) } }
    // Watches are not called, because these jobs belong to no user code.
    executor.drive { [executor] in
      for _ in 0..<limit {
        guard result.value == nil, let job = executor.ready.popFirst() else { break }
        executor.run(job)
      }
    }
    let ended = result.value
    if case .failure(let error) = ended { throw error }
    guard stop == .idle, case .success(let value) = ended else {
      let blocked = takeDeadlocks() + takeBlocked()
      throw Unfinished(
        stop: stop,
        blocked: blocked,
        outside: takeSubmissions().map(\.description)
      )
    }
    return value
  }

  /// A call of `run` that returned before its work had ended.
  public struct Unfinished: Error, Equatable, CustomStringConvertible {
    /// Why the call returned. `.idle`: nothing is left to do, and the body still waits.
    public let stop: Stop
    /// Blocking calls that never end, as text.
    package let blocked: [String]
    /// Work outside of virtual time that may resume the body, as text.
    package let outside: [String]

    /// The reason as a clause.
    public var description: String {
      switch stop {
      case .idle, .reached:
        let reason = "nothing is left to do, and the body of 'run' still waits"
        if !blocked.isEmpty { return "\(reason): \(blocked.joined(separator: "; "))" }
        guard let first = outside.first else { return reason }
        let more = outside.count > 1 ? " and \(outside.count - 1) more" : ""
        return "\(reason); outside of virtual time, \(first)\(more) may resume it"
      case .bound(let bound): return bound.description
      case .interrupted: return "the stage was interrupted"
      }
    }
  }
}

/// The result of a task, if it has one.
private final class TaskResult<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  var value: Result<Value, any Error>? { result.withLock(\.self) }

  func set(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }
}
