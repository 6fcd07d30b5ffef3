/// A type as a user would write it: `[Post]`, `Int?`.
func typeName(_ type: Any.Type) -> String {
  (type as? any SugaredType.Type)?.sugar ?? String(describing: type)
}

/// A type with a spelling of its own.
private protocol SugaredType {
  static var sugar: String { get }
}

extension Array: SugaredType {
  fileprivate static var sugar: String { "[\(typeName(Element.self))]" }
}

extension Optional: SugaredType {
  fileprivate static var sugar: String { typeName(Wrapped.self) + "?" }
}

extension Dictionary: SugaredType {
  fileprivate static var sugar: String { "[\(typeName(Key.self)): \(typeName(Value.self))]" }
}
