/// A closure that runs on a stage at an instant. Releasing this object does not cancel it.
public final class Scheduled: @unchecked Sendable {
  /// The instant at which it runs, or ran.
  public let instant: StageInstant

  /// Nil after it ran or was cancelled, because the closure may retain this object.
  private var body: (@MainActor () -> Void)?
  /// Whether it only resumes a task.
  let onlyWakes: Bool
  /// The block that it makes ready; nil for other closures.
  let queued: QueuedBlock?
  /// What it is, for readers: `'cancel feed'`; nil if unknown.
  let name: String?
  private let stage: StageExecutor
  /// The number of the task that made it; nil outside of tasks. Known if it only resumes a task, or if the scheduler
  /// keeps texts.
  let creator: UInt64?
  /// Its slot among the sleepers. Used only on the stage's thread.
  var place: SleeperID?
  /// The random numbers that it draws. Used only on the stage's thread.
  var random = RandomStream(seed: 0)

  init(
    at instant: StageInstant,
    on stage: StageExecutor,
    onlyWakes: Bool,
    queued: QueuedBlock? = nil,
    name: String? = nil,
    body: @escaping @MainActor () -> Void
  ) {
    self.queued = queued
    self.name = name
    self.instant = instant
    self.onlyWakes = onlyWakes
    self.stage = stage
    creator = onlyWakes || stage.schedulerKeepsTexts ? stage.currentTaskNumber : nil
    self.body = body
  }

  /// Whether the closure makes only a cancelled work item ready, for whose end no code waits.
  var isPointless: Bool {
    guard let queued, queued.isCancelled else { return false }
    return stage.dispatch?.isAwaited(queued) != true
  }

  /// Cancels the closure: at once when called on the stage. No effect after it ran.
  public func cancel() {
    stage.unschedule(self)
  }

  /// Returns the closure, once, and releases it. Only for the stage's thread.
  @discardableResult
  func take() -> (@MainActor () -> Void)? {
    defer { body = nil }
    return body
  }
}
