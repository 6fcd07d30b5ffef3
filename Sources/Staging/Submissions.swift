import CVirtualTime
import Synchronization

/// Notes and names what a search cannot vary because it leaves the stage: work for threads, files and other queues, callbacks
/// of other queues, real waits, and tasks that other threads resume.
extension Stage {
  /// Work that code on a stage has given to a thread, a file or a run loop that the stage does not run. It is outside of
  /// virtual time: it runs at some moment of real time, or never.
  public struct Submission: Sendable, Hashable, CustomStringConvertible {
    /// The called function or type, such as `Thread`.
    public let call: String
    /// The function that called it, such as `Model.refresh()`; nil if the executable has no symbol for it.
    public let function: String?
    /// The file, without folders, and the line of the call, such as `Model.swift:12`; nil without debug information.
    public let place: String?

    /// The call and its place: `Thread in Model.refresh() at Model.swift:12`.
    public var description: String {
      call + (function.map { " in \($0)" } ?? "") + (place.map { " at \($0)" } ?? "")
    }
  }

  /// Returns the work outside of virtual time since the last call: each call of a function once, in
  /// the order of the first calls. For the thread that drives the stage.
  ///
  /// On Linux only. A program that links Swift statically needs the linker options in
  /// `docs/your-own-code.md`.
  public func takeSubmissions() -> [Submission] {
    defer { executor.submissions = NotedSubmissions() }
    return submissions
  }

  /// The work that the next call of `takeSubmissions` returns. For the thread that drives the stage.
  package var submissions: [Submission] {
    guard !executor.submissions.isEmpty else { return [] }
    let taken = executor.submissions
    var known: Set<Submission> = []
    let submissions = taken.kept.compactMap(Submission.init).filter { known.insert($0).inserted }
    return submissions + (taken.leavesSomeOut ? [.more] : [])
  }
}

/// An event that no schedule decides: an action of another thread on a task of a stage, which the stage has not requested
/// by `outside`.
enum Intervention: Equatable {
  /// Another thread resumed the task, which continues at these addresses.
  case resumption([UInt])
  /// Another stage uses an actor of this type.
  case sharedActor(String)
  /// Another thread called such code of the stage, within a step of the stage.
  case callback(String)
}

extension Stage {
  /// Returns the calls since the last call of this function that may have waited in real time, as text: `a wait by poll in
  /// Model.load() at Model.swift:12`. Each place once. For the thread that drives the stage.
  ///
  /// On Linux only.
  package func takeRealWaits() -> [String] { Self.texts(of: &executor.realWaits) }

  /// Returns the waits for locks that threads outside of the stage had, since the last call of this function. Another run of
  /// the same code may have others, so they are no part of a session. For the thread that drives the stage.
  ///
  /// On Linux only.
  package func takeLockWaits() -> [String] { Self.texts(of: &executor.lockWaits) }

  private static func texts(of waits: inout NotedSubmissions) -> [String] {
    guard !waits.isEmpty else { return [] }
    let taken = exchange(&waits, with: NotedSubmissions())
    var known: Set<String> = []
    let texts = taken.kept.compactMap(\.wait).filter { known.insert($0).inserted }
    return texts + (taken.leavesSomeOut ? ["more waits than are kept"] : [])
  }
}

extension StageExecutor {
  /// Notes an intervention, if the stage has a scheduler.
  func intervene(_ intervention: Intervention) {
    guard scheduler != nil, interventions.count < NotedSubmissions.most,
      !interventions.contains(intervention)
    else { return }
    interventions.append(intervention)
  }

  /// Notes that another thread resumes a task. Does not note a task that waits for an outside operation, nor a child task
  /// while there is such an operation, because the child may be a part of it.
  func noteResumption(of job: UnownedJob) {
    guard scheduler != nil else { return }
    let mayBePart = TaskLayout.isChild(job) && outsideCount.load(ordering: .acquiring) > 0
    if mayBePart || outsideTasks.withLock({ $0[Runtime.taskNumber(of: job)] != nil }) { return }
    intervene(.resumption(WaitingTasks.resumeAddresses(of: job)))
  }

  /// Counts an outside operation of the task that runs now.
  ///
  /// - Returns: the number of the task.
  func beginOutside() -> UInt64? {
    knowsRequests = true
    outsideCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
    let task = Runtime.currentTaskNumber()
    if let task { outsideTasks.withLock { $0[task, default: 0] += 1 } }
    return task
  }

  /// Ends an outside operation of a task.
  func endOutside(of task: UInt64?) {
    outsideCount.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    guard let task else { return }
    outsideTasks.withLock { tasks in
      let count = tasks[task, default: 1] - 1
      tasks[task] = count > 0 ? count : nil
    }
  }
}

extension Stage {
  /// Declares that a `MockServer` answers the requests of a session on this stage, so `URLSession` is not outside of
  /// virtual time. For the thread that drives the stage.
  package func answersRequests() { executor.knowsRequests = true }

  /// Notes that a step of the stage lets another thread call code, such as a callback, so no other job can run before it.
  /// Does not note a part of an outside operation. For the thread that drives the stage.
  package func noteCallback(_ what: String) {
    if executor.outsideCount.load(ordering: .acquiring) == 0 { executor.intervene(.callback(what)) }
  }

  /// Returns the interventions since the last call, as text. They are no part of any schedule. For the thread that
  /// drives the stage.
  package func takeInterventions() -> [String] {
    defer { executor.interventions = [] }
    return executor.interventions.map { intervention in
      switch intervention {
      case .resumption(let addresses):
        return "a resumption by another thread" + Self.place(StackFunction.callers(at: addresses))
      case .sharedActor(let type):
        return "the use of actor '\(type)' by another stage"
      case .callback(let what): return what
      }
    }
  }

  private static func place(_ callers: [StackFunction]) -> String {
    StackFunction.function(of: callers).map { " in \($0)" } ?? ""
  }
}

/// Distinct submissions, until they are taken.
struct NotedSubmissions {
  /// Maximum number of submissions.
  static let most = 1_000

  /// In the order of first occurrence.
  private(set) var kept: [NotedSubmission] = []
  private(set) var leavesSomeOut = false
  private var known: Set<NotedSubmission> = []

  var isEmpty: Bool { kept.isEmpty }

  mutating func note(_ submission: NotedSubmission) {
    if known.contains(submission) { return }
    if kept.count == Self.most {
      leavesSomeOut = true
    } else {
      known.insert(submission)
      kept.append(submission)
    }
  }
}

/// A submission as the C code notes it. Addresses become names only when they are needed.
struct NotedSubmission: Hashable {
  let function: String
  let frames: [UInt]

  init(_ function: String, at frames: [UInt]) { (self.function, self.frames) = (function, frames) }

  fileprivate init(_ submission: cvt_submission) {
    function = String(cString: submission.function)
    frames = withUnsafeBytes(of: submission.frames) {
      Array($0.bindMemory(to: UInt.self).prefix(Int(submission.count)))
    }
  }

  /// Makes the stage of the calling thread note its submissions and its waits in real time, from now on.
  static let noting: Void = {
    cvt_handle_submissions { submission in
      guard let submission, let stage = StageExecutor.current else { return }
      stage.submissions.note(NotedSubmission(submission.pointee))
    }
    cvt_handle_waits { wait in
      guard let wait, let stage = StageExecutor.current else { return }
      let noted = NotedSubmission(wait.pointee)
      if noted.function == "lock" {
        stage.lockWaits.note(noted)
      } else {
        stage.realWaits.note(noted)
      }
    }
  }()

  /// The wait as text; nil if the tested code did not call for it, but Rehearse or a library of tests did.
  fileprivate var wait: String? {
    let callers = StackFunction.callers(at: frames)
    guard let index = callers.firstIndex(where: { $0.isOwn || !$0.isLibrary && $0.name != nil }),
      !callers[index].isOwn, !callers[..<index].contains(where: \.isNetworking)
    else { return nil }
    let place = StackFunction.frames(at: Array(frames[index...])).first
    // The frames may be too few to know whose lock it is.
    if function == "lock", place == nil { return nil }
    let call =
      switch function {
      case "lock": "a wait for a lock that another thread had"
      case "posix_spawn", "posix_spawnp", "popen", "fork": "a process by \(function)"
      default: "a wait by \(function)"
      }
    return place.map { "\(call) in \($0)" } ?? call
  }
}

extension Stage.Submission {
  /// Represents the submissions that were not kept.
  fileprivate static let more = Stage.Submission(
    call: "more work than is kept",
    function: nil,
    place: nil
  )

  /// Nil for Foundation's work for a `URLSession`, and for threads of `FetchClient`, for which the stage
  /// waits. Work of the code that these call, such as a completion handler, is not nil.
  fileprivate init?(_ noted: NotedSubmission) {
    let callers = StackFunction.callers(at: noted.frames)
    if noted.function == "URLSession" {
      call = "a request of URLSession"
      function = callers.first { $0.isTested }?.name
      place = StackFunction.frames(at: noted.frames).first?.place
      return
    }
    guard callers.first(where: { !$0.isPassing })?.isNetworking != true else { return nil }
    let function = StackFunction.function(of: callers)
    let frame = StackFunction.frames(at: noted.frames).first
    place = frame.flatMap { $0.function.hasSuffix(function ?? "") ? $0.place : nil }
    self.function = function
    call =
      switch noted.function {
      case "dispatch_read", "dispatch_io_read": "DispatchIO.read"
      case "dispatch_write", "dispatch_io_write": "DispatchIO.write"
      case "dispatch_source_create": "DispatchSource"
      case "timerfd_settime": "Timer"
      case "CFRunLoopAddTimer":
        "Timer on the run loop of a background queue, which virtual time does not run,"
      case "CFRunLoopPerformBlock":
        "RunLoop.perform on the run loop of a background queue, which virtual time does not run,"
      case "CFRunLoopAddObserver": "NotificationQueue or another observer of a run loop"
      case "pthread_create": "Thread"
      case "Dispatch": "work for Dispatch"
      // A handler of a source or of DispatchIO, whose queue is the main one.
      case "DispatchQueue.main.sync by another thread" where function == nil:
        "a handler on DispatchQueue.main"
      default: noted.function
      }
  }
}
