import Script

extension ShellCommand {
  static let scenes = ShellCommand(
    definition: CommandDefinition(
      "scenes",
      topic: .scenes,
      summary: "Lists the scenes: Swift code that sets up models in the shell.",
      details: [
        "'help scene NAME' explains one, 'scene NAME' sets it up. In examples, '[..]' is any text and '...' any lines."
      ],
      effects: [.looks, .fitsWidth],
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
    let column = (session.scenes.catalog.map(\.name.count).max() ?? 0) + 2
    for scene in session.scenes.catalog {
      let summary = HelpText.wrapped(
        scene.summary,
        indent: column,
        width: session.options.width - 2
      )
      session.output.print(scene.name + (summary.first ?? "").dropFirst(scene.name.count))
      for line in summary.dropFirst() { session.output.print(line) }
    }
    if session.scenes.catalog.isEmpty { session.output.print("this program has no scenes") }
    try session.scenes.requireCanBeNamed()
  }

  static let scene = ShellCommand(
    definition: CommandDefinition(
      "scene",
      topic: .scenes,
      summary: "Sets up a scene: its members and its routes.",
      details: [
        "A scene is Swift code with loadables and processes, such as a view model, that was built into the program. Its code produces the answers, so 'load NAME' takes none. 'cancel', 'view', 'expect', 'log' and the commands that show members work as usual. A scene adds commands, which 'help' then lists. Your routes take precedence over those of a scene.",
        "If the scene is already set up, it starts again. When its last member is forgotten, its routes and commands are removed.",
        "'scenes' lists the scenes, 'help scene NAME' explains one.",
      ],
      arguments: [.slot(Slot<Located<String>>.scene)],
      effects: [.changes, .fitsWidth, .typedOnly],
      examples: [
        """
        > scene playground
          buggy.headline: String  absent
          fixed.headline: String  absent
          commands: buggy.headline.answer, fixed.headline.answer
        > load fixed.headline
             0.000s  fixed.headline  absent → loading #1
        > settle
             1.000s  fixed.headline  loading #1 → loaded "Hello"
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.scene)
    try session.setUp(session.scenes.find(name), span: name.span)
  }
}

extension Slot where Value == Located<String> {
  static let scene = Slot("scene", "NAME", expecting: [.scene]) {
    parser throws(Diagnostic) in try parser.word("the name of a scene")
  }
}
