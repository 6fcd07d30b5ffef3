import Synchronization

/// Ends a stage: ends its sleeps, cancels its tasks, and runs the jobs that follow.
extension StageExecutor {
  /// Ends every sleep, cancels tasks, and runs the resulting jobs, up to a limit.
  ///
  /// Time stands still. The tasks that `run` made and the tasks in `Task.sleep` are cancelled.
  /// Sleeps on the stage's own clock end with `CancellationError`, also those that begin later.
  /// Closures are dropped. If a thread was interrupted at a lock, no job runs: it may need this lock, or wait in a loop for
  /// what the thread would have done.
  func close(limit: Int) -> Stage.Stop {
    isClosed = true
    idlePasses = 0
    dispatch?.close()
    let wasInterrupted = preempts && threads?.blocked.isEmpty == false
    threads?.abandonBlocked()
    address.isOpen.store(false, ordering: .releasing)
    inbox.refuseWork()
    for cancel in cancelRoots { cancel() }
    cancelRoots = []
    if wasInterrupted { return .idle }
    var left = limit
    while true {
      acceptMessages()
      endSleeps()
      guard let job = ready.popFirst() else {
        if lookAround() { continue }
        break
      }
      if left == 0 {
        ready.append(job)
        return .bound(report(.jobsAtOneInstant(limit)))
      }
      left -= 1
      run(job)
    }
    return .idle
  }

  private func endSleeps() {
    while let alarm = due.popLast() ?? sleepers.popFirst() {
      switch sleepers.take(alarm) {
      case .task(let task): task.cancel()
      case .outside(let sleep): sleep.end(throwing: CancellationError())
      case .runtime(let sleep):
        sleep.cancel()
        ready.append(ReadyJob(sleep.job, onMain: false))
      case .scheduled(let scheduled): scheduled.take()
      case .free, .reserved, nil: break
      }
    }
    while stale.count > 0 { runStale() }
  }
}
