/// The result of an operation, of the code or of its model.
package struct ModelResult: Hashable {
  private let value: AnyHashable
  /// The value as text.
  package let text: String

  private init(_ value: AnyHashable, _ text: String) { (self.value, self.text) = (value, text) }

  package init<Value: Hashable>(_ value: Value) {
    // Also values with equal descriptions differ.
    self.init(AnyHashable(value), "\(value)")
  }

  /// The result of an operation without a value.
  package static var nothing: ModelResult { ModelResult(0, "no error") }

  /// An error with this text.
  package static func failed(_ error: String) -> ModelResult {
    ModelResult(["error", error], "the error \(error)")
  }
}
