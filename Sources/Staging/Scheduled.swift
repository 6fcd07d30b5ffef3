/// A closure that waits for its instant on a stage. Dropping this does not cancel it.
public final class Scheduled: @unchecked Sendable {
  /// When it runs, or ran.
  public let instant: StageInstant

  /// Nil where the stage was closed before: what it holds may hold this.
  private(set) var body: (@MainActor () -> Void)?
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

  /// To be called on the stage's thread, when it will not run any more.
  func drop() { body = nil }
}
