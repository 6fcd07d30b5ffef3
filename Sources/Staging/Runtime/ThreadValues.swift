import CVirtualTime

/// The values that code of a stage keeps in its threads, and the jobs that have stored them.
struct ThreadValues {
  /// A key of a thread.
  private struct Key: Hashable {
    let thread: UInt
    let key: Int32
  }

  /// A job that has stored a value.
  private struct Origin {
    /// Its number among the jobs of its thread.
    let job: UInt64
    let isOnMain: Bool
  }

  private var origins: [Key: Origin] = [:]

  /// Notes that the running job stores a value in its thread.
  mutating func set(_ key: Int32, isOnMain: Bool) {
    let key = Key(thread: cvt_thread_number(), key: key)
    origins[key] = Origin(job: cvt_job_number(), isOnMain: isOnMain)
  }

  /// Returns whether the value of a key is that of another job, which a program would often run on another thread; nil if
  /// no job of the stage has stored it.
  func isOfOtherJob(_ key: Int32, isOnMain: Bool) -> Bool? {
    origins[Key(thread: cvt_thread_number(), key: key)].map { origin in
      origin.job != cvt_job_number() && !(origin.isOnMain && isOnMain)
    }
  }
}

extension StageExecutor {
  /// Makes the stage of a thread notice values that the tested code keeps in the thread.
  static let noticingThreadValues: Void = cvt_handle_thread_values { key, isSet, frame in
    guard let stage = current, stage.scheduler != nil, let frame else { return false }
    return stage.noteThreadValue(key, isSet: isSet, at: frame)
  }

  /// Notes a value of the thread if the running job reads what another job has stored.
  ///
  /// - Returns: whether the value is that of the tested code.
  private func noteThreadValue(_ key: Int32, isSet: Bool, at frame: UnsafeRawPointer) -> Bool {
    if isSet, !LockCaller.isTested(at: frame) { return false }
    let isDictionary = key == CVT_THREAD_DICTIONARY
    let isOfOtherJob = threadValues.isOfOtherJob(key, isOnMain: isOnMain)
    // The dictionary of a thread is stored when it is read.
    if isDictionary ? isOfOtherJob == true : !isSet && isOfOtherJob != false {
      let call = isDictionary ? "Thread.threadDictionary" : "pthread_getspecific"
      noteUnvaried { .threadValue(call: call, $0) }
    }
    if isSet { threadValues.set(key, isOnMain: isOnMain) }
    return true
  }

  /// Notes that a job has ended with a lock of its thread, if it has one more than before.
  ///
  /// - Parameters:
  ///   - locks: the number of locks that the thread had before the job.
  ///   - task: the address of its task; nil for a block.
  func noteLock(since locks: Int32, of task: UInt?) {
    guard cvt_locks_of_thread() > locks else { return }
    let job = task.map { unsafeBitCast($0, to: UnownedJob.self) }
    // A task that is not registered may be freed.
    let waiting = job.flatMap { job in
      tasks?.number(of: job) != nil && !TaskLayout.isComplete(TaskLayout.address(job)) ? job : nil
    }
    let frames = waiting.map(WaitingTasks.resumeAddresses) ?? []
    noteUnvaried { _ in .lock(frames) }
  }
}
