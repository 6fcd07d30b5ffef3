import Loading
import RehearsalBase
import Script

/// The operations on a state that the shell needs to print, set and check it.
@MainActor protocol ShellState: LifecycleState {
  /// The kind of member with such a state: `loadable`, `process`.
  static var memberSort: MemberSort { get }

  /// The first word of the state as the shell prints it.
  var word: String { get }
  /// The error of the state; nil if it has none.
  var error: (any Error)? { get }
  /// The state as the shell prints it, with the attempt that is in flight.
  func text(attempt: Attempt?) -> String
  /// Returns the slot of a view that shows it.
  func slot(progress: Double?) -> ViewSlot
  /// Whether the state matches the expected one. The attempt is not compared.
  func satisfies(_ expected: StatePattern) -> Bool
  /// The member's own cancel and reset errors.
  static var cancelError: any Error { get }
  static var resetError: any Error { get }
  static func text(of output: Output) -> String
  /// The text for the delivery of a value, after the attempt: `answered 1`, `finished`.
  static func verb(of output: Output) -> String
  /// The name of a kind of process; nil if the process has only one kind.
  static func name(of kind: Kind) -> String?
}

extension ShellState {
  /// The state without its value, and with the kind of its error.
  var stateKind: String { word + (error.map { " " + errorKind($0) } ?? "") }
}

/// Maximum number of columns of a value in a line of output.
let valueColumns = 60

extension LoadableState: ShellState where Value == JSONValue {
  static var memberSort: MemberSort { .loadable }
  static var cancelError: any Error { CancelLoadable() }
  static var resetError: any Error { ResetLoadable() }
  static func text(of output: JSONValue) -> String { output.text(within: valueColumns) }
  static func verb(of output: JSONValue) -> String { "answered " + text(of: output) }
  static func name(of kind: Void) -> String? { nil }

  var word: String {
    switch self {
    case .absent: "absent"
    case .loading: "loading"
    case .error: "error"
    case .loaded: "loaded"
    }
  }

  func text(attempt: Attempt?) -> String {
    switch self {
    case .absent: word
    case .loading: word + (attempt.map { " #\($0.number)" } ?? "")
    case .error(let error): "\(word) \(errorText(error))"
    case .loaded(let value): "\(word) \(value.text(within: valueColumns))"
    }
  }

  func slot(progress: Double?) -> ViewSlot {
    switch self {
    case .absent: .empty
    case .loading: .progress(progress)
    case .error(let error): .failure(errorText(error))
    case .loaded(let value): .content(value.text(within: valueColumns))
    }
  }

  func satisfies(_ expected: StatePattern) -> Bool {
    switch (self, expected.word) {
    case (.absent, "absent"), (.loading, "loading"): true
    case (.error(let error), "error"): expected.accepts(error)
    case (.loaded(let value), "loaded"): expected.accepts(value)
    case (.absent, _), (.loading, _), (.error, _), (.loaded, _): false
    }
  }
}

extension StatePattern {
  /// Whether the value, or the part at the path, is the expected one, or any if none is specified.
  func accepts(_ found: JSONValue) -> Bool {
    guard !path.isEmpty else { return value?.isSame(as: found) ?? true }
    guard case .success(let part) = found.value(at: path) else { return false }
    return value?.isSame(as: part) ?? true
  }

  /// Whether the error is the expected one, or any error if none is specified.
  func accepts(_ found: any Error) -> Bool {
    if let errorKind { return ErrorSpec(found)?.kind == errorKind }
    return error.map { $0.describes(found) } ?? true
  }
}

/// The kind of a process in the shell. Kinds without a name are all equal.
enum ShellKind: Equatable {
  case single(SingleProcess)
  case named(String)

  var suffix: String {
    switch self {
    case .single: ""
    case .named(let name): " " + name
    }
  }

  func satisfies(_ wanted: Located<String>?) -> Bool {
    switch (self, wanted) {
    case (_, nil): true
    case (.named(let name), let wanted?): name == wanted.value
    case (.single, .some): false
    }
  }
}

extension ProcessState: ShellState where ProcessKind == ShellKind {
  static var memberSort: MemberSort { .process }
  static var cancelError: any Error { CancelProcess() }
  static var resetError: any Error { ResetProcess() }
  static func text(of output: Void) -> String { "finished" }
  static func verb(of output: Void) -> String { "finished" }
  static func name(of kind: ShellKind) -> String? {
    if case .named(let name) = kind { name } else { nil }
  }

  var word: String {
    switch self {
    case .idle: "idle"
    case .running: "running"
    case .failed: "failed"
    case .finished: "finished"
    }
  }

  func text(attempt: Attempt?) -> String {
    switch self {
    case .idle: word
    case .running(let kind): word + kind.suffix + (attempt.map { " #\($0.number)" } ?? "")
    case .failed(let kind, let error): word + kind.suffix + " " + errorText(error)
    case .finished(let kind): word + kind.suffix
    }
  }

  func slot(progress: Double?) -> ViewSlot {
    switch self {
    case .idle: .empty
    case .running: .progress(progress)
    case .failed(_, let error): .failure(errorText(error))
    case .finished: .content("done")
    }
  }

  func satisfies(_ expected: StatePattern) -> Bool {
    switch (self, expected.word) {
    case (.idle, "idle"): true
    case (.running(let kind), "running"), (.finished(let kind), "finished"):
      kind.satisfies(expected.kind)
    case (.failed(let kind, let error), "failed"):
      kind.satisfies(expected.kind) && expected.accepts(error)
    case (.idle, _), (.running, _), (.failed, _), (.finished, _): false
    }
  }
}
