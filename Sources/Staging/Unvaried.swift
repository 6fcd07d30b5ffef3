import CVirtualTime

/// Orders that a program can have and a stage cannot vary, each with its text.
enum Unvaried: Hashable {
  /// Code of the stage drives another stage.
  case otherStage([UInt])
  /// A serial queue has three or more blocks that were submitted at one instant for one deadline.
  case equalDeadlines(queue: String, [UInt])
  /// Several iterations of `concurrentPerform`, each of which runs as a whole.
  case iterations([UInt])
  /// Work for the scheduler of a stage that has ended.
  case workAfterEnd([UInt])
  /// A task blocks its thread by a call.
  case blockedTask(call: String, [UInt])
  /// More blocks of Dispatch are blocked than each platform has threads for, the last one by a call.
  case blockedQueues(call: String, [UInt])
  /// A job reads by a call what another job has stored in its thread.
  case threadValue(call: String, [UInt])
  /// A job or a block ends with a lock of its thread. The addresses are those at which its task continues, if it waits.
  case lock([UInt])

  /// What it is, as a noun phrase.
  var text: String {
    switch self {
    case .otherStage(let frames):
      "the order of the jobs of another stage\(Self.place(frames))"
    case .equalDeadlines(let queue, let frames):
      "the order of three or more blocks with one deadline: \(queue).asyncAfter\(Self.place(frames))"
    case .workAfterEnd(let frames):
      "work that never runs, because the stage of its scheduler has ended\(Self.place(frames))"
    case .iterations(let frames):
      "the overlap of iterations: DispatchQueue.concurrentPerform\(Self.place(frames)) runs each as a whole"
    case .blockedTask(let call, let frames):
      """
      the number of threads: \(call)\(Self.place(frames)) blocks the thread of a task, and a program with too few threads \
      hangs
      """
    case .blockedQueues(let call, let frames):
      "the number of threads: \(call)\(Self.place(frames)) blocks more threads than some platforms have for queues"
    case .threadValue(let call, let frames):
      "the thread of a task: \(call)\(Self.place(frames)) reads what another job has stored in its thread"
    case .lock(let frames):
      frames.isEmpty
        ? "the thread of a task or a block, which ends while it has a lock"
        : "the thread of a task: it waits\(Self.place(frames)) while it has a lock"
    }
  }

  private static func place(_ frames: [UInt]) -> String {
    StackFunction.frames(at: frames).first.map { " in \($0)" } ?? ""
  }
}

extension StageExecutor {
  /// Notes what no schedule varies, if the stage has a scheduler.
  ///
  /// - Parameter unvaried: makes the note from the return addresses of the callers.
  func noteUnvaried(_ unvaried: ([UInt]) -> Unvaried) {
    guard scheduler != nil, self.unvaried.count < NotedSubmissions.most else { return }
    let unvaried = unvaried(ReturnAddresses.ofCallers())
    if !self.unvaried.contains(unvaried) { self.unvaried.append(unvaried) }
  }
}

extension Stage {
  /// Returns what no schedule varies although code depends on it, since the last call, as noun phrases: `the order of the
  /// jobs of another stage in Model.load() at Model.swift:12`. Each once. For the thread that drives the stage.
  package func takeUnvaried() -> [String] {
    defer { executor.unvaried = [] }
    var known: Set<String> = []
    return executor.unvaried.map(\.text).filter { known.insert($0).inserted }
  }
}
