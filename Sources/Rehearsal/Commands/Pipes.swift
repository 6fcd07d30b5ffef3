import Script

extension ShellCommand {
  static let pipe = ShellCommand(
    definition: CommandDefinition(
      "pipe",
      topic: .pipes,
      summary: "Makes a pipe of Combine's operators, and subscribes to it.",
      details: [
        "A pipe is a source and operators, with '|' between. A line goes on behind a '|' at its end and behind an open parenthesis. 'help pipes' lists the sources and the operators.",
        "Time is the session's: throttle, debounce, delay and timeout are exact, and 'help ties' says what comes first at one instant. 'cancel NAME' ends the subscription, 'log NAME' shows what every stage did, 'timeline NAME as marble' draws what came out.",
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
      summary: "Makes a pipe that nobody has subscribed to yet.",
      details: [
        "Pipes that name it as their source subscribe to it. A 'future' in it begins at once, and a 'share' is one for all of them."
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
