/// A closure that waits for its instant on a stage. Dropping this does not cancel it.
public final class Scheduled: @unchecked Sendable {
  /// When it runs, or ran.
  public let instant: StageInstant

  /// Nil once it is over: what it holds may hold this.
  private var body: (@MainActor () -> Void)?
  /// Whether it does nothing but resume a task.
  let onlyWakes: Bool
  private let stage: StageExecutor
  /// Its place among the sleepers. Only the stage's thread touches it.
  var place: SleeperID?

  init(
    at instant: StageInstant,
    on stage: StageExecutor,
    onlyWakes: Bool,
    body: @escaping @MainActor () -> Void
  ) {
    self.instant = instant
    self.onlyWakes = onlyWakes
    self.stage = stage
    self.body = body
  }

  /// Takes it off the stage, at once when called there. Does nothing when it has run.
  public func cancel() {
    stage.unschedule(self)
  }

  /// Hands over what is to run, once, and lets go of it. Only for the stage's thread.
  @discardableResult
  func take() -> (@MainActor () -> Void)? {
    defer { body = nil }
    return body
  }
}
