public import Staging

/// A stage as a Combine scheduler: `throttle`, `debounce`, `delay` and `timeout` in virtual time.
///
///     searchText
///       .debounce(for: .milliseconds(300), scheduler: stage.scheduler)
///       .removeDuplicates()
///
/// **Ties.** Actions of one instant run in the order of scheduling, independent of the operator. So
/// a value at the very end of a window belongs to the window if it was scheduled before the window
/// began, and otherwise to the next one. An action without a time runs at the current instant, after
/// the actions that are already scheduled for it.
///
/// Actions run on the main actor and on the stage. After the stage is closed, no action runs.
public struct StageScheduler: Scheduler, Sendable {
  /// No options.
  public enum SchedulerOptions: Sendable {}

  private let stage: Stage

  /// Creates a scheduler for a stage, which it retains.
  public init(_ stage: Stage) {
    self.stage = stage
  }

  /// The stage's time.
  public var now: SchedulerTimeType { SchedulerTimeType(stage.now) }

  /// Zero: a stage is never late.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Runs `action` at the current instant, after the actions that are already scheduled for it.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    stage.schedule(at: stage.now, onStage(action))
  }

  /// Runs `action` at `date`, or at the current instant if that is past.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    stage.schedule(at: date.instant, onStage(action))
  }

  /// Schedules an action that can be removed.
  func scheduled(at time: SchedulerTimeType, _ action: @escaping () -> Void) -> Scheduled {
    stage.schedule(at: time.instant, onStage(action))
  }

  /// Runs `action` at `date` and then after each `interval`, until it is cancelled.
  ///
  /// If it is never cancelled, a stage that settles reaches its limit. Each repetition is scheduled
  /// after the previous action, so work that this action schedules for the same instant comes
  /// first.
  ///
  /// - Returns: a token that stops the repetition when it is cancelled. Releasing it has no effect.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let turns = RepeatedAction(on: stage, interval: interval.nanoseconds, action: action)
    turns.schedule(at: date.instant)
    return turns
  }
}

extension Stage {
  /// The stage as a Combine scheduler.
  public var scheduler: StageScheduler { StageScheduler(self) }
}

/// Marks an action as running on the main actor. A Combine action does not state its isolation, and
/// its caller no longer uses it. A cast, because another closure would cost more than the rest.
private func onStage(_ action: @escaping () -> Void) -> @MainActor () -> Void {
  unsafeBitCast(action, to: (@MainActor () -> Void).self)
}

/// A repeating action. Only its stage's thread uses it, because operators that cancel it run there
/// too.
private final class RepeatedAction: Cancellable, @unchecked Sendable {
  private let stage: Stage
  private let interval: Int64
  private var action: (() -> Void)?
  private var next: Scheduled?

  init(on stage: Stage, interval: Int64, action: @escaping () -> Void) {
    self.stage = stage
    self.interval = interval
    self.action = action
  }

  func schedule(at instant: StageInstant) {
    next = stage.schedule(at: instant) { self.run(at: instant) }
  }

  private func run(at instant: StageInstant) {
    action?()
    guard action != nil else { return }
    let after = instant.nanoseconds.saturatingAdding(interval)
    schedule(at: StageInstant(nanoseconds: max(after, stage.now.nanoseconds)))
  }

  func cancel() {
    next?.cancel()
    next = nil
    action = nil
  }
}

extension Scheduled: Cancellable {}
