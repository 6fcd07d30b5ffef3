/// A value that lives elsewhere, to be read and written from here.
@propertyWrapper
public struct StateBinding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void

  /// A binding by these closures, called at each reading and each writing. It retains what they
  /// capture.
  public init(get read: @escaping () -> Value, set write: @escaping (Value) -> Void) {
    self.read = read
    self.write = write
  }

  /// The value as it is now, read anew each time; writing goes to where it lives.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// The binding itself, so that `$name` can be passed on.
  public var projectedValue: StateBinding { self }

  /// A binding that always reads `value` and ignores what is written.
  public static func constant(_ value: Value) -> StateBinding {
    StateBinding(get: { value }, set: { _ in })
  }
}
