/// A type in Swift source text: the properties, functions and access that the reader finds.
struct SwiftType {
  var name: String
  /// `class`, `struct`, `enum`, `actor` or `protocol`.
  var kind: String
  var access: SwiftAccess
  var attributes: [String]
  var inherited: [String]
  var isGeneric: Bool
  /// Whether it is inside of `#if`.
  var isConditional: Bool
  var properties: [SwiftProperty] = []
  var functions: [SwiftFunction] = []
  var initialisers: [SwiftFunction] = []
  /// The cases of an enumeration that have no associated values.
  var cases: [String] = []
  /// The file and the line, counted from 1.
  var file = ""
  var line = 0
}

/// Who can use a declaration, in rising order.
enum SwiftAccess: Int, Comparable {
  case hidden, module, package, everywhere

  static func < (one: SwiftAccess, other: SwiftAccess) -> Bool { one.rawValue < other.rawValue }

  /// The access that a modifier gives; nil if it gives none.
  init?(modifier: String) {
    switch modifier {
    case "private", "fileprivate": self = .hidden
    case "internal": self = .module
    case "package": self = .package
    case "public", "open": self = .everywhere
    default: return nil
    }
  }
}

struct SwiftProperty {
  var name: String
  /// The written type; nil if the compiler infers it.
  var type: String?
  var access: SwiftAccess
  /// The access of its setter; `hidden` if it has none.
  var setAccess: SwiftAccess
  var attributes: [String]
  var hasInitialValue: Bool
  var isConstant: Bool
  var isComputed: Bool
  var isLazy: Bool
  /// Whether reading it waits or throws.
  var hasEffects: Bool
}

/// A function or an initialiser.
struct SwiftFunction {
  struct Parameter {
    /// The label in a call; nil for `_`.
    var label: String?
    var name: String
    var type: String
    var hasDefault: Bool
  }

  var name: String
  var access: SwiftAccess
  var attributes: [String]
  var parameters: [Parameter]
  var isAsync = false
  var isThrowing = false
  var isGeneric = false
  var isFailable = false
  var isNonisolated = false
  var returnsValue = false

  /// The function as it is named in documentation: `load(_:after:)`.
  var signature: String {
    name + "(" + parameters.map { ($0.label ?? "_") + ":" }.joined() + ")"
  }
}
