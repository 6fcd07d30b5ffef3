import Loading
import RehearsalBase
import Script

/// Resolves the words of the script to states of one member, or throws why they do not fit.
@MainActor protocol Resolver<State> {
  associatedtype State: ShellState

  func state(_ spec: Located<StateSpec>) throws(Diagnostic) -> State
  func end(_ outcome: StartRequest.Outcome) throws(Diagnostic) -> AttemptPlan<State>.End
  func kind(_ kind: Located<String>?) throws(Diagnostic) -> State.Kind
  func mapped(_ state: State, path: [Located<String>], isCompact: Bool) throws(Diagnostic) -> String
  func check(_ pattern: Located<StatePattern>) throws(Diagnostic)
  /// The properties of the state, one fact each.
  func payload(of state: State) -> [(name: String, value: String)]
  /// The value that is kept from the last load; nil if the member has no values.
  func text(ofKept output: State.Output) -> String?
  /// Writes a state manually, as the user's code would. Returns the reason if nothing was written.
  func assign(
    _ assignment: Located<Assignment>,
    to driver: LoadDriver<State>
  ) throws(Diagnostic) -> AssignmentRefused?
}

/// The reason why an assignment has no effect in the current state.
struct AssignmentRefused {
  let word: String
}

extension Resolver {
  /// Returns the ends that loadables and processes share.
  func commonEnd(_ outcome: StartRequest.Outcome) -> AttemptPlan<State>.End? {
    switch outcome {
    case .value: nil
    case .done: .output(nil)
    case .fail(let spec): .error(spec.error)
    case .cancelling: .error(State.cancelError)
    case .resetting: .error(State.resetError)
    case .never: .never
    case .request: nil
    }
  }
}

struct LoadableResolver: Resolver {
  let name: String
  let type: ValueType

  func state(_ spec: Located<StateSpec>) throws(Diagnostic) -> LoadableState<JSONValue> {
    switch spec.value {
    case .absent: return .absent
    case .loading: return .loading
    case .error(let error): return .error(error.error)
    case .loaded(let value): return .loaded(try self.value(value))
    case .idle, .running, .failed, .finished:
      throw Diagnostic(
        .wrongMember(name, is: "loadable", needed: "process"),
        at: spec.span,
        hint: "a loadable is absent, loading, error or loaded"
      )
    }
  }

  func payload(of state: LoadableState<JSONValue>) -> [(name: String, value: String)] {
    [
      ("error", state.error.map(errorDetail) ?? "none"),
      ("data", state.data?.text(within: valueColumns) ?? "none"),
    ]
  }

  func text(ofKept output: JSONValue) -> String? { output.text(within: valueColumns) }

  func value(_ value: Located<JSONValue>) throws(Diagnostic) -> JSONValue {
    if let problem = type.mismatch(with: value.value) { throw Diagnostic(problem, at: value.span) }
    return value.value
  }

  func end(_ outcome: StartRequest.Outcome) throws(Diagnostic)
    -> AttemptPlan<LoadableState<JSONValue>>.End
  {
    switch outcome {
    case .value(let value): return .output(try self.value(value))
    case .request(.spec(let spec)):
      let type = type
      return .request(.init(spec: spec.value) { try type.value(of: $0) })
    default: return commonEnd(outcome) ?? .output(nil)
    }
  }

  func kind(_ kind: Located<String>?) throws(Diagnostic) {
    guard let kind else { return }
    throw Diagnostic(.wrongMember(name, is: "loadable", needed: "process"), at: kind.span)
  }

  func check(_ pattern: Located<StatePattern>) throws(Diagnostic) {
    guard StateSpec.loadableWords.contains(pattern.value.word) else {
      guard pattern.value.word != StatePattern.valueWord else {
        throw Diagnostic(
          .expected("a state", found: pattern.value.text),
          at: pattern.span,
          .suggestion("'loaded \(pattern.value.text)'")
        )
      }
      throw Diagnostic(
        .wrongMember(name, is: "loadable", needed: "process"),
        at: pattern.span,
        hint: "a loadable is absent, loading, error or loaded"
      )
    }
    try type.check(pattern)
  }

  func assign(
    _ assignment: Located<Assignment>,
    to driver: LoadDriver<LoadableState<JSONValue>>
  ) throws(Diagnostic) -> AssignmentRefused? {
    switch assignment.value {
    case .state(let spec): driver.set(try self.state(Located(spec, at: assignment.span)))
    case .value(let value):
      // Uses the binding of a view, which exists only while the loadable is loaded.
      let value = try self.value(value)
      guard let binding = LoadableBinding(driver).loadedBinding else {
        return AssignmentRefused(word: "value")
      }
      binding.wrappedValue = value
    case .start, .finish, .fail:
      throw Diagnostic(
        .wrongMember(name, is: "loadable", needed: "process"),
        at: assignment.span,
        hint: "a loadable is set to absent, loading, error or loaded, or by 'value'"
      )
    }
    return nil
  }

  /// Applies `map` or `compactMap` of `LoadableState` with a field of the value.
  func mapped(
    _ state: LoadableState<JSONValue>,
    path: [Located<String>],
    isCompact: Bool
  ) throws(Diagnostic) -> String {
    let names = path.map(\.value)
    if case .loaded(let value) = state, case .failure(let missing) = value.value(at: names),
      let place = path.first(where: { $0.value == missing.name })
    {
      if isCompact { return LoadableState<JSONValue>.absent.text(attempt: nil) }
      throw Diagnostic(
        .noSuchField(missing.name, in: missing.value.text(within: valueColumns)),
        at: place.span
      )
    }
    func field(of value: JSONValue) -> JSONValue {
      if case .success(let field) = value.value(at: names) { field } else { .null }
    }
    let mapped =
      isCompact
      ? state.compactMap { field(of: $0) == .null ? nil : field(of: $0) } : state.map(field)
    return mapped.text(attempt: nil)
  }
}

struct ProcessResolver: Resolver {
  let name: String
  /// Nil if the kinds have a type of the user, and cannot be listed.
  let kinds: [String]?

  func state(_ spec: Located<StateSpec>) throws(Diagnostic) -> ProcessState<ShellKind> {
    switch spec.value {
    case .idle: return .idle
    case .running(let kind): return .running(try self.kind(kind, at: spec.span))
    case .failed(let kind, let error):
      return .failed(process: try self.kind(kind, at: spec.span), error: error.error)
    case .finished(let kind): return .finished(try self.kind(kind, at: spec.span))
    case .absent, .loading, .error, .loaded:
      throw Diagnostic(
        .wrongMember(name, is: "process", needed: "loadable"),
        at: spec.span,
        hint: "a process is idle, running, failed or finished"
      )
    }
  }

  func payload(of state: ProcessState<ShellKind>) -> [(name: String, value: String)] {
    [
      ("error", state.error.map(errorDetail) ?? "none"),
      ("process", state.process.map(text) ?? "none"),
    ]
  }

  private func text(_ kind: ShellKind) -> String {
    switch kind {
    case .single: name
    case .named(let kind): kind
    }
  }

  func text(ofKept output: Void) -> String? { nil }

  func end(_ outcome: StartRequest.Outcome) throws(Diagnostic)
    -> AttemptPlan<ProcessState<ShellKind>>.End
  {
    if case .done = outcome { return .output(()) }
    if case .value(let value) = outcome {
      throw Diagnostic(
        .wrongMember(name, is: "process", needed: "loadable"),
        at: value.span,
        hint: "a process delivers no value"
      )
    }
    if case .request(.spec(let spec)) = outcome {
      return .request(.init(spec: spec.value) { _ in () })
    }
    return commonEnd(outcome) ?? .output(())
  }

  func kind(_ kind: Located<String>?) throws(Diagnostic) -> ShellKind {
    try self.kind(kind, at: kind?.span ?? 0..<0)
  }

  private func kind(_ kind: Located<String>?, at span: Range<Int>) throws(Diagnostic) -> ShellKind {
    let kinds = kinds ?? []
    guard let kind else {
      guard kinds.isEmpty else {
        throw Diagnostic(
          .missingKind(of: name),
          at: span,
          hint: "its kinds are " + kinds.joined(separator: ", ")
        )
      }
      return .single(SingleProcess())
    }
    guard kinds.contains(kind.value) else {
      let hint =
        kinds.isEmpty
        ? "it has only one kind; leave out the name"
        : Suggestion.hint(for: kind.value, in: kinds)
          ?? "its kinds are " + kinds.joined(separator: ", ")
      throw Diagnostic(
        .unknownKind(kind.value.printable(atMost: 30), of: name),
        at: kind.span,
        .general(hint)
      )
    }
    return .named(kind.value)
  }

  func check(_ pattern: Located<StatePattern>) throws(Diagnostic) {
    guard StateSpec.processWords.contains(pattern.value.word) else {
      throw Diagnostic(
        .wrongMember(name, is: "process", needed: "loadable"),
        at: pattern.span,
        hint: "a process is idle, running, failed or finished"
      )
    }
    guard pattern.value.path.isEmpty else {
      throw Diagnostic(
        .wrongMember(name, is: "process", needed: "loadable"),
        at: pattern.span,
        hint: "a process holds no value"
      )
    }
    if kinds != nil, let kind = pattern.value.kind { _ = try self.kind(kind) }
  }

  func assign(
    _ assignment: Located<Assignment>,
    to driver: LoadDriver<ProcessState<ShellKind>>
  ) throws(Diagnostic) -> AssignmentRefused? {
    var result = driver.state
    switch assignment.value {
    case .state(let spec): result = try self.state(Located(spec, at: assignment.span))
    case .start(let kind): result.start(try self.kind(kind, at: assignment.span))
    case .finish:
      guard result.isRunning else { return AssignmentRefused(word: "finish") }
      result.finish()
    case .fail(let error):
      guard result.isRunning else { return AssignmentRefused(word: "fail") }
      result.fail(with: error.error)
    case .value:
      throw Diagnostic(
        .wrongMember(name, is: "process", needed: "loadable"),
        at: assignment.span,
        hint: "a process holds no value"
      )
    }
    driver.set(result)
    return nil
  }

  func mapped(
    _ state: ProcessState<ShellKind>,
    path: [Located<String>],
    isCompact: Bool
  ) throws(Diagnostic) -> String {
    throw Diagnostic(
      .wrongMember(name, is: "process", needed: "loadable"),
      at: path.first?.span ?? 0..<0
    )
  }
}
