import RehearsalBase
import Script

// Commands for inputs, the sources of values for pipes.

extension ShellCommand {
  static let input = ShellCommand(
    definition: CommandDefinition(
      "input",
      topic: .pipes,
      summary: "Creates an input, a source of values for pipes.",
      details: [
        "'enter NAME VALUE' enters a value. With '= VALUE' the input has a current value, like a @Published property: a new subscriber receives it at once. Without it, a value reaches only the pipes that are subscribed at that moment. 'set NAME finished' and 'set NAME failed ERROR' end the input."
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
        "'every D' types a text key by key: it enters the text so far after each key. The first key comes at once, the others at intervals of D."
      ],
      problems: [
        "debounce, typing, search as you type: 'every' types a text key by key"
      ],
      arguments: [.slot(Slot<Located<String>>.input), .slot(enteredValue)],
      clauses: [.sequence([.keyword("every"), .slot(interval)])],
      meanings: ["every": "the time between two keys"],
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

  /// Maximum number of keys that 'every' types: the input remembers its value after each.
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
  /// Sets an input with `set`: enters a value, or ends the input with `finished` or `failed`.
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
