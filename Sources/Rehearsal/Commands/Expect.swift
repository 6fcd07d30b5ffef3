import MockHTTP
import RehearsalBase
import Script
import Staging
import Timelines

extension ShellCommand {
  static let expect = ShellCommand(
    definition: CommandDefinition(
      "expect",
      topic: .looking,
      summary: "Asserts a state or a number, and fails if it does not hold.",
      details: [
        "It checks the present state. 'within D' lets virtual time pass until the condition holds, at most D. 'map FIELD' checks a part of the value: a field, an element by its number from 0, or 'length', as in 'expect user map name loaded \"Ann\"'. 'not' checks that the present state is another one; with 'within D' it waits for another one. 'never' fails if the state held at any time since NAME was created; 'never' with 'within D' also checks the next D. A STATE may be partial: 'loaded' is any value, 'error' any error, 'loading #2' the second start. A process is idle, running, finished or failed; a pipe, an input and a property of a scene have a value, as in 'expect query \"sw\"'. 'attempts N' counts the starts of NAME. A count with 'within D' is checked at the end of D.",
        "If it fails while nothing is left to run, and a task of a scene still waits, a note says what the task waits for, and where. The note is not part of the transcript.",
        "'requests N' counts the HTTP requests, 'requests GET /posts N' those that match. 'at most N' allows fewer.",
      ],
      problems: [
        "assert, check, verify: fails if a state or a number does not hold"
      ],
      arguments: [.asserted(fact)],
      clauses: [.sequence([.keyword("within"), .slot(deadline)])],
      meanings: [
        "requests": "the number of requests", "attempts": "the number of starts",
        "never": "a state that the member was never in",
        "not": "a state that the member is not in now", "within": "the limit in virtual time",
        "at": "no more than", "most": "no more than", "map": "a part of the value",
      ],
      action: .expect,
      effects: .asserts,
      clauseEffects: ["within": .advancesTime],
      examples: [
        """
        > loadable profile
        > load profile 1 after 1s
             0.000s  profile  absent → loading #1
        > expect profile loading #1
          ok
        > expect profile loaded within 2s
             1.000s  profile  loading #1 → loaded 1
          ok
        > expect profile not loading
          ok
        > expect profile never error
          ok
        > expect profile attempts 1
          ok
        """,
        """
        > loadable users = [{"name": "Ann"}, {"name": "Bob"}]
        > expect users map length loaded 2
          ok
        > expect users map 0.name loaded "Ann"
          ok
        """,
        """
        > route GET /posts 503, 200 json []
        > loadable posts from /posts
        > load posts retry 1
             0.000s  posts  absent → loading #1
             0.000s  posts  #1 try 1 of 2 failed: http 503; next at once
             0.000s  posts  loading #1 → loaded []
        > expect requests GET /posts 2
          ok
        """,
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    if let count = arguments[requestCount] {
      let pattern = arguments[patternSlot]
      try session.checkRequests(pattern, count, within: arguments[deadline])
      session.output.print("ok")
      return session.noteUnmatched(pattern, count)
    }
    let member = try session.member(arguments.required(.member))
    let fact = arguments.required(fact)
    try session.checkExpectation(member, fact, within: arguments[deadline])
    session.output.print("ok")
    if let pattern = fact.value.pattern, member.hasNeverHadPart(of: pattern) {
      session.output.print(.note("no value of '\(member.name)' has had the part of this check"))
    }
  }

  static let requestCount = Slot<Located<ExpectedCount>>("requestCount", "[at most] N") {
    parser throws(Diagnostic) in try parser.expectedCount("a number of requests")
  }

  private static let deadline = Slot<Located<Duration>>.duration("deadline")

  /// The condition; `always`, `never` and `eventually` have a slot with the same name.
  static let fact = Slot<Located<MemberExpectation>>(
    "fact",
    "[map FIELD] [not | never] STATE | attempts [at most] N"
  ) { parser throws(Diagnostic) in try parser.fact(orNegative: true) }
}

extension Parser {
  /// Reads `attempts [at most] N`, or a state or the state of a field, with an optional `not` or `never` before it if
  /// `orNegative` is true.
  mutating func fact(orNegative: Bool = false) throws(Diagnostic) -> Located<MemberExpectation> {
    let start = position
    if accept("attempts") != nil {
      let count = try expectedCount("a number of attempts")
      return Located(.attempts(count.value), at: start..<count.span.upperBound)
    }
    var path: [String] = []
    if accept("map") != nil {
      expect(.sample("a field, an element's number, or 'length'", example: "name"))
      path = Self.path(try fieldPath().value)
    }
    let isDifferent = orNegative && accept(StatePattern.difference) != nil
    let isNever = orNegative && !isDifferent && accept(StatePattern.negation) != nil
    let read = try statePattern()
    var pattern = read.value
    pattern.path = path
    return Located(
      isDifferent ? .isNot(pattern) : isNever ? .never(pattern) : .state(pattern),
      at: start..<read.span.upperBound
    )
  }
}

extension Syntax {
  /// Returns the syntax of a condition about requests or about a member.
  static func asserted(_ fact: Slot<Located<MemberExpectation>>) -> Syntax {
    .oneOf([
      .sequence([
        .keyword("requests"), .optional(.slot(ShellCommand.patternSlot)),
        .slot(ShellCommand.requestCount),
      ]),
      .sequence([.slot(Slot<Located<String>>.member), .slot(fact)]),
    ])
  }
}

/// The condition that `expect` checks for a member.
enum MemberExpectation: Sendable {
  case state(StatePattern)
  case isNot(StatePattern)
  case never(StatePattern)
  case attempts(ExpectedCount)

  var pattern: StatePattern? {
    switch self {
    case .state(let pattern), .isNot(let pattern), .never(let pattern): pattern
    case .attempts: nil
    }
  }
}

@MainActor extension Session {
  func checkExpectation(
    _ member: any Member,
    _ fact: Located<MemberExpectation>,
    within deadline: Located<Duration>?
  ) throws(Diagnostic) {
    if let pattern = fact.value.pattern {
      try member.check(Located(pattern, at: fact.span))
    }
    member.refresh()
    switch fact.value {
    case .state(let pattern), .isNot(let pattern):
      let isNot = if case .isNot = fact.value { true } else { false }
      if isNot, let deadline, !member.satisfies(pattern) {
        output.print(
          .note(
            "it holds already, so no time passes; '\(member.name)\(pattern.pathText) \(StatePattern.negation) \(pattern.text) within \(deadline.value.compact)' checks the whole time"
          )
        )
      }
      guard try !reach(pattern, isSo: !isNot, of: member, within: deadline) else { return }
      let time = deadline.map { " within \($0.value.compact)" } ?? ""
      let state = isNot ? "\(StatePattern.difference) \(pattern.text)" : pattern.text
      throw failed(
        "\(member.name)\(pattern.pathText) \(state)\(time), but it is \(text(of: member, at: pattern.path))",
        fact,
        of: member
      )
    case .never(let pattern):
      if let deadline { try clock.advance(by: deadline.value, span: deadline.span) }
      member.refresh()
      guard let time = member.firstVisit(pattern, isSo: true, from: 0) else {
        guard let since = member.visitsKnownSince else { return }
        throw failed(
          "\(member.name)\(pattern.pathText) never \(pattern.text), but its states before \(options.text(since)) are no longer kept",
          fact
        )
      }
      throw failed(
        "\(member.name)\(pattern.pathText) never \(pattern.text), but it was at \(options.text(time))",
        fact
      )
    case .attempts(let count):
      if let deadline { try clock.advance(by: deadline.value, span: deadline.span) }
      guard !count.admits(member.attemptCount) else { return }
      throw failed(
        "\(member.name) attempts \(count.text), but there were \(member.attemptCount)",
        fact,
        actual: "\(member.attemptCount)"
      )
    }
  }

  /// Returns the state of a member as text, with a part of its value if it has this part.
  private func text(of member: any Member, at path: [String]) -> String {
    guard !path.isEmpty else { return member.stateText }
    let mapped = try? member.mapped(path.map { Located($0, at: 0..<0) }, isCompact: false)
    return mapped ?? member.stateText
  }

  func checkRequests(
    _ pattern: Located<RequestPattern>?,
    _ count: Located<ExpectedCount>,
    within deadline: Located<Duration>?
  ) throws(Diagnostic) {
    // A count is certain only after the whole time.
    if let deadline { try clock.advance(by: deadline.value, span: deadline.span) }
    let found = http.count(like: pattern?.value)
    let isExact = pattern == nil || http.server.log.cutCount == 0
    if count.value.admits(found), isExact { return }
    let start = pattern?.span.lowerBound ?? count.span.lowerBound
    let what = pattern.map { " " + $0.value.targetText } ?? ""
    let but =
      isExact
      ? "but there were \(found)" : "but there are \(found) among the requests that are still kept"
    throw Diagnostic(
      .expectationFailed(
        "expected requests\(what) \(count.value.text), \(but)",
        actual: "\(found)"
      ),
      at: start..<count.span.upperBound,
      hint: "'requests' lists them"
    )
  }

  /// Prints a note if a limit holds because no request matches its pattern, which may be misspelt.
  func noteUnmatched(_ pattern: Located<RequestPattern>?, _ count: Located<ExpectedCount>) {
    guard let pattern, count.value.isMost, count.value.number > 0,
      http.count(like: pattern.value) == 0
    else { return }
    output.print(
      .note("no request matches '\(pattern.value.targetText)'; 'requests' lists the requests")
    )
  }

  /// Advances time, if `deadline` is given, until the member has been in the state, or in another one if `isSo` is false.
  /// Returns whether it was.
  private func reach(
    _ pattern: StatePattern,
    isSo: Bool,
    of member: any Member,
    within deadline: Located<Duration>?
  ) throws(Diagnostic) -> Bool {
    if member.satisfies(pattern) == isSo { return true }
    guard let deadline else { return false }
    var visits = member.visitCount
    return try pass(deadline) {
      defer { visits = member.visitCount }
      member.refresh()
      return member.firstVisit(pattern, isSo: isSo, from: visits) != nil
    }
  }

  /// Advances time until `isSo` returns true or the deadline passes. Returns the last result of
  /// `isSo`.
  private func pass(
    _ deadline: Located<Duration>,
    until isSo: () -> Bool
  ) throws(Diagnostic) -> Bool {
    if isSo() { return true }
    let end = stage.now.advanced(by: deadline.value)
    var instants = 0
    while let next = stage.nextInstant, next <= end {
      guard instants < SessionClock.mostSteps else {
        throw clock.endless("more than \(instants) instants by \(stage.now)", deadline.span)
      }
      instants += 1
      guard try clock.step(span: deadline.span) else { break }
      if isSo() { return true }
    }
    try clock.advance(by: stage.now.duration(to: end), span: deadline.span)
    return isSo()
  }

  private func failed(
    _ sentence: String,
    _ fact: Located<MemberExpectation>,
    of member: (any Member)? = nil,
    actual: String? = nil
  ) -> Diagnostic {
    let problem = Problem.expectationFailed(
      "expected " + sentence,
      state: member?.stateWord,
      kind: member?.stateKind,
      actual: actual ?? member?.stateText
    )
    return Diagnostic(problem, at: fact.span)
  }
}
