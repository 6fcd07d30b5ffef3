package import LibC

/// A pool of workers, which are copies of this process and answer requests. If a worker crashes, exits, hangs or takes
/// too much memory, only its current request fails, and the next request starts a new process.
package final class WorkerPool<Request: Codable, Message: Codable> {
  /// An event of a worker.
  package enum Event {
    /// A message before the answer.
    case news(Message)
    /// The answer, which ends the request.
    case answer(Message)
    /// The worker has ended without an answer.
    case ended(WorkerEnd)
    /// The system could not start a process for the worker.
    case notStarted(SystemError)
  }

  /// Answers requests in the worker process. The outer function is called once for each process, the inner one for each
  /// request; its last parameter sends a message before the answer.
  package typealias Service = (WorkerContext) -> (Request, @escaping (Message) -> Void) -> Message

  private let limits: WorkerLimits
  private let service: Service
  private let handles: [WorkerHandle<Request, Message>]
  private let orphans = OrphanedProcesses()

  /// Creates a pool. A worker's process starts with its first request.
  ///
  /// Nil if the system has no shared memory, or if this process has several threads and must not be copied.
  ///
  /// - Parameters:
  ///   - count: the number of workers.
  ///   - limits: the limits of each worker.
  ///   - noteSize: the size of the notes in a worker's context, in bytes.
  ///   - service: the work.
  package init?(count: Int, limits: WorkerLimits, noteSize: Int, service: @escaping Service) {
    guard ProcessControl.isSingleThreaded else { return nil }
    self.limits = limits
    self.service = service
    var handles: [WorkerHandle<Request, Message>] = []
    while handles.count < count, let context = WorkerContext(noteSize: noteSize) {
      handles.append(WorkerHandle(context))
    }
    if handles.isEmpty, count > 0 { return nil }
    self.handles = handles
  }

  deinit { endAll() }

  package var workers: Range<Int> { handles.indices }

  package func context(of worker: Int) -> WorkerContext { handles[worker].context }

  /// Whether the worker has no request.
  package func isIdle(_ worker: Int) -> Bool { !handles[worker].isBusy }

  /// Whether the worker has a process, which has answered earlier requests and keeps what it knows.
  package func hasProcess(_ worker: Int) -> Bool { handles[worker].hasProcess }

  /// Sends a request to an idle worker; `next` returns its events.
  ///
  /// - Parameters:
  ///   - worker: an idle worker.
  ///   - request: the request.
  ///   - timeout: the time limit of a step, if it is shorter than that of the pool.
  package func ask(_ worker: Int, _ request: Request, withinMilliseconds timeout: Int = .max) {
    var limits = limits
    limits.timeoutInMilliseconds = min(timeout, limits.timeoutInMilliseconds)
    handles[worker].ask(request, limits, service, others: handles)
  }

  /// Asks a worker to answer with the results so far. If `ignored` is true, `next` does not return them.
  package func stop(_ worker: Int, ignored: Bool = false) { handles[worker].stop(ignored: ignored) }

  /// Kills a worker. `next` returns its end.
  ///
  /// - Parameters:
  ///   - worker: the worker.
  ///   - asks: whether it shall say before what it does.
  package func end(_ worker: Int, asks: Bool = false) { handles[worker].end(.ended, asks: asks) }

  /// Kills all workers, and the processes that they have started.
  package func endAll() {
    for handle in handles { handle.close() }
    orphans.end()
  }

  /// Waits for an event, with a time limit; nil if there was none.
  package func next(withinMilliseconds limit: Int) -> (worker: Int, event: Event)? {
    let end = ProcessControl.milliseconds + limit
    while true {
      for worker in workers {
        if let event = handles[worker].takeEvent() { return (worker, event) }
      }
      let left = end - ProcessControl.milliseconds
      guard left > 0, handles.contains(where: \.isAwaited) else { return nil }
      listen(forMilliseconds: min(left, tick))
    }
  }

  /// Sends a request to worker 0 and waits for the answer or its end. The other workers are idle.
  package func answer(to request: Request) -> Event {
    while !isIdle(0) { _ = next(withinMilliseconds: 1_000) }
    ask(0, request)
    while true {
      switch next(withinMilliseconds: 1_000)?.event {
      case nil, .news: continue
      case let event?: return event
      }
    }
  }

  /// The interval between checks of the limits, in milliseconds.
  private var tick: Int { min(max(limits.timeoutInMilliseconds / 10, 5), 20) }

  private func listen(forMilliseconds limit: Int) {
    var polled = handles.map { handle in
      pollfd(fd: handle.isAwaited ? handle.answers : -1, events: Int16(POLLIN), revents: 0)
    }
    _ = poll(&polled, nfds_t(polled.count), Int32(limit))
  }
}
