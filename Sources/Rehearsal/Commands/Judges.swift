import MockHTTP
import RehearsalBase
import Script

extension ShellCommand {
  static let always = assertionCommand(
    "always",
    summary: "Says what must be so from now on, all the time.",
    details: [
      "What must be so is said as for 'expect': a STATE of a member, or how many attempts or requests there were. A state is judged whenever the member changes, a count when all of an instant is done. Once it is not so, an error says when, and the command fails during which that was. 'judges' lists what is judged, and 'forget judge N' ends it.",
      "If nothing happens after it until the session ends, it has checked nothing, and that is an error. It ends when its member is forgotten.",
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
        error: 'always requests GET /posts at most 1' is broken at 0.000s: there are 2
      """
    ]
  ) { _, _ in .always }

  static let never = assertionCommand(
    "never",
    summary: "Says what must not be so from now on, at any time.",
    details: ["It is judged as 'always' is."],
    examples: [
      """
      > loadable profile
      > never profile error
      > load profile fail "no network" after 1s
           0.000s  profile  absent → loading #1
      > settle
           1.000s  profile  loading #1 → error "no network"
        error: 'never profile error' is broken at 1.000s: profile is error "no network"
      """
    ]
  ) { _, _ in .never }

  static let eventually = assertionCommand(
    "eventually",
    summary: "Says what must be so at some time from now on.",
    details: [
      "It is met as soon as it is so. With 'within D' it is broken when that time is over; until then, and without it as long as the session goes on, it is open: neither met nor broken. It is judged as 'always' is.",
      "If it is open when the session ends, that is an error. It is broken if its member is forgotten before.",
    ],
    clauses: [.sequence([.keyword("within"), .slot(assertedTime)])],
    examples: [
      """
      > loadable profile
      > eventually profile loaded within 2s
      > load profile 1 after 3s
           0.000s  profile  absent → loading #1
      > settle
        error: 'eventually profile loaded within 2s' is broken at 2.000s: it was never so
           3.000s  profile  loading #1 → loaded 1
      """
    ]
  ) { session, arguments throws(Diagnostic) in
    guard let duration = arguments[assertedTime] else { return .eventually(by: nil) }
    try session.clock.requireTime(for: duration.value, span: duration.span)
    return .eventually(by: session.stage.now.elapsed + duration.value)
  }

  static let judges = ShellCommand(
    definition: CommandDefinition(
      "judges",
      topic: .looking,
      summary: "Lists what is judged over the whole run, and how that has gone.",
      details: [
        "What 'always' and 'never' say is holding so far, or broken; what 'eventually' says is open, met or broken."
      ],
      effects: .looks,
      examples: [
        """
        > loadable profile
        > never profile error
        > eventually profile loaded within 2s
        > judges
          1  never profile error  holding so far
          2  eventually profile loaded within 2s  open until 2.000s
        > load profile 1
             0.000s  profile  absent → loading #1
             0.000s  profile  loading #1 → loaded 1
        > judges
          1  never profile error  holding so far
          2  eventually profile loaded within 2s  met at 0.000s
        """
      ]
    )
  ) { session, _ throws(Diagnostic) in
    if session.assertions.all.isEmpty {
      session.output.print("nothing is judged yet; try 'never NAME error'")
    }
    for assertion in session.assertions.all {
      let words = session.assertions.words(for: assertion)
      session.output.print(
        "\(assertion.number)  \(assertion.text.printable(atMost: 200))  \(words)"
      )
      session.output.addObject(
        JSONLine("judge").with("id", assertion.number).with("text", assertion.text).with(
          "verdict",
          words
        )
      )
    }
  }

  private static func assertionCommand(
    _ verb: String,
    summary: String,
    details: [String],
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
        arguments: [.expected(expectationSlot)],
        clauses: clauses,
        meanings: [
          "requests": "how many requests there are", "attempts": "how often it was started",
          "at": "no more than", "most": "no more than", "within": "until when it must be so",
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
    "expectation",
    "STATE | attempts [at most] N"
  ) { parser throws(Diagnostic) in try parser.expectation() }

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
    let expectation = arguments.required(ShellCommand.expectationSlot)
    switch expectation.value {
    case .attempts(let count):
      return .count(count, of: member, { member.attemptCount }, isExact: { true })
    case .state(let pattern), .never(let pattern):
      try member.check(Located(pattern, at: expectation.span))
      return .state(pattern, of: member)
    }
  }
}
