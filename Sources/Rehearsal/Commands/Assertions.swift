import MockHTTP
import RehearsalBase
import Script

extension ShellCommand {
  static let always = runAssertion(
    "always",
    summary: "Asserts that something holds from now on, at every moment.",
    details: [
      "The condition is one of 'expect': the STATE of NAME, or a number of attempts or requests. A state is checked when it changes, a number before virtual time advances. If the condition does not hold, the command that runs at that moment fails. 'assertions' lists all assertions of 'always', 'never', 'eventually' and 'sometimes'. 'forget assertion N' removes one.",
      "If nothing happens between this command and the end of the session, the assertion has checked nothing, and that is an error. 'forget NAME' also ends the assertion.",
    ],
    examples: [
      """
      > route GET /posts 503, 200 json []
      > loadable posts from /posts
      > always requests GET /posts at most 1
      > load posts retry 1
           0.000s  posts  absent → loading #1
           0.000s  posts  #1 try 1 of 2 failed: http 503; next at once
           0.000s  posts  loading #1 → loaded []
        error: 'always requests GET /posts at most 1' is violated at 0.000s: there are 2
      """
    ]
  ) { _, _ in .always }

  static let never = runAssertion(
    "never",
    summary: "Asserts that something holds at no moment from now on.",
    details: ["It takes the same conditions as 'always'."],
    problems: [
      "stale value, outdated result: 'never NAME loaded VALUE' fails as soon as it appears"
    ],
    examples: [
      """
      > loadable profile
      > never profile error
      > load profile fail "no network" after 1s
           0.000s  profile  absent → loading #1
      > settle
           1.000s  profile  loading #1 → error "no network"
        error: 'never profile error' is violated at 1.000s: profile is error "no network"
      """
    ]
  ) { _, _ in .never }

  static let eventually = runAssertion(
    "eventually",
    summary: "Asserts that something holds at some moment from now on.",
    details: [
      "It takes the same conditions as 'always', and is met as soon as the condition holds. 'within D' sets a limit in virtual time: if the condition does not hold by then, the assertion is violated.",
      "If it is still open when the session ends, or when its member is forgotten, that is an error.",
    ],
    problems: [
      "stuck spinner, endless loading: 'eventually NAME loaded within 2s' fails if it does not end"
    ],
    clauses: [.sequence([.keyword("within"), .slot(assertedTime)])],
    examples: [
      """
      > loadable profile
      > eventually profile loaded within 2s
      > load profile 1 after 3s
           0.000s  profile  absent → loading #1
      > settle
        error: 'eventually profile loaded within 2s' is violated at 2.000s: the condition was never true
           3.000s  profile  loading #1 → loaded 1
      """
    ]
  ) { session, arguments throws(Diagnostic) in
    try refuseLimit(in: arguments)
    guard let duration = arguments[assertedTime] else { return .eventually(by: nil) }
    try session.clock.requireTime(for: duration.value, span: duration.span)
    return .eventually(by: session.stage.now.elapsed + duration.value)
  }

  /// Refuses `eventually … at most N`: it holds before anything is counted, so it would check nothing.
  private static func refuseLimit(in arguments: Arguments) throws(Diagnostic) {
    var count = arguments[requestCount]
    if case .attempts(let attempts)? = arguments[expectationSlot]?.value,
      let span = arguments[expectationSlot]?.span
    {
      count = Located(attempts, at: span)
    }
    guard let count, count.value.isMost else { return }
    throw Diagnostic(
      .conflictingClauses("eventually", "at most"),
      at: count.span,
      hint: "a limit holds from the beginning; 'always' checks it at every moment"
    )
  }

  static let sometimes = runAssertion(
    "sometimes",
    summary: "Asserts that something holds in at least one run of a search.",
    details: [
      "It takes the same conditions as 'always'. It holds in a run if the condition holds at some moment from now on. 'explore' prints the number of runs in which it held, and fails if it held in none. So a search shows that it has reached this state.",
      "A single run never fails because of it. If it does not hold there, a note says so at the end.",
    ],
    problems: [
      "coverage of a search, reached, reachable state: 'sometimes NAME error' fails a search that never reaches it"
    ],
    examples: [
      """
      > loadable feed
      > sometimes feed error
      > load feed 1 or fail "offline"
           0.000s  feed  absent → loading #1
           0.000s  feed  loading #1 → loaded 1
      > explore
        3 runs of the session, all orders of suspension points and executor hops: 2 behaviours
        'sometimes feed error' held in 1 of 3 runs
        1. 2 runs, including the default schedule
        2. 1 run, for example 'schedule 1:1'
           > load feed 1 or fail "offline"
           -    0.000s  feed  loading #1 → loaded 1
           +    0.000s  feed  loading #1 → error "offline"
      """
    ]
  ) { _, _ in .sometimes }

  static let assertions = ShellCommand(
    definition: CommandDefinition(
      "assertions",
      topic: .looking,
      summary:
        "Lists the assertions of 'always', 'never', 'eventually' and 'sometimes', with results.",
      details: [
        "'always' and 'never' hold so far or are violated. 'eventually' is open, met or violated. 'sometimes' has held in this run or has not."
      ],
      effects: .looks,
      examples: [
        """
        > loadable profile
        > never profile error
        > eventually profile loaded within 2s
        > assertions
          1  never profile error  holding so far
          2  eventually profile loaded within 2s  open until 2.000s
        > load profile 1
             0.000s  profile  absent → loading #1
             0.000s  profile  loading #1 → loaded 1
        > assertions
          1  never profile error  holding so far
          2  eventually profile loaded within 2s  met at 0.000s
        """
      ]
    )
  ) { session, _ throws(Diagnostic) in
    if session.assertions.all.isEmpty {
      session.output.print("no run assertions yet; try 'never NAME error'")
    }
    for assertion in session.assertions.all {
      let words = session.assertions.words(for: assertion)
      session.output.print(
        "\(assertion.number)  \(assertion.text.identifiable(atMost: 200))  \(words)"
      )
      session.output.addObject(
        JSONLine("assertion").with("id", assertion.number).with("text", assertion.text)
          .with("verdict", words)
      )
    }
  }

  private static func runAssertion(
    _ verb: String,
    summary: String,
    details: [String],
    problems: [String] = [],
    clauses: [Syntax] = [],
    examples: [String],
    rule:
      @escaping @MainActor @Sendable (Session, Arguments) throws(Diagnostic) -> RunAssertion.Rule
  ) -> ShellCommand {
    ShellCommand(
      definition: CommandDefinition(
        verb,
        topic: .looking,
        summary: summary,
        details: details,
        problems: problems,
        arguments: [.asserted(expectationSlot)],
        clauses: clauses,
        meanings: [
          "requests": "the number of requests", "attempts": "the number of starts",
          "at": "no more than", "most": "no more than", "within": "the limit in virtual time",
        ],
        action: .expect,
        effects: [.changes, .asserts],
        examples: examples
      )
    ) { session, arguments throws(Diagnostic) in
      let claim = try session.claim(in: arguments)
      let spans = [
        arguments[expectationSlot]?.span, arguments[requestCount]?.span,
        arguments[assertedTime]?.span,
      ]
      let end = spans.compactMap { $0?.upperBound }.max() ?? 0
      session.assertions.add(
        try rule(session, arguments),
        claim,
        endingAt: end,
        footprint: session.footprint
      )
    }
  }

  fileprivate static let expectationSlot = Slot<Located<MemberExpectation>>(
    "fact",
    "[map FIELD] STATE | attempts [at most] N"
  ) { parser throws(Diagnostic) in try parser.fact() }

  private static let assertedTime = Slot<Located<Duration>>.duration("assertedTime")
}

@MainActor extension Session {
  fileprivate func claim(in arguments: Arguments) throws(Diagnostic) -> RunAssertion.Claim {
    if let count = arguments[ShellCommand.requestCount] {
      let pattern = arguments[ShellCommand.patternSlot]?.value
      let http = http
      return .count(
        count.value,
        of: nil,
        { http.count(like: pattern) },
        isExact: { pattern == nil || http.server.log.cutCount == 0 }
      )
    }
    let member = try member(arguments.required(.member))
    let fact = arguments.required(ShellCommand.expectationSlot)
    switch fact.value {
    case .attempts(let count):
      return .count(count, of: member, { member.attemptCount }, isExact: { true })
    case .isNot, .never: preconditionFailure("The slot of a run assertion takes no negation.")
    case .state(let pattern):
      try member.check(Located(pattern, at: fact.span))
      return .state(pattern, of: member)
    }
  }
}
