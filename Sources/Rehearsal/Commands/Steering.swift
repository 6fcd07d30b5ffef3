import Script

extension ShellCommand {
  static let cancel = ShellCommand(
    definition: CommandDefinition(
      "cancel",
      topic: .loading,
      summary: "Cancels the load or run in flight of a member.",
      details: [
        "By default the member returns to its state before the attempt; under 'processed' its state does not change. 'caller' instead cancels the task of the latest 'awaited' start, as a disappearing view does."
      ],
      arguments: [.slot(Slot<Located<String>>.member), .optional(.keyword("caller"))],
      meanings: ["caller": "the task that awaits it, not the load itself"],
      action: .cancel,
      examples: [
        """
        > loadable profile: String = "old"
        > load profile "new" after 2s
             0.000s  profile  loaded "old" → loading #1
        > wait 1s
        > cancel profile
             1.000s  profile  loading #1 → loaded "old", #1 cancelled
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.member)
    let member = try session.member(name)
    guard arguments.has("caller") else { return try member.cancel(at: name.span) }
    guard try member.cancelCaller(at: name.span) else {
      throw Diagnostic(
        .nothingInFlight(member.name),
        at: name.span,
        hint: "'load \(member.name) … awaited' starts one that a caller waits for"
      )
    }
  }

  static let reset = ShellCommand(
    definition: CommandDefinition(
      "reset",
      topic: .loading,
      summary: "Cancels the load or run in flight of a member and clears its value.",
      arguments: [.slot(Slot<Located<String>>.member)],
      action: .reset,
      examples: [
        """
        > loadable profile: String = "old"
        > reset profile
             0.000s  profile  loaded "old" → absent
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.member)
    try session.member(name).reset(at: name.span)
  }

  static let retry = ShellCommand(
    definition: CommandDefinition(
      "retry",
      topic: .loading,
      summary: "Starts the latest load or run of a member again.",
      arguments: [.slot(Slot<Located<String>>.member)],
      action: .retry,
      examples: [
        """
        > loadable profile: String
        > load profile fail url timedOut after 1s
             0.000s  profile  absent → loading #1
        > settle
             1.000s  profile  loading #1 → error url timedOut
        > retry profile
             1.000s  profile  error url timedOut → loading #2
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.member)
    let member = try session.member(name)
    guard try member.retry(at: name.span) else {
      throw Diagnostic(
        .nothingToRetry(member.name),
        at: name.span,
        hint: session.impetus(of: member)
      )
    }
  }

  static let inject = ShellCommand(
    definition: CommandDefinition(
      "inject",
      topic: .loading,
      summary: "Makes a load or run fail now, or HTTP requests at random.",
      details: [
        "If the load has 'retry', only its current try fails; if it waits for the next try, that try fails.",
        "'inject http' makes N percent of all requests fail until 'inject http off'. They are chosen at random, by the session's seed or by 'seed N'; 'explore' tries each request with and without the failure. FAULT and STATUS are as in 'route', such as 'reset' and 503.",
        "An ERROR is a text in quotes, 'url NAME' with a name from URLError.Code, 'http STATUS', 'transport NAME' for a failed transfer, 'decoding TEXT', 'image TEXT', 'timeout', 'cancellation', or an error by which a load cancels or resets itself, such as CancelLoadable. 'help errors' explains them.",
      ],
      problems: [
        "flaky network, unreliable server: makes a share of all requests fail"
      ],
      arguments: [
        .oneOf([
          .sequence([
            .keyword("http"),
            .oneOf([.keyword("off"), .sequence([.slot(rateSlot), .slot(injectedSlot)])]),
          ]),
          .sequence([.slot(Slot<Located<String>>.member), .slot(errorSlot)]),
        ])
      ],
      clauses: [.sequence([.keyword("seed"), .slot(faultSeed)])],
      meanings: ["off": "stops the injection", "http": "makes requests fail, not loads"],
      action: .inject,
      examples: [
        """
        > loadable feed
        > load feed never
             0.000s  feed  absent → loading #1
        > inject feed http 503
             0.000s  feed  loading #1 → error http 503
        """,
        """
        > route GET /posts 200 json []
        > inject http 100% reset
        > loadable posts
        > load posts from /posts
             0.000s  posts  absent → loading #1
             0.000s  posts  loading #1 → error transport reset
        > inject http off
        > retry posts
             0.000s  posts  error transport reset → loading #2
             0.000s  posts  loading #2 → loaded []
        """,
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    guard let name = arguments[.member] else { return try session.injectFaults(arguments) }
    let member = try session.member(name)
    if let seed = arguments.span(of: "seed") {
      throw Diagnostic(.unexpected("seed"), at: seed, hint: "only 'inject http' is random")
    }
    guard try member.inject(arguments.required(errorSlot).value, at: name.span) else {
      throw Diagnostic(
        .nothingInFlight(member.name),
        at: name.span,
        hint: "start one first; 'list' shows the states"
      )
    }
  }

  private static let errorSlot = Slot<Located<ErrorSpec>>("error", "ERROR") {
    parser throws(Diagnostic) in try parser.error()
  }
}
