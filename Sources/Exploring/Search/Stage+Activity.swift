package import Staging
import Workers

/// Reports what a stage runs and what waits, while its code blocks the thread.
extension Stage {
  /// Returns what runs and what waits while code keeps the thread of a stage. For another thread, which it blocks meanwhile.
  ///
  /// - Parameters:
  ///   - thread: the system's number of the stage's thread; nil if it is unknown.
  ///   - stage: returns the stage; nil if there is none.
  /// - Returns: lines for readers.
  package static func activity(ofThread thread: Int32?, on stage: () -> Stage?) -> [String] {
    let stack = thread.map(Stage.stack(ofThread:)) ?? []
    return ProcessCopy.lines { stage()?.activity(at: stack) ?? [] }
      ?? ["what waits is unknown: a copy of the process could not read it"]
  }

  /// Lets a worker say what runs and what waits on the stage of its thread, if it is ended at its time limit.
  package static func answerLateWork() {
    LateWork.activity = { current?.activity(at: stackOfThis) ?? [] }
  }
}
