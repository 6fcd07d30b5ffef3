import CVirtualTime
import RehearsalBase
@_spi(Reflection) import Swift

/// Reads the simple values of an actor, for reports about tasks that wait.
enum ObjectState {
  private static let mostValues = 8
  private static let mostContinuations = 3

  /// Returns the simple values of an object that has not ended. No task may run its code.
  ///
  /// - Parameters:
  ///   - object: the address of the object.
  ///   - label: returns the label of a task that waits; nil if it is unknown.
  /// - Returns: the values with their names.
  static func values(
    of object: UnsafeMutableRawPointer,
    calling label: (UnsafeMutableRawPointer) -> String?
  ) -> [String] {
    let object = Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    // It would run code of the object.
    if object is any CustomReflectable { return [] }
    let type: AnyClass = Swift.type(of: object)
    let children = Mirror(reflecting: object).children
    // The fields of superclasses come first, and are no children.
    let fields = fieldTypes(of: type)
    let own = fields.dropFirst(_getSuperclass(type).map(fieldTypes)?.count ?? 0)
    guard own.count == children.count else { return [] }
    var values: [String] = []
    for (index, type) in zip(children.indices, own) where values.count < mostValues {
      // Reading another one may run code of the program, and an unowned object may have ended.
      guard _typeName(type).hasPrefix("Swift."), type != AnyObject.self else { continue }
      let child = children[index]
      if let name = child.label, let text = text(of: child.value, calling: label) {
        values.append("\(name) = \(text)")
      }
    }
    return values
  }

  private static func fieldTypes(of type: AnyClass) -> [Any.Type] {
    var types: [Any.Type] = []
    // The option 1 is `classType`.
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { _, _, type, _ in
      types.append(type)
      return true
    }
    return types
  }

  /// Returns a number, a text, a continuation or the size of a collection as text; nil for other values.
  private static func text(
    of value: Any,
    calling label: (UnsafeMutableRawPointer) -> String?
  ) -> String? {
    switch value {
    case let number as any BinaryInteger: return "\(number)"
    case let isTrue as Bool: return "\(isTrue)"
    case let text as String: return "\"\(text.prefix(40))\(text.count > 40 ? "…" : "")\""
    default: break
    }
    // The mirror of another type may run code of the program.
    let type = _typeName(Swift.type(of: value))
    guard type.hasPrefix("Swift.") else { return nil }
    let mirror = Mirror(reflecting: value)
    if type.hasPrefix("Swift.CheckedContinuation<") { return text(of: mirror, calling: label) }
    switch mirror.displayStyle {
    case .optional:
      return mirror.children.first.map { text(of: $0.value, calling: label) ?? "a value" } ?? "nil"
    case .collection, .set, .dictionary:
      let count = mirror.children.count
      if count == 0 { return "empty" }
      if type.hasPrefix("Swift.Array<Swift.CheckedContinuation<"), count <= mostContinuations {
        let texts = mirror.children.compactMap { text(of: $0.value, calling: label) }
        return "[\(texts.joined(separator: ", "))]"
      }
      return "element".counted(count)
    default: return nil
    }
  }

  private static func text(
    of continuation: Mirror,
    calling label: (UnsafeMutableRawPointer) -> String?
  ) -> String? {
    guard TaskLayout.knowsContinuations, let canary = continuation.children.first?.value,
      Swift.type(of: canary) is AnyClass
    else { return "a continuation" }
    let object = Unmanaged.passUnretained(canary as AnyObject).toOpaque()
    guard let task = object.load(as: cvt_checked_continuation.self).task else {
      return "a continuation that was resumed"
    }
    return label(task).map { "the continuation of \($0)" } ?? "a continuation"
  }
}
