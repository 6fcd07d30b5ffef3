/// Expressions for values of the types of a module, to create a model and to call it.
struct SampleValues {
  let module: SourceModule
  /// The least access that a declaration needs: `module` with '@testable import'.
  let reach: SwiftAccess

  /// What an expression needs besides the module.
  struct Needs: Equatable {
    var server = false
    var scheduler = false
    var throwing = false
    /// Types and defaults of parameters that may send real requests: they conform to a protocol of the module, and are
    /// not named like a test double.
    var clients: [String] = []
  }

  /// An expression, or the reason why there is none.
  enum Answer: Equatable {
    case expression(String)
    case none(String)
  }

  /// Returns a call of a type's initialiser.
  func creation(of type: SwiftType, needs: inout Needs, depth: Int = 0) -> Answer {
    guard depth < 4 else { return .none("its initialisers need each other") }
    guard type.access >= reach else { return .none("'\(type.name)' is private") }
    if type.isGeneric { return .none("'\(type.name)' is generic") }
    if type.isConditional { return .none("'\(type.name)' is inside of '#if'") }
    let own = type.initialisers.filter { !$0.attributes.contains(SwiftType.inExtension) }
    var candidates = type.initialisers
    if own.isEmpty, let automatic = automaticInitialiser(of: type) {
      let inherited = superclass(of: type)?.initialisers ?? []
      candidates += inherited.isEmpty ? [automatic] : inherited
    }
    var reason = "it has no initialiser that a scene can call"
    for initialiser in candidates.sorted(by: { $0.parameters.count < $1.parameters.count }) {
      var more = needs
      switch call(initialiser, of: type, needs: &more, depth: depth) {
      case .expression(let text):
        needs = more
        return .expression(text)
      case .none(let why): reason = why
      }
    }
    return .none(reason)
  }

  private func call(
    _ initialiser: SwiftFunction,
    of type: SwiftType,
    needs: inout Needs,
    depth: Int
  ) -> Answer {
    if initialiser.access < reach { return .none("its initialiser is not accessible") }
    if initialiser.isAsync { return .none("its initialiser is async") }
    if initialiser.isFailable { return .none("its initialiser is failable") }
    if initialiser.isThrowing { needs.throwing = true }
    var arguments: [String] = []
    for parameter in initialiser.parameters {
      // The real network is never the default of a scene.
      if parameter.hasDefault, parameter.type.bareType != "URLSession" {
        let type = module.type(named: parameter.type.bareType)
        guard let type, type.kind == "protocol" else { continue }
        // A test double is better than a default.
        if !conforming(to: type).contains(where: \.isTestDouble) {
          needs.clients.append("the default of '\(parameter.name)'")
          continue
        }
      }
      switch value(of: parameter.type, needs: &needs, depth: depth + 1) {
      case .expression(let text):
        arguments.append((parameter.label.map { $0 + ": " } ?? "") + text)
      case .none(let why): return .none("'\(parameter.name)' needs a value: \(why)")
      }
    }
    return .expression("\(type.name)(\(arguments.joined(separator: ", ")))")
  }

  private func superclass(of type: SwiftType) -> SwiftType? {
    module.types.first { $0.kind == "class" && type.inherited.contains($0.name) }
  }

  /// The initialiser that the compiler adds; nil if it adds none that a scene can call.
  private func automaticInitialiser(of type: SwiftType) -> SwiftFunction? {
    let stored = type.properties.filter { !$0.isComputed }
    var initialiser = SwiftFunction(name: "init", access: .module, attributes: [], parameters: [])
    switch type.kind {
    case "class", "actor":
      // A superclass of another module is taken to have one without parameters, as NSObject has.
      return stored.allSatisfy(\.hasInitialValue) ? initialiser : nil
    case "struct":
      for property in stored where property.setAccess > .hidden || !property.hasInitialValue {
        guard property.access > .hidden, let type = property.type else {
          if property.hasInitialValue { continue }
          return nil
        }
        initialiser.parameters.append(
          SwiftFunction.Parameter(
            label: property.name,
            name: property.name,
            type: type,
            hasDefault: property.hasInitialValue
          )
        )
      }
      return initialiser
    default: return nil
    }
  }

  /// Returns a value of a written type.
  func value(of written: String, needs: inout Needs, depth: Int = 0) -> Answer {
    let type = written.bareType
    if written.hasPrefix("inout ") || type.contains("...") {
      return .none("its type is '\(written)'")
    }
    if type.hasSuffix("?") || type.hasPrefix("Optional<") { return .expression("nil") }
    if let text = Self.simple[type] { return .expression(text) }
    if type.isFunction { return closure(type, needs: &needs, depth: depth) }
    if type.hasPrefix("["), type.hasSuffix("]") {
      return .expression(type.hasDictionaryColon ? "[:]" : "[]")
    }
    for name in ["Set<", "Array<"] where type.hasPrefix(name) { return .expression("[]") }
    if type.hasPrefix("Dictionary<") { return .expression("[:]") }
    switch type {
    case "URLSession":
      needs.server = true
      return .expression(".rehearsing(server, on: stage)")
    case _ where type == "Clock" || type.hasPrefix("Clock<"):
      return .expression("ContinuousClock()")
    case _ where type == "Scheduler" || type.hasPrefix("Scheduler<"):
      needs.scheduler = true
      return .expression("StageScheduler(stage)")
    default: break
    }
    guard let known = module.type(named: type) else {
      return .none("'\(type)' is not a type of \(module.name)")
    }
    return value(of: known, needs: &needs, depth: depth)
  }

  private func value(of type: SwiftType, needs: inout Needs, depth: Int) -> Answer {
    switch type.kind {
    case "enum":
      guard type.access >= reach, let first = type.cases.first else {
        return .none("'\(type.name)' has no simple case")
      }
      return .expression(".\(first)")
    case "protocol":
      let all = conforming(to: type)
      for other in all.filter(\.isTestDouble) + all.filter({ !$0.isTestDouble }) {
        var more = needs
        if case .expression(let text) = creation(of: other, needs: &more, depth: depth) {
          needs = more
          if !other.isTestDouble { needs.clients.append("'\(other.name)'") }
          return .expression(text)
        }
      }
      return .none("no type that conforms to '\(type.name)' can be created")
    default: return creation(of: type, needs: &needs, depth: depth)
    }
  }

  private func conforming(to type: SwiftType) -> [SwiftType] {
    module.types.filter { $0.inherited.contains(type.name) && $0.kind != "protocol" }
  }

  /// Returns a closure that ignores its arguments.
  private func closure(_ type: String, needs: inout Needs, depth: Int) -> Answer {
    guard let parts = type.functionParts else { return .none("its type is '\(type)'") }
    let names =
      parts.parameters == 0
      ? ""
      : Array(repeating: "_", count: parts.parameters)
        .joined(separator: ", ") + " in"
    if ["Void", "()"].contains(parts.result) {
      return .expression(names.isEmpty ? "{}" : "{ \(names) }")
    }
    var inside = Needs()
    switch value(of: parts.result, needs: &inside, depth: depth) {
    case .expression(let text) where inside == Needs():
      return .expression("{ \(names.isEmpty ? "" : names + " ")\(text) }")
    case .expression: return .none("its type is '\(type)'")
    case .none(let why): return .none(why)
    }
  }

  private static let simple: [String: String] = {
    var values = [
      "String": "\"\"", "Substring": "\"\"", "Bool": "false", "Duration": ".zero",
      "Date": ".init()",
      "UUID": ".init()", "Data": ".init()", "Character": "\"a\"",
    ]
    for name in ["Int", "Int8", "Int16", "Int32", "Int64"] { values[name] = "0" }
    for name in ["UInt", "UInt8", "UInt16", "UInt32", "UInt64"] { values[name] = "0" }
    for name in ["Double", "Float", "CGFloat", "TimeInterval"] { values[name] = "0" }
    return values
  }()
}

extension SwiftType {
  /// Whether it is for tests and previews, by its name.
  fileprivate var isTestDouble: Bool {
    let name = name.lowercased()
    let words = ["mock", "stub", "fake", "preview", "memory", "test", "dummy", "noop", "sample"]
    return words.contains { name.contains($0) }
  }
}

extension String {
  /// The type without attributes, `any`, `some` and brackets around it.
  var bareType: String {
    var type = self
    while true {
      let before = type
      while type.hasPrefix("@"), let blank = type.firstIndex(of: " ") {
        type = String(type[type.index(after: blank)...])
      }
      for word in ["any ", "some ", "sending ", "consuming ", "borrowing ", "isolated "]
      where type.hasPrefix(word) {
        type = String(type.dropFirst(word.count))
      }
      for module in ["Swift.", "Foundation.", "Combine.", "OpenCombine."]
      where type.hasPrefix(module) {
        type = String(type.dropFirst(module.count))
      }
      // Brackets around the whole type.
      if type.hasPrefix("("), type.hasSuffix(")"), type.topLevelArrow == nil, type != "()",
        !type.contains(",")
      {
        type = String(type.dropFirst().dropLast())
      }
      if type == before { return type }
    }
  }

  fileprivate var isFunction: Bool { topLevelArrow != nil }

  /// The characters with the number of brackets that are open before them.
  private var depths: [(index: String.Index, character: Character, depth: Int)] {
    var depth = 0
    var before: Character = " "
    return indices.map { index in
      let character = self[index]
      let isArrow = before == "-" && character == ">"
      if !isArrow, ")]>".contains(character) { depth -= 1 }
      defer {
        if "([<".contains(character) { depth += 1 }
        before = character
      }
      return (index, character, depth)
    }
  }

  /// The place of the first `->` outside of brackets.
  fileprivate var topLevelArrow: String.Index? {
    depths.first { $0.character == "-" && $0.depth == 0 && self[$0.index...].hasPrefix("->") }?
      .index
  }

  /// The number of parameters and the result of a function type.
  fileprivate var functionParts: (parameters: Int, result: String)? {
    guard let arrow = topLevelArrow, hasPrefix("(") else { return nil }
    let result = self[index(arrow, offsetBy: 2)...].drop { $0 == " " }
    let commas = depths.count { $0.index < arrow && $0.character == "," && $0.depth == 1 }
    let isEmpty = dropFirst().first { $0 != " " } == ")"
    return (isEmpty ? 0 : commas + 1, String(result))
  }

  fileprivate var hasDictionaryColon: Bool {
    depths.contains { $0.character == ":" && $0.depth == 1 }
  }
}
