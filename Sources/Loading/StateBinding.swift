/// A reference to a value that is stored elsewhere.
@propertyWrapper
public struct StateBinding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void

  /// Makes a binding with closures that are called at each read and each write. It retains their
  /// captures.
  public init(get read: @escaping () -> Value, set write: @escaping (Value) -> Void) {
    self.read = read
    self.write = write
  }

  /// The current value, read at each access. Writes go to its storage.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// The binding itself, so that `$name` can be passed on.
  public var projectedValue: StateBinding { self }

  /// Makes a binding that always reads `value` and ignores writes.
  public static func constant(_ value: Value) -> StateBinding {
    StateBinding(get: { value }, set: { _ in })
  }
}

extension StateBinding where Value == Task<Void, Never>? {
  /// Cancels the stored task and forgets it.
  func cancel() {
    wrappedValue?.cancel()
    wrappedValue = nil
  }
}
