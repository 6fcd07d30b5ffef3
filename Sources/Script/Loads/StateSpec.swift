package import RehearsalBase

/// A complete state of a loadable or a process: its words, and how a script names it.
package enum StateSpec: Sendable, Equatable {
  case absent
  case loading
  case error(ErrorSpec)
  case loaded(Located<JSONValue>)

  case idle
  case running(kind: Located<String>?)
  case failed(kind: Located<String>?, ErrorSpec)
  case finished(kind: Located<String>?)

  /// The first word of the state.
  package var word: String {
    switch self {
    case .absent: "absent"
    case .loading: "loading"
    case .error: "error"
    case .loaded: "loaded"
    case .idle: "idle"
    case .running: "running"
    case .failed: "failed"
    case .finished: "finished"
    }
  }

  package static let loadableWords = ["absent", "loading", "error", "loaded"]
  package static let processWords = ["idle", "running", "failed", "finished"]
  /// Words for states that only pipes have.
  static let pipeWords = ["cancelled"]
  /// All words of states.
  static let words = loadableWords + processWords + pipeWords
}

extension Parser {
  /// Reads a complete state of either family. The member checks whether it fits.
  package mutating func state() throws(Diagnostic) -> Located<StateSpec> {
    let start = position
    guard let state = try stateIfAny() else {
      throw expected("a state", hintForState())
    }
    return Located(state, at: start..<endOfTaken)
  }

  package func hintForState() -> Hint? {
    guard let range = wordRange() else { return nil }
    if ["contains", "matches", "like", "includes", "has"].contains(text(range)) {
      return .advice("a value is compared as a whole, as in 'loaded \"text\"'")
    }
    if text(range) == "stale" {
      return .advice("'explore' finds stale values: see its check 'latest-request-wins'")
    }
    let words = StateSpec.loadableWords + StateSpec.processWords
    return Hint.nearest(to: text(range), in: words)
      ?? .general("the states are absent, loading, error, loaded; idle, running, failed, finished")
  }

  package mutating func stateIfAny() throws(Diagnostic) -> StateSpec? {
    if accept("absent") != nil { return .absent }
    if accept("loading") != nil { return .loading }
    if accept("error") != nil { return .error(try error().value) }
    if accept("loaded") != nil { return .loaded(try value()) }
    if accept("idle") != nil { return .idle }
    if accept("running") != nil { return .running(kind: try kindIfAny()) }
    if accept("failed") != nil {
      let kind = isNextError ? nil : try kindIfAny()
      return .failed(kind: kind, try error().value)
    }
    if accept("finished") != nil { return .finished(kind: try kindIfAny()) }
    return nil
  }

  var isNextError: Bool {
    isNext(byte: UInt8(ascii: "\"")) || ErrorSpec.words.contains { isNext($0) }
  }

  private mutating func kindIfAny() throws(Diagnostic) -> Located<String>? {
    expect(.kind)
    guard isNextFreeWord() else { return nil }
    return try word("a kind")
  }
}
