package import RehearsalBase

/// What a load's block does, step by step: the script of one attempt.
package struct Answer: Sendable, Equatable {
  /// States handed over on the way, each some time after the one before.
  package var yields: [Yield] = []
  package var outcome: Outcome
  /// What it may end with instead, which a plain run never does.
  package var alternatives: [Outcome] = []
  /// How long after the start, or after the last yield, the outcome comes; nil: `after` says it.
  package var delay: Located<DurationRange>?

  package struct Yield: Sendable, Equatable {
    package let state: Located<StateSpec>
    /// After the start or the yield before; nil: at once.
    package let delay: Located<DurationRange>?
  }

  /// How the block ends.
  package enum Outcome: Sendable, Equatable {
    case value(Located<JSONValue>)
    /// It returns; what a process does, and a block that has yielded.
    case done
    case fail(ErrorSpec)
    /// Throws the control error of its own family.
    case cancelling, resetting
    /// Hangs until it is cancelled.
    case never
    /// Ends as a request over HTTP does.
    case request(RequestSource)

    /// The words that an outcome begins with, unless it is a value.
    package static let words = ["fail", "never", "cancelling", "resetting", "from"]
  }

  /// What it may end with, the plain one first.
  package var outcomes: [Outcome] { [outcome] + alternatives }

  package init(outcome: Outcome) {
    self.outcome = outcome
  }
}

/// The request that a load makes: one of its own, or an endpoint by its name or number.
package enum RequestSource: Sendable, Equatable {
  case spec(Located<RequestSpec>)
  case endpoint(Located<String>)

  package var span: Range<Int> {
    switch self {
    case .spec(let spec): spec.span
    case .endpoint(let name): name.span
    }
  }

  /// As it was written, in one spelling.
  package var text: String {
    switch self {
    case .spec(let spec): spec.value.text
    case .endpoint(let name): "endpoint " + name.value
    }
  }
}

extension Parser {
  /// `VALUE`, `fail ERROR`, `from REQUEST`, `never`, `cancelling` or `resetting`, or several of them with `or`
  /// between; or `yielding …`.
  package mutating func loadAnswer() throws(Diagnostic) -> Answer {
    if accept("yielding") != nil { return try yieldingAnswer() }
    var answer = Answer(outcome: try loadOutcome())
    while accept("or") != nil { answer.alternatives.append(try loadOutcome()) }
    endOfAnswers = endOfTaken
    return answer
  }

  private mutating func loadOutcome() throws(Diagnostic) -> Answer.Outcome {
    if let outcome = try outcomeIfAny(orRequest: true) { return outcome }
    if isAtEnd {
      expect(.sample("a JSON value", example: "\"text\""))
      throw expected(
        "a JSON value",
        hint: "or 'from', 'fail', 'yielding', 'never', 'cancelling' or 'resetting'"
      )
    }
    return .value(try value())
  }

  /// The same for a process, which delivers no value.
  package mutating func runAnswer() throws(Diagnostic) -> Answer {
    var answer = Answer(outcome: try outcomeIfAny(orRequest: true) ?? .done)
    try readAlternatives(of: &answer, orRequest: true)
    return answer
  }

  /// `or OUTCOME`, any number of times.
  private mutating func readAlternatives(
    of answer: inout Answer,
    orRequest: Bool = false
  ) throws(Diagnostic) {
    while accept("or") != nil {
      guard let outcome = try outcomeIfAny(orRequest: orRequest) else {
        throw expected(
          (orRequest ? "'from', " : "") + "'fail', 'never', 'cancelling' or 'resetting'"
        )
      }
      answer.alternatives.append(outcome)
    }
    endOfAnswers = endOfTaken
  }

  /// `from [METHOD] TARGET`, or `from endpoint NAME`.
  package mutating func requestSourceIfAny() throws(Diagnostic) -> RequestSource? {
    guard accept("from") != nil else { return nil }
    guard accept("endpoint") != nil else { return .spec(try requestSpec()) }
    expect(.endpoint)
    return .endpoint(try word("the name or the number of an endpoint"))
  }

  package var isNextOutcome: Bool {
    isNext("or") || Answer.Outcome.words.contains { isNext($0) }
  }

  package mutating func outcomeIfAny(
    orRequest: Bool = false
  ) throws(Diagnostic) -> Answer.Outcome? {
    if orRequest, let source = try requestSourceIfAny() { return .request(source) }
    if accept("fail") != nil { return .fail(try error().value) }
    if accept("never") != nil { return .never }
    if accept("cancelling") != nil { return .cancelling }
    if accept("resetting") != nil { return .resetting }
    return nil
  }

  /// `yielding V after D, V after D … [then OUTCOME [or OUTCOME …] [after D]]`; `yielding nothing` yields none.
  private mutating func yieldingAnswer() throws(Diagnostic) -> Answer {
    var answer = Answer(outcome: .done)
    if accept("nothing") == nil {
      repeat {
        answer.yields.append(try yield())
      } while accept(byte: UInt8(ascii: ","))
    }
    if accept("then") != nil {
      guard let outcome = try outcomeIfAny() else {
        throw expected("'fail', 'never', 'cancelling' or 'resetting'")
      }
      answer.outcome = outcome
      try readAlternatives(of: &answer)
    }
    answer.delay = try delayIfAny()
    return answer
  }

  private mutating func yield() throws(Diagnostic) -> Answer.Yield {
    let start = position
    let state: StateSpec
    if let word = try stateIfAny() { state = word } else { state = .loaded(try value()) }
    let located = Located(state, at: start..<endOfTaken)
    return Answer.Yield(state: located, delay: try delayIfAny())
  }

  private mutating func delayIfAny() throws(Diagnostic) -> Located<DurationRange>? {
    guard accept("after") != nil else { return nil }
    return try durationRange()
  }
}
