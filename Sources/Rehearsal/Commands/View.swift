import RehearsalBase
import Script

extension ShellCommand {
  static let view = ShellCommand(
    definition: CommandDefinition(
      "view",
      topic: .looking,
      summary: "Shows a member as a view would: empty, progress, failure or content.",
      details: [
        "A slot is the part of a view for one state: 'empty' before a load, 'progress' during it, 'failure' with the error, and 'content'. RemoteContentView, a SwiftUI view, has these slots. The progress bar shows how much of the HTTP body has arrived; it is dotted if the length is unknown.",
        "'redacted VALUE' fills the progress slot with a masked placeholder. 'retry' presses the button of the failure slot. 'appear' loads and 'disappear' cancels, as when the view appears and disappears. Without a default request, 'appear' repeats the latest load.",
      ],
      problems: [
        "spinner, progress, skeleton, placeholder: shows what a view would show"
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
        "retry": "presses the button that starts again", "appear": "the view appears, and loads",
        "disappear": "the view disappears, and cancels",
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
        hint:
          "only the failure slot has a button; 'retry \(member.name)' starts again from any state"
      )
    }
  }

  private static let placeholder = Slot<Located<JSONValue>>("placeholder", "VALUE") {
    parser throws(Diagnostic) in try parser.value()
  }
}
