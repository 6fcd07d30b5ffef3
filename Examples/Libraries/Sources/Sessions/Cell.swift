import Synchronization

/// A value that several tasks change.
public final class Cell<Value: Sendable>: Sendable {
  private let storage: Mutex<Value>

  public init(_ value: Value) { storage = Mutex(value) }

  public var value: Value { storage.withLock { $0 } }

  @discardableResult public func change<Result: Sendable>(
    _ body: @Sendable (inout Value) -> Result
  ) -> Result {
    storage.withLock { body(&$0) }
  }
}
