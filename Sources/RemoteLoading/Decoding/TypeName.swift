/// Returns a type in source form: `[Post]`, `[String: Int]`, `Int?`.
package func typeName(_ type: Any.Type) -> String {
  (type as? any NamedBySugar.Type)?.sugar ?? String(describing: type)
}

/// A type with special syntax.
private protocol NamedBySugar {
  static var sugar: String { get }
}

extension Array: NamedBySugar {
  fileprivate static var sugar: String { "[\(typeName(Element.self))]" }
}

extension Optional: NamedBySugar {
  fileprivate static var sugar: String { typeName(Wrapped.self) + "?" }
}

extension Dictionary: NamedBySugar {
  fileprivate static var sugar: String { "[\(typeName(Key.self)): \(typeName(Value.self))]" }
}
