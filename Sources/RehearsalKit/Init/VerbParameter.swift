/// A parameter of a method, as a parameter of a scene's command.
struct VerbParameter {
  /// The label in a call.
  let label: String?
  let name: String
  let type: String
  /// The parameter of the command, such as `.text("TEXT")`.
  let scene: String
  /// Whether the closure must name the type, because the parameter does not.
  let needsType: Bool
  /// Values for the two calls of a test.
  let samples: (String, String)
}

extension SwiftFunction {
  /// Returns the parameters as those of a command. Throws if one has no simple value.
  func verbParameters(
    of owner: SwiftType,
    in module: SourceModule,
    reach: SwiftAccess
  ) throws(RehearsedModel.Refusal) -> [VerbParameter] {
    if isGeneric { throw RehearsedModel.Refusal(reason: "it is generic") }
    let isOnMainActor =
      owner.isMainActor(in: module) && !isNonisolated || attributes.contains("MainActor")
    if isAsync, !isOnMainActor, module.isSwift6, !module.staysOnCaller,
      !owner.inherited.contains("Sendable"), !owner.isMainActor(in: module)
    {
      throw RehearsedModel.Refusal(
        reason: "it is async, and '\(owner.name)' belongs to no actor and is not Sendable"
      )
    }
    var result: [VerbParameter] = []
    for parameter in parameters {
      if let simple = VerbParameter(parameter, in: module, reach: reach) {
        result.append(simple)
      } else if !parameter.hasDefault {
        throw RehearsedModel.Refusal(
          reason: "'\(parameter.name)' is no simple value: '\(parameter.type)'"
        )
      }
    }
    return result
  }
}

extension VerbParameter {
  /// Creates a parameter; nil if a command has no value of its type.
  init?(_ parameter: SwiftFunction.Parameter, in module: SourceModule, reach: SwiftAccess) {
    let placeholder = parameter.name.uppercasedWords
    let type = parameter.type
    guard !type.hasPrefix("inout "), !type.contains("..."), !type.hasPrefix("@") else { return nil }
    label = parameter.label
    name = parameter.name
    self.type = type
    switch type {
    case "String":
      scene = ".text(\"\(placeholder)\")"
      needsType = false
      samples = ("\"one\"", "\"two\"")
    case "Int":
      scene = ".integer(\"\(placeholder)\")"
      needsType = false
      samples = ("1", "2")
    case "Bool":
      scene = ".flag(\"\(placeholder)\")"
      needsType = false
      samples = ("true", "false")
    case "Duration":
      scene = ".duration(\"\(placeholder)\")"
      needsType = false
      samples = (".seconds(1)", ".seconds(2)")
    default:
      guard let samples = Self.samples(of: type, in: module, reach: reach) else { return nil }
      scene = ".\(samples.isChoice ? "choice" : "json")(\"\(placeholder)\")"
      needsType = true
      self.samples = samples.values
    }
  }

  private static func samples(
    of type: String,
    in module: SourceModule,
    reach: SwiftAccess
  ) -> (isChoice: Bool, values: (String, String))? {
    if type.hasSuffix("?"), samples(ofElement: String(type.dropLast())) {
      return (false, ("nil", "nil"))
    }
    if type.hasPrefix("["), type.hasSuffix("]"),
      samples(ofElement: String(type.dropFirst().dropLast()))
    {
      return (false, ("[]", "[]"))
    }
    if numbers.contains(type) { return (false, ("1", "2")) }
    guard let known = module.type(named: type), known.kind == "enum", known.access >= reach,
      known.inherited.contains("String"), known.inherited.contains("CaseIterable"),
      known.inherited.contains("Sendable"), let first = known.cases.first, !known.isConditional
    else { return nil }
    return (true, (".\(first)", ".\(known.cases.last ?? first)"))
  }

  private static func samples(ofElement type: String) -> Bool {
    numbers.contains(type) || ["String", "Int", "Bool"].contains(type)
  }

  private static let numbers: Set<String> = [
    "Double", "Float", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
    "UInt64",
  ]
}

extension String {
  /// A name in capitals, with hyphens between its words: `ITEM-COUNT`.
  fileprivate var uppercasedWords: String {
    var result = ""
    for character in self {
      if character.isUppercase, let last = result.last, last != "-" { result += "-" }
      result += character.uppercased()
    }
    return result
  }
}
