public import Staging

/// One run of a scenario that is explored: what code in it may ask, and what it tells.
@MainActor public final class ExploredRun {
  /// The stage that it runs on.
  nonisolated public let stage: Stage
  private let scheduler: SearchScheduler
  var seen: [String] = []
  private var instants: [StageInstant] = []
  package private(set) var failure: Violation?
  private var settling: [UnsafeContinuation<Void, Never>] = []

  init(stage: Stage, scheduler: SearchScheduler) {
    self.stage = stage
    self.scheduler = scheduler
  }

  /// Notes something that somebody would see. Runs with the same notes behave the same.
  public func note(_ text: String) {
    seen.append(text)
    instants.append(stage.now)
  }

  /// Makes the run a failure where a condition does not hold; the first failure of a run counts.
  ///
  /// The rule says in words what has to hold; failures are told apart by it. What is there instead follows.
  public func check(
    _ condition: Bool,
    _ rule: String,
    _ what: @autoclosure () -> String = "",
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    column: Int = #column
  ) {
    if condition || failure != nil { return }
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    fail(by: Violation(.condition(rule), .text(what()), place: place))
  }

  /// One of several values, another in other runs; the first in a plain one.
  ///
  /// - Precondition: there is one.
  public func choose<Value>(_ values: [Value]) -> Value {
    values[scheduler.choose(among: values.count)]
  }

  /// Waits until everybody else has nothing left to do, now or later, as `settle` does in a script.
  ///
  /// Cancelling does not end it. Several that wait for each other go on together.
  public func settle() async {
    await withUnsafeContinuation { settling.append($0) }
  }
}

extension ExploredRun {
  /// What was noted, with the instants.
  package var notes: [(instant: StageInstant, text: String)] {
    zip(instants, seen).map { ($0, $1) }
  }

  /// Makes the run a failure, unless it is one.
  package func fail(by failure: Violation) {
    self.failure = self.failure ?? failure
  }

  /// Makes the run a failure by what the scenario has thrown.
  func fail(by error: any Error) {
    fail(by: error as? Violation ?? Violation(.throwsNothing, ActualValue(thrown: error)))
  }

  /// Lets those go on who wait for the stage to settle.
  ///
  /// - Returns: whether there was one.
  func goOnSettled() -> Bool {
    let waiting = settling
    settling = []
    for continuation in waiting { continuation.resume() }
    return !waiting.isEmpty
  }
}

extension ActualValue {
  /// An error that a scenario threw. Its type, and the case of an enumeration, identify it.
  fileprivate init(thrown error: any Error) {
    let mirror = Mirror(reflecting: error)
    let name =
      mirror.displayStyle == .enum ? mirror.children.first?.label ?? "\(error)" : nil
    let type = "\(type(of: error))"
    self = .thrown(type: name.map { "\(type).\($0)" } ?? type, text: "\(error)")
  }
}
