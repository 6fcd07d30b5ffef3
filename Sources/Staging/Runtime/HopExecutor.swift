/// Runs the jobs of one stage that are isolated to nothing, one at a time.
///
/// The runtime lets a task go on from the generic executor to an actor that nobody holds without asking anybody.
/// From an executor of somebody's own it has to be given a job, which the stage sees.
final class HopExecutor: SerialExecutor {
  private unowned let stage: StageExecutor

  init(of stage: StageExecutor) { self.stage = stage }

  func enqueue(_ job: consuming ExecutorJob) { stage.enqueue(job) }
}
