import Synchronization

/// A value that several tasks change.
package final class Cell<Value: Sendable>: Sendable {
  private let storage: Mutex<Value>

  package init(_ value: Value) { storage = Mutex(value) }

  package var value: Value { storage.withLock { $0 } }

  @discardableResult package func change<Result: Sendable>(
    _ body: @Sendable (inout Value) -> Result
  ) -> Result {
    storage.withLock { body(&$0) }
  }
}
