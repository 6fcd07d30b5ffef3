import Loading
import RehearsalBase
import Script
import Timelines

extension ShellCommand {
  static let loadable = ShellCommand(
    definition: CommandDefinition(
      "loadable",
      topic: .members,
      summary: "Creates a loadable: a value that is loaded.",
      details: [
        "It is absent until a load starts; with '= VALUE' it begins loaded. TYPE is String, Int, Double, Bool, Date, JSON, [TYPE], TYPE? or a name that 'shape' has declared. For HTTP bodies there are also Text, Data and Image. Without a type it holds any JSON.",
        "'policy P' decides what happens to a load that starts during another load: 'help policies'.",
        "Only under the policy 'processed', a dot in a name matters: left.profile and right.profile, the property 'profile' of two instances, share one task, as in the package Processed.",
        "'from [METHOD] TARGET' sets a default request: 'load NAME' alone sends it.",
        "'constant' keeps the first state, for previews: loads run, but change nothing.",
      ],
      arguments: [
        .slot(Slot<Located<String>>.newName),
        .optional(.slot(Slot<TypeExpression>.declaredType)),
      ],
      clauses: [
        .slot(Slot<Located<JSONValue>>.initialValue), .slot(sourceSlot), .policyClause,
        .keyword("constant"),
      ],
      meanings: [
        "constant": "ignores all writes, for previews",
        "map": "a field of another loadable", "compactmap": "a field that may be missing",
      ],
      effects: [.changes, .declaresName],
      examples: [
        """
        > loadable profile: String
        > loadable count: Int = 3
        > list
          profile: String  absent
          count: Int  loaded 3
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.newName)
    try session.members.requireFree(name)
    let type = try session.type(arguments[.declaredType])
    let resolver = LoadableResolver(name: name.value, type: type)
    var initial = LoadableState<JSONValue>.absent
    if let value = arguments[.initialValue] { initial = .loaded(try resolver.value(value)) }
    let policy = try session.policy(in: arguments)
    let written = arguments[.declaredType] == nil ? name.value : "\(name.value): \(type.text)"
    session.members.add(
      DrivenMember(
        name: name.value,
        declaration: written,
        initial: initial,
        policy: policy,
        isConstant: arguments.has("constant"),
        source: arguments[sourceSlot],
        resolver: resolver,
        session: session
      )
    )
  }

  private static let sourceSlot = Slot<RequestSource>(
    "source",
    "from [METHOD] TARGET",
    expecting: [.keyword("from")],
    canBegin: { $0.isNext("from") },
    read: { parser throws(Diagnostic) in
      guard let source = try parser.requestSourceIfAny() else { throw parser.expected("'from'") }
      return source
    }
  )
}

@MainActor extension Session {
  /// Returns the type that an expression names. Returns any JSON if it names none.
  func type(_ expression: TypeExpression?) throws(Diagnostic) -> ValueType {
    switch expression {
    case nil: return .any
    case .array(let element): return .array(try type(element))
    case .optional(let wrapped): return .optional(try type(wrapped))
    case .date(let format, let span): return .date(try format.checked(at: span))
    case .named(let name, let span):
      if let type = ValueType.basic.first(where: { $0.name == name })?.type { return type }
      if let type = members.shapes.first(where: { $0.name == name })?.type { return type }
      let known = members.typeNames
      throw Diagnostic(
        .unknownType(name.printable(atMost: 30)),
        at: span,
        hint: Suggestion.hint(for: name, in: known)
          ?? "'shape \(name.printable(atMost: 30)) { FIELD: TYPE }' declares it; the types are \(known.joined(separator: ", ")), [TYPE] and TYPE?"
      )
    }
  }
}
