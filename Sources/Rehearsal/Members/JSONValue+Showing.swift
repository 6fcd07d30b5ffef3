import Loading
import RehearsalBase
import Script

/// Decides how any Swift value is shown as JSON, the same on every machine.
extension JSONValue {
  /// Converts any value to JSON, the same on every machine: a struct to its fields, an enum to its
  /// case, and a value with a custom description to that text. Of a class instance only the type is
  /// shown, because other properties may contain an address.
  init(showing value: Any) { self = Showing().value(value, depth: 0) }
}

private struct Showing {
  /// Maximum depth. A value may contain itself.
  static let deepest = 16
  /// Maximum number of elements of a collection, because each element costs a mirror.
  static let mostElements = 10_000

  func value(_ value: Any, depth: Int) -> JSONValue {
    if let value = value as? JSONValue { return value }
    if let scalar = scalar(value) { return scalar }
    guard depth < Self.deepest else { return .string("…") }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      return mirror.children.first.map { self.value($0.value, depth: depth) } ?? .null
    case .collection: return .array(elements(of: mirror, depth: depth))
    case .set:
      return .array(mirror.children.map { self.value($0.value, depth: depth + 1) }.sortedByText)
    case .dictionary: return dictionary(mirror, depth: depth)
    default: return structure(value, mirror, depth: depth)
    }
  }

  private func elements(of mirror: Mirror, depth: Int) -> [JSONValue] {
    let shown = mirror.children.prefix(Self.mostElements).map { value($0.value, depth: depth + 1) }
    guard mirror.children.count > Self.mostElements else { return shown }
    return shown + [.string("… \(mirror.children.count) elements")]
  }

  private func scalar(_ value: Any) -> JSONValue? {
    switch value {
    case let value as Bool: .bool(value)
    case let value as String: .string(value)
    case let value as any BinaryInteger: .number("\(value)")
    case let value as Double: value.isFinite ? .number("\(value)") : .string("\(value)")
    case let value as Float: value.isFinite ? .number("\(value)") : .string("\(value)")
    case let value as any Error: .string(describe(value))
    default: nil
    }
  }

  private func structure(_ value: Any, _ mirror: Mirror, depth: Int) -> JSONValue {
    if let value = value as? any CustomStringConvertible, mirror.displayStyle != .tuple {
      return .string(value.description)
    }
    switch mirror.displayStyle {
    case .struct, .tuple: return .object(fields(of: mirror, depth: depth))
    case .enum: return enumCase(value, mirror, depth: depth)
    default: return .string(String(describing: type(of: value)))
    }
  }

  private func fields(of mirror: Mirror, depth: Int) -> [JSONValue.Field] {
    mirror.children.enumerated().map { index, child in
      JSONValue.Field(name: child.label ?? "\(index)", value: value(child.value, depth: depth + 1))
    }
  }

  private func enumCase(_ value: Any, _ mirror: Mirror, depth: Int) -> JSONValue {
    guard let child = mirror.children.first, let label = child.label else {
      return .string("\(value)")
    }
    return .object([.init(name: label, value: self.value(child.value, depth: depth + 1))])
  }

  private func dictionary(_ mirror: Mirror, depth: Int) -> JSONValue {
    let fields = mirror.children.compactMap { entry -> JSONValue.Field? in
      let pair = Mirror(reflecting: entry.value).children.map(\.value)
      guard pair.count == 2 else { return nil }
      let key = value(pair[0], depth: depth + 1)
      let name = if case .string(let text) = key { text } else { key.text }
      return .init(name: name, value: value(pair[1], depth: depth + 1))
    }
    return .object(fields.sorted { $0.name < $1.name })
  }
}

extension [JSONValue] {
  /// Sets have no defined order.
  fileprivate var sortedByText: [JSONValue] { sorted { $0.text < $1.text } }
}
