/// A value that lives elsewhere, to be read and written from here.
@propertyWrapper
public struct StateBinding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void

  public init(get read: @escaping () -> Value, set write: @escaping (Value) -> Void) {
    self.read = read
    self.write = write
  }

  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  public var projectedValue: StateBinding { self }

  /// A binding that always reads `value` and ignores what is written.
  public static func constant(_ value: Value) -> StateBinding {
    StateBinding(get: { value }, set: { _ in })
  }
}
