import Script

extension ShellCommand {
  static let pipe = ShellCommand(
    definition: CommandDefinition(
      "pipe",
      topic: .pipes,
      summary: "Creates a pipe of Combine operators and subscribes to it.",
      details: [
        "A pipe is a source followed by operators, separated by '|'. A command continues in the next line after a '|' at the end of a line and inside open parentheses. 'help pipes' lists sources and operators.",
        "throttle, debounce, delay and timeout use virtual time. 'help ties' explains the order of events at one instant. 'cancel NAME' ends the subscription, 'log NAME' shows the events of every stage, 'timeline NAME as marble' draws the output.",
      ],
      arguments: [.slot(Slot<Located<String>>.newName), .slot(pipeSlot)],
      effects: [.changes, .declaresName],
      examples: [
        """
        > route /users/{name} 200 json {"login": "{name}"} after 200ms
        > input name: String
        > pipe user = name | removeDuplicates |
        .   map (load from /users/{value}) | switchToLatest | map login
        > enter name "ann"
             0.000s  name  "ann"
        > wait 100ms
        > enter name "bob"
             0.100s  name  "bob"
        > settle
             0.300s  user  "bob"
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    try session.addPipe(arguments, isSubscribed: true)
  }

  static let publisher = ShellCommand(
    definition: CommandDefinition(
      "publisher",
      topic: .pipes,
      summary: "Creates a pipe without a subscriber.",
      details: [
        "Pipes subscribe to it by naming it as their source. A 'future' in it starts at once. A 'share' in it has one subscription for all of them."
      ],
      arguments: [.slot(Slot<Located<String>>.newName), .slot(pipeSlot)],
      effects: [.changes, .declaresName],
      examples: [
        """
        > publisher answer = load "Ann" after 100ms | share
        > pipe early = answer
        > settle
             0.100s  early  "Ann"
             0.100s  early  finished
        > pipe late = answer
             0.100s  late  finished
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    try session.addPipe(arguments, isSubscribed: false)
  }

  fileprivate static let pipeSlot = Slot<PipeSpec>("pipe", "= SOURCE [| OPERATOR …]") {
    parser throws(Diagnostic) in
    guard parser.accept(byte: UInt8(ascii: "=")) else {
      throw parser.expected("'='", hint: "as in 'pipe results = query | debounce 300ms'")
    }
    return try parser.pipe()
  }
}

@MainActor extension Session {
  fileprivate func addPipe(_ arguments: Arguments, isSubscribed: Bool) throws(Diagnostic) {
    let name = arguments.required(.newName)
    try members.requireFree(name)
    let spec = arguments.required(ShellCommand.pipeSlot)
    let pipe = try PipeMember(
      name: name.value,
      spec: spec,
      isSubscribed: isSubscribed,
      session: self
    )
    members.add(pipe)
    pipe.subscribe()
  }
}
