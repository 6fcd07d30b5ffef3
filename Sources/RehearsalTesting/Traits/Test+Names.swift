#if canImport(Testing)
import Testing

/// Names a test function without its parameters, and its arguments as text.
extension Test {
  /// The name of the function without its parameters.
  var baseName: String {
    let base = name.prefix { $0 != "(" }
    return base.isEmpty ? name : String(base).filter { $0 != "`" }
  }
}

extension Test.Case {
  /// The arguments as text, such as `60`; nil without any. Swift Testing keeps them in private properties.
  var argumentText: String? {
    guard isParameterized, let arguments = Self.arguments(in: Mirror(reflecting: self), depth: 4)
    else { return nil }
    let values = arguments.children.compactMap { argument in
      Mirror(reflecting: argument.value).children.first { $0.label == "value" }?.value
    }
    guard !values.isEmpty else { return nil }
    return values.map { String(describingForTest: $0) }.joined(separator: ", ")
  }

  private static func arguments(in mirror: Mirror, depth: Int) -> Mirror? {
    guard depth > 0 else { return nil }
    for child in mirror.children {
      let inner = Mirror(reflecting: child.value)
      if child.label == "arguments", inner.displayStyle == .collection { return inner }
      if let found = arguments(in: inner, depth: depth - 1) { return found }
    }
    return nil
  }
}
#endif
