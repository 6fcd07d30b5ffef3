package import RehearsalBase

/// A `load` or `run` command: its answer, step by step, and its clauses.
package struct StartRequest: Sendable {
  /// The range of the member's name.
  package var span = 0..<0
  package var kind: Located<String>?
  /// States that are written before the end, each after a delay.
  package var yields: [Yield] = []
  /// The end of the block; nil for the default of the member.
  package var outcome: Outcome?
  /// Alternative ends for a search.
  package var alternatives: [Outcome] = []
  /// The time from the last yield to the end.
  package var delay: Located<DurationRange>?

  // MARK: Clauses

  /// The time from the start to the end.
  package var after: Located<DurationRange>?
  package var isSilent = false
  /// Whether it uses the `async` overload, in a task of the caller.
  package var isAwaited = false
  /// Whether that task is cancelled before it starts the attempt.
  package var isCallerCancelled = false
  package var isUncancellable = false
  /// The reaction of the block to cancellation; nil to pass it on.
  package var whenCancelled: Located<Outcome>?
  package var interrupts: [Interrupt] = []
  package var timeout: Located<Duration>?
  /// Number of tries after the first.
  package var retries: Int?
  package var backoff: Located<Duration>?
  package var hasJitter = false
  /// The first tries fail with this error.
  package var failing: (error: ErrorSpec, tries: Int)?
  package var priority: TaskPriority?

  package init(outcome: Outcome? = nil) {
    self.outcome = outcome
  }

  package struct Yield: Sendable {
    package let state: Located<StateSpec>
    /// The delay after the start or the previous value; nil for none.
    package let delay: Located<DurationRange>?
  }

  package struct Interrupt: Sendable {
    /// The delay after the start of the attempt.
    package var time: Duration
    /// The range of possible delays.
    package var latest: Duration
    /// The range of the delay in the command.
    package var span: Range<Int>
    package var action: Action

    package init(time: Duration, latest: Duration, span: Range<Int>, action: Action) {
      (self.time, self.latest, self.span, self.action) = (time, latest, span, action)
    }

    package enum Action: Sendable {
      case note
      case command(ParsedCommand)
      case outcome(Outcome)
    }
  }

  /// An end of the block.
  package enum Outcome: Sendable, Equatable {
    case value(Located<JSONValue>)
    /// Returns: the end of a process, and of a block that has yielded.
    case done
    case fail(ErrorSpec)
    /// Throws the control error of its family.
    case cancelling, resetting
    /// Does not end until it is cancelled.
    case never
    /// Ends like an HTTP request.
    case request(RequestSource)

    /// The outcome in one spelling, as in a command.
    package var text: String {
      switch self {
      case .value(let value): value.value.text(within: 60)
      case .done: "done"
      case .fail(let error): "fail \(error.text)"
      case .cancelling: "cancelling"
      case .resetting: "resetting"
      case .never: "never"
      case .request(let source): "from \(source.text)"
      }
    }

    /// The first words of outcomes, except values.
    package static let words = ["fail", "never", "cancelling", "resetting", "from"]
  }
}

/// The request of a load: a new one, or an endpoint by its name or number.
package enum RequestSource: Sendable, Equatable {
  case spec(Located<RequestSpec>)
  case endpoint(Located<String>)

  package var span: Range<Int> {
    switch self {
    case .spec(let spec): spec.span
    case .endpoint(let name): name.span
    }
  }

  /// The text of the request in one spelling.
  package var text: String {
    switch self {
    case .spec(let spec): spec.value.text
    case .endpoint(let name): "endpoint " + name.value
    }
  }
}

extension Parser {
  /// Reads `VALUE`, `fail ERROR`, `from REQUEST`, `never`, `cancelling` or `resetting`, or
  /// alternatives of these separated by `or`; or reads `yielding …`.
  package mutating func loadAnswer() throws(Diagnostic) -> StartRequest {
    if accept("yielding") != nil { return try yieldingAnswer() }
    var request = StartRequest(outcome: try loadOutcome())
    while accept("or") != nil { request.alternatives.append(try loadOutcome()) }
    endOfAnswers = endOfTaken
    return request
  }

  private mutating func loadOutcome() throws(Diagnostic) -> StartRequest.Outcome {
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

  /// Reads the same for a process, which has no value.
  package mutating func runAnswer() throws(Diagnostic) -> StartRequest {
    var request = StartRequest(outcome: try outcomeIfAny(orRequest: true) ?? .done)
    try readAlternatives(of: &request, orRequest: true)
    return request
  }

  /// Reads `or OUTCOME`, any number of times.
  private mutating func readAlternatives(
    of request: inout StartRequest,
    orRequest: Bool = false
  ) throws(Diagnostic) {
    while accept("or") != nil {
      guard let outcome = try outcomeIfAny(orRequest: orRequest) else {
        throw expected(
          (orRequest ? "'from', " : "") + "'fail', 'never', 'cancelling' or 'resetting'"
        )
      }
      request.alternatives.append(outcome)
    }
    endOfAnswers = endOfTaken
  }

  /// Reads `from [METHOD] TARGET` or `from endpoint NAME`.
  package mutating func requestSourceIfAny() throws(Diagnostic) -> RequestSource? {
    guard accept("from") != nil else { return nil }
    guard accept("endpoint") != nil else { return .spec(try requestSpec()) }
    expect(.endpoint)
    return .endpoint(try word("the name or the number of an endpoint"))
  }

  package var isNextOutcome: Bool {
    isNext("or") || StartRequest.Outcome.words.contains { isNext($0) }
  }

  package mutating func outcomeIfAny(
    orRequest: Bool = false
  ) throws(Diagnostic) -> StartRequest.Outcome? {
    if orRequest, let source = try requestSourceIfAny() { return .request(source) }
    if accept("fail") != nil { return .fail(try error().value) }
    if accept("never") != nil { return .never }
    if accept("cancelling") != nil { return .cancelling }
    if accept("resetting") != nil { return .resetting }
    return nil
  }

  /// Reads `yielding V after D, V after D … [then OUTCOME [or OUTCOME …] [after D]]`. `yielding
  /// nothing` yields no value.
  private mutating func yieldingAnswer() throws(Diagnostic) -> StartRequest {
    var request = StartRequest(outcome: .done)
    if accept("nothing") == nil {
      repeat {
        request.yields.append(try yield())
      } while accept(byte: UInt8(ascii: ","))
    }
    if accept("then") != nil {
      guard let outcome = try outcomeIfAny() else {
        throw expected("'fail', 'never', 'cancelling' or 'resetting'")
      }
      request.outcome = outcome
      try readAlternatives(of: &request)
    }
    request.delay = try delayIfAny()
    return request
  }

  private mutating func yield() throws(Diagnostic) -> StartRequest.Yield {
    let start = position
    let state: StateSpec
    if let word = try stateIfAny() { state = word } else { state = .loaded(try value()) }
    let located = Located(state, at: start..<endOfTaken)
    return StartRequest.Yield(state: located, delay: try delayIfAny())
  }

  private mutating func delayIfAny() throws(Diagnostic) -> Located<DurationRange>? {
    guard accept("after") != nil else { return nil }
    return try durationRange()
  }
}
