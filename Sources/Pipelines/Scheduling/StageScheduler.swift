public import Staging

/// A stage as a Combine scheduler: `throttle`, `debounce`, `delay` and `timeout` in virtual time.
///
///     searchText
///       .debounce(for: .milliseconds(300), scheduler: stage.scheduler)
///       .removeDuplicates()
///
/// **Ties.** What is due at the same instant runs in the order in which it was scheduled, whatever
/// operator scheduled it. A value that is sent at the very end of a window therefore counts for the
/// window if it was scheduled before the window began, and for the next one if after. An action
/// without a time runs at the present instant, after all that waits for this instant already.
///
/// Actions run on the main actor, and on the stage. Nothing runs once the stage is closed.
public struct StageScheduler: Scheduler, Sendable {
  /// There is nothing to choose.
  public enum SchedulerOptions: Sendable {}

  private let stage: Stage

  /// Makes a scheduler for a stage, which it keeps alive.
  public init(_ stage: Stage) {
    self.stage = stage
  }

  /// The stage's time.
  public var now: SchedulerTimeType { SchedulerTimeType(stage.now) }

  /// None: a stage is never late.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Runs `action` at the present instant, after what waits for it already.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    stage.schedule(at: stage.now, onStage(action))
  }

  /// Runs `action` at `date`, or at the present instant if that is past.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    stage.schedule(at: date.instant, onStage(action))
  }

  /// Schedules an action that can be taken off again.
  func scheduled(at time: SchedulerTimeType, _ action: @escaping () -> Void) -> Scheduled {
    stage.schedule(at: time.instant, onStage(action))
  }

  /// Runs `action` at `date`, and again each time `interval` has passed, until it is cancelled.
  ///
  /// Without being cancelled it never ends, and a stage that settles runs into its bound. Each turn is
  /// scheduled after the action of the turn before, so what that action schedules for the same instant
  /// comes first.
  ///
  /// - Returns: what ends it when it is cancelled. To drop it does not.
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
  /// This stage as a Combine scheduler.
  public var scheduler: StageScheduler { StageScheduler(self) }
}

/// Says that an action is for the main actor. An action of Combine's does not say where it may run;
/// whoever gives it to a scheduler has given it away. Cast, since another closure would cost more than
/// the rest.
private func onStage(_ action: @escaping () -> Void) -> @MainActor () -> Void {
  unsafeBitCast(action, to: (@MainActor () -> Void).self)
}

/// An action that runs again and again. Only its stage's thread touches it, as an operator that cancels
/// it runs there as well.
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
