import Loading
import RehearsalBase
import Script

/// Defines the arguments that several commands share: names, files, policies, durations, numbers, types, first values.
extension Slot where Value == Located<String> {
  /// The name of a member. The command checks whether the member exists.
  static let member = Slot("member", "NAME", expecting: [.member]) {
    parser throws(Diagnostic) in try parser.word("a member's name")
  }

  static let loadable = Slot("member", "NAME", expecting: [.loadable]) {
    parser throws(Diagnostic) in try parser.word("the name of a loadable")
  }

  static let process = Slot("member", "NAME", expecting: [.process]) {
    parser throws(Diagnostic) in try parser.word("the name of a process")
  }

  static let newName = Slot("name", "NAME") {
    parser throws(Diagnostic) in
    try ReservedWords.require(parser.newName("a name"), noneOf: ReservedWords.forMembers)
  }

  static let file = Slot("file", "FILE", expecting: [.file]) {
    parser throws(Diagnostic) in try parser.file()
  }

  static let policy = Slot("policy", "P", expecting: [.policy]) {
    parser throws(Diagnostic) in try parser.word("a policy")
  }
}

extension Slot where Value == Located<Duration> {
  static func duration(_ name: String) -> Slot {
    Slot(name, "D") { parser throws(Diagnostic) in try parser.duration() }
  }
}

extension Slot where Value == Located<DurationRange> {
  static func durationRange(_ name: String) -> Slot {
    Slot(name, "D [to D]") { parser throws(Diagnostic) in try parser.durationRange() }
  }
}

extension Slot where Value == Located<Int> {
  static func integer(
    _ name: String,
    _ what: String,
    placeholder: String = "N",
    in range: ClosedRange<Int>,
    example: String = "3"
  ) -> Slot {
    Slot(name, placeholder) { parser throws(Diagnostic) in
      try parser.integer(what, in: range, example: example)
    }
  }
}

extension Slot where Value == TypeExpression {
  /// The type of the values of a new member.
  static let declaredType = Slot(
    "type",
    ": TYPE",
    canBegin: { $0.isNext(byte: UInt8(ascii: ":")) },
    read: { parser throws(Diagnostic) in
      guard parser.accept(byte: UInt8(ascii: ":")) else { throw parser.expected("':'") }
      return try parser.type()
    }
  )
}

extension Slot where Value == Located<JSONValue> {
  /// The first value of a new member.
  static let initialValue = Slot(
    "value",
    "= VALUE",
    canBegin: { $0.isNext(byte: UInt8(ascii: "=")) },
    read: { parser throws(Diagnostic) in
      guard parser.accept(byte: UInt8(ascii: "=")) else { throw parser.expected("'='") }
      return try parser.value()
    }
  )
}

extension Slot where Value == ParsedCommand {
  static func command(of verb: String) -> Slot {
    Slot("command", "COMMAND") { parser throws(Diagnostic) in
      try parser.laterCommand(of: verb)
    }
  }
}

extension Syntax {
  static let policyClause = Syntax.sequence([
    .keyword("policy"), .slot(Slot<Located<String>>.policy),
  ])
}

extension Arguments {
  /// Returns the value of a slot that the syntax requires.
  func required<Value>(_ slot: Slot<Value>) -> Value {
    guard let value = self[slot] else {
      preconditionFailure("The syntax of the command requires '\(slot.name)'.")
    }
    return value
  }
}

@MainActor extension Session {
  /// Returns the policy that the command names, or the default.
  func policy(in arguments: Arguments) throws(Diagnostic) -> LoadingPolicy {
    guard let name = arguments[.policy] else { return options.settings.values.policy }
    guard let policy = LoadingPolicy.named(name.value) else {
      throw Diagnostic(
        .unknownPolicy(name.value.printable(atMost: 30)),
        at: name.span,
        hint: Suggestion.hint(for: name.value, in: LoadingPolicy.all.map(\.name))
          ?? "'help policies' lists them"
      )
    }
    return policy
  }
}
