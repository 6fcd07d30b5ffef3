import Script

extension ShellCommand {
  static let scenes = ShellCommand(
    definition: CommandDefinition(
      "scenes",
      topic: .members,
      summary: "Lists the systems that are ready to be rehearsed.",
      details: ["'help scene NAME' explains one, 'scene NAME' puts it on the stage."],
      examples: [
        """
        > scenes
          ...
          playground  [..] with two classic bugs[..]
          ...
        """
      ]
    )
  ) { session, _ throws(Diagnostic) in
    let column = (session.scenes.map(\.name.count).max() ?? 0) + 2
    for scene in session.scenes {
      let padding = String(repeating: " ", count: column - scene.name.count)
      session.emit(scene.name + padding + scene.summary)
    }
    if session.scenes.isEmpty { session.emit("no scenes here") }
  }

  static let scene = ShellCommand(
    definition: CommandDefinition(
      "scene",
      topic: .members,
      summary: "Puts a system on the stage: its members, and the routes that answer them.",
      details: [
        "The members of a scene load from sources of their own, so 'load NAME' takes no answer. 'cancel', 'retry', 'view', 'expect' and all that looks at members work on them as on loadables; 'tell' makes them do what only they can. Routes of your own win over those of a scene.",
        "'scenes' lists the scenes, 'help scene NAME' explains one.",
      ],
      arguments: [.slot(Slot<Located<String>>.scene)],
      canBeScheduled: false,
      examples: [
        """
        > scene playground
          buggy.headline: String  absent
          fixed.headline: String  absent
        > load fixed.headline
             0.000s  fixed.headline  absent → loading #1
        > settle
             1.000s  fixed.headline  loading #1 → loaded "Hello"
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.scene)
    try session.setUp(session.scene(name), span: name.span)
  }

  static let tell = ShellCommand(
    definition: CommandDefinition(
      "tell",
      topic: .loading,
      summary: "Makes a member of a scene do something of its own.",
      details: ["'show NAME' lists what a member can be told, and how that is written."],
      arguments: [
        .slot(Slot<Located<String>>.member), .slot(Slot<Located<String>>.action),
        .many(.slot(Slot<Located<String>>.actionArgument)),
      ],
      examples: [
        """
        > scene playground
          buggy.headline: String  absent
          fixed.headline: String  absent
        > tell fixed.headline answer failure
        > load fixed.headline
             0.000s  fixed.headline  absent → loading #1
        > settle
             1.000s  fixed.headline  loading #1 → error http 503
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let member = try session.member(arguments.required(.member))
    try session.tell(member, arguments.required(.action), arguments.all(.actionArgument))
  }
}

extension Slot where Value == Located<String> {
  static let scene = Slot("scene", "NAME", expecting: [.scene]) {
    parser throws(Diagnostic) in try parser.word("the name of a scene")
  }

  static let action = Slot("action", "ACTION", expecting: [.action]) {
    parser throws(Diagnostic) in try parser.word("something that it can be told")
  }
}
