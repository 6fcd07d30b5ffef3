import RehearsalBase
import Script

extension ShellCommand {
  static let view = ShellCommand(
    definition: CommandDefinition(
      "view",
      topic: .looking,
      summary: "Shows a member the way a view would: in one of four slots.",
      details: [
        "The slots are those of RemoteContentView: 'empty' where nothing is requested, 'progress' while it loads, 'failure' with the error, 'content'. The bar is filled as far as the body of an HTTP answer has come, and dotted where nobody knows how long that is.",
        "'redacted VALUE' fills the progress slot with a placeholder, masked. 'retry' presses the failure slot's button, which no other slot has. 'appear' and 'disappear' are a view's coming and going, which load and cancel: a loadable without a source of its own loads what it loaded last.",
      ],
      arguments: [
        .slot(Slot<Located<String>>.member),
        .optional(
          .oneOf([
            .sequence([.keyword("redacted"), .slot(placeholder)]),
            .keyword("retry"), .keyword("appear"), .keyword("disappear"),
          ])
        ),
      ],
      meanings: [
        "retry": "presses the button that starts again", "appear": "the view comes on the screen",
        "disappear": "the view goes off the screen",
        "redacted": "shows a placeholder while there is no value",
      ],
      action: .view,
      effects: .looks,
      clauseEffects: ["retry": .changes, "appear": .changes, "disappear": .changes],
      examples: [
        """
        > loadable post
        > view post
          empty
        > load post fail "no network" after 1s
             0.000s  post  absent → loading #1
        > view post redacted "Lorem ipsum"
          progress  "▒▒▒▒▒ ▒▒▒▒▒"
        > wait 1s
             1.000s  post  loading #1 → error "no network"
        > view post
          failure   "no network"  [retry]
        > view post retry
             1.000s  post  error "no network" → loading #2
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.member)
    let member = try session.member(name)
    if arguments.has("appear") {
      try appear(member, span: name.span)
    } else if arguments.has("disappear") {
      try member.cancel(at: name.span)
    } else if arguments.has("retry") {
      try pressRetry(member, button: arguments.span(of: "retry") ?? name.span, span: name.span)
    } else {
      let placeholder = arguments[placeholder]?.value
      session.output.print(try member.slot(at: name.span).line(placeholder: placeholder))
    }
  }

  @MainActor private static func appear(
    _ member: any Member,
    span: Range<Int>
  ) throws(Diagnostic) {
    _ = try member.slot(at: span)
    var request = StartRequest()
    request.span = span
    if try !member.retry(at: span) { try member.start(request) }
  }

  @MainActor private static func pressRetry(
    _ member: any Member,
    button: Range<Int>,
    span: Range<Int>
  ) throws(Diagnostic) {
    guard case .failure = try member.slot(at: span), try member.retry(at: span) else {
      throw Diagnostic(
        .noButton("retry", in: member.name, showing: member.stateText),
        at: button,
        hint: "only the failure slot has one; 'retry \(member.name)' starts again from any state"
      )
    }
  }

  private static let placeholder = Slot<Located<JSONValue>>("placeholder", "VALUE") {
    parser throws(Diagnostic) in try parser.value()
  }
}
