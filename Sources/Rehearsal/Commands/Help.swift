import Loading
import Script
import Timelines

extension ShellCommand {
  static let help = ShellCommand(
    definition: CommandDefinition(
      "help",
      topic: .session,
      summary: "Explains a command or a topic.",
      details: ["Without more it lists both. 'help scene NAME' explains a scene."],
      arguments: [
        .optional(
          .oneOf([
            .sequence([.keyword("scene"), .optional(.slot(Slot<Located<String>>.scene))]),
            .slot(topicSlot),
          ])
        )
      ],
      canBeScheduled: false,
      fitsWidth: true,
      examples: [
        """
        > help now
          now
            Says what time it is in the session.
            For example:
              > now
                0.000s
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    if let name = arguments[.scene] {
      let lines = HelpText.lines(on: try session.scene(name), width: session.width - 2)
      for line in lines { session.emit(line) }
      return
    }
    let sceneCommand = arguments.span(of: "scene").map { Located("scene", at: $0) }
    guard let topic = sceneCommand ?? arguments[topicSlot] else {
      for line in HelpText.overview(of: session.availableCommands, width: session.width - 2) {
        session.emit(line)
      }
      return
    }
    guard
      let lines = HelpText.lines(
        on: topic.value,
        of: session.availableCommands,
        width: session.width - 2
      )
    else {
      throw Diagnostic(
        .unknownTopic(topic.value.printable(atMost: 30)),
        at: topic.span,
        hint: topic.value.hasPrefix("operator")
          ? "'help pipes' lists the operators of pipes"
          : Suggestion.hint(
            for: topic.value,
            in: HelpText.topics(with: session.availableCommands)
          ) ?? "'help' lists all topics"
      )
    }
    for line in lines { session.emit(line) }
  }

  private static let topicSlot = Slot<Located<String>>("topic", "TOPIC", expecting: [.topic]) {
    parser throws(Diagnostic) in try parser.word("a command or a topic")
  }
}
