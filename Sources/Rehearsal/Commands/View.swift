import Script

extension ShellCommand {
  static let view = ShellCommand(
    definition: CommandDefinition(
      "view",
      topic: .looking,
      summary: "Shows a member the way a view would: in one of four slots.",
      details: [
        "The slots are those of RemoteContentView: 'empty' where nothing is requested, 'progress' while it loads, 'failure' with the error, 'content'. The bar is filled as far as the body of an HTTP answer has come, and dotted where nobody knows how long that is.",
        "'redacted VALUE' fills the progress slot with a placeholder, masked. 'retry' presses the failure slot's button, which no other slot has.",
      ],
      arguments: [.slot(Slot<Located<String>>.member)],
      clauses: [.sequence([.keyword("redacted"), .slot(placeholder)]), .keyword("retry")],
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
    guard arguments.has("retry") else {
      let placeholder = arguments[placeholder]?.value.text(within: valueColumns)
      return session.emit(try member.slot(at: name.span).line(placeholder: placeholder))
    }
    guard case .failure = try member.slot(at: name.span), try member.retry(at: name.span) else {
      throw Diagnostic(
        .noButton("retry", in: member.name, showing: member.stateText),
        at: arguments.span(of: "retry") ?? name.span,
        hint: "only the failure slot has one; 'retry \(member.name)' starts again from any state"
      )
    }
  }

  private static let placeholder = Slot<Located<JSONValue>>("placeholder", "VALUE") {
    parser throws(Diagnostic) in try parser.value()
  }
}
