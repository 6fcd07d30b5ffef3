import RehearsalBase
import Script

// Where the values of pipes come from.

extension ShellCommand {
  static let input = ShellCommand(
    definition: CommandDefinition(
      "input",
      topic: .pipes,
      summary: "Makes an input, into which values are entered by hand.",
      details: [
        "With a value it has a current one, as a property with @Published has: a pipe that begins gets it at once. Without one, a value goes to the pipes that listen just then. 'set NAME finished' and 'set NAME failed ERROR' end it."
      ],
      arguments: [
        .slot(Slot<Located<String>>.newName), .optional(.slot(Slot<TypeExpression>.declaredType)),
        .optional(.slot(Slot<Located<JSONValue>>.initialValue)),
      ],
      effects: [.changes, .declaresName],
      examples: [
        """
        > input query: String = ""
        > pipe results = query | filter length >= 2 | map "results for {value}"
        > enter query "ab"
             0.000s  query  "" → "ab"
             0.000s  results  "results for ab"
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.newName)
    try session.members.requireFree(name)
    let type = try session.type(arguments[.declaredType])
    let value = arguments[.initialValue]
    if let value, let problem = type.mismatch(with: value.value) {
      throw Diagnostic(problem, at: value.span)
    }
    session.members.add(
      InputMember(name: name.value, type: type, value: value?.value, session: session)
    )
  }

  static let enter = ShellCommand(
    definition: CommandDefinition(
      "enter",
      topic: .pipes,
      summary: "Enters a value into an input.",
      details: [
        "'every D' types a text key by key: what has been typed so far is entered with each key, the first one at once and the others D apart."
      ],
      arguments: [.slot(Slot<Located<String>>.input), .slot(enteredValue)],
      clauses: [.sequence([.keyword("every"), .slot(interval)])],
      meanings: ["every": "one value each time that long"],
      examples: [
        """
        > input query: String
        > pipe searched = query | debounce 300ms
        > enter query "abc" every 100ms
             0.000s  query  "a"
        > settle
             0.100s  query  "ab"
             0.200s  query  "abc"
             0.500s  searched  "abc"
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let input = try session.input(arguments.required(.input))
    let value = arguments.required(enteredValue)
    guard let interval = arguments[interval] else { return try input.enter(value) }
    guard case .string(let text) = value.value, !text.isEmpty else {
      throw Diagnostic(
        .expected("a text", found: value.value.text(within: 30)),
        at: value.span,
        hint: "'every' types a text key by key"
      )
    }
    guard text.count <= mostKeys else {
      throw Diagnostic(
        .tooMany("keys", limit: mostKeys),
        at: value.span,
        hint: "without 'every' a text of any length is entered at once"
      )
    }
    try input.type(Located(text, at: value.span), every: interval.value)
  }

  /// How many keys 'every' types at most: the input remembers what it was after each.
  private static let mostKeys = 1000

  private static let enteredValue = Slot<Located<JSONValue>>("value", "VALUE") {
    parser throws(Diagnostic) in try parser.value()
  }

  private static let interval = Slot<Located<Duration>>.duration("interval")
}

extension Slot where Value == Located<String> {
  static let input = Slot("member", "NAME", expecting: [.input]) {
    parser throws(Diagnostic) in try parser.word("the name of an input")
  }
}

@MainActor extension Session {
  func input(_ name: Located<String>) throws(Diagnostic) -> InputMember {
    let member = try member(name, madeBy: "input")
    guard let input = member as? InputMember else {
      throw Diagnostic(
        .wrongMember(member.name, is: member.word, needed: "input"),
        at: name.span,
        hint: "'input NAME' makes one"
      )
    }
    return input
  }
}

extension InputMember {
  /// `set`: a value is entered, `finished` and `failed` end it.
  func assign(_ assignment: Located<Assignment>, at span: Range<Int>) throws(Diagnostic) {
    switch assignment.value {
    case .value(let value): try enter(value)
    case .state(.finished(kind: nil)), .finish: try end(nil, at: span)
    case .state(.failed(kind: nil, let error)), .fail(let error): try end(error, at: span)
    case .state(let state):
      throw Diagnostic(
        .expected("a value, 'finished' or 'failed'", found: state.word),
        at: assignment.span,
        hint: "an input has no other states"
      )
    case .start:
      throw Diagnostic(
        .expected("a value, 'finished' or 'failed'", found: "start"),
        at: assignment.span,
        hint: "'enter' and 'marble' bring values"
      )
    }
  }
}
