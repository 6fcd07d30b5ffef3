import Synchronization

/// Runs the jobs of one stage that are isolated to nothing, one at a time.
///
/// The runtime lets a task go on from the generic executor to an actor that nobody holds without asking anybody.
/// From an executor of somebody's own it has to be given a job, which the stage sees.
final class HopExecutor: SerialExecutor, @unchecked Sendable {
  /// Tasks do not keep the executor on which they go on, and may outlive their stage.
  private static let kept = Mutex<[HopExecutor]>([])

  // Unchecked: it changes once, when the stage goes, which weak references are made for.
  private weak var stage: StageExecutor?

  init(of stage: StageExecutor) {
    self.stage = stage
    Self.kept.withLock { $0.append(self) }
  }

  /// What comes when the stage is gone never runs.
  func enqueue(_ job: consuming ExecutorJob) { stage?.accept(UnownedJob(job), onMain: false) }
}
