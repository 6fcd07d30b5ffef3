import LibC
import Workers

/// Plays transcripts in workers, and replaces workers that crash or hang.
struct TranscriptPool {
  private let entries: [TranscriptSelection.Entry]
  private let order: PlayOrder
  private let options: TranscriptRunner.Options
  private let sharedState: SharedRunState
  private let pool: WorkerPool<PlayRequest, PlayMessage>
  /// Where each worker starts; nil for the next position.
  private var resumes: [PlayRequest.Resume?]
  private var lostOutside = 0
  /// The time of the next call of `onWaiting`.
  private var noteTime = 0
  /// The time at which the total limit is reached.
  private let deadline: Int

  /// The reported results, unordered.
  private(set) var plays: [TranscriptPlay] = []
  /// A fault of the harness that prevented plays.
  private(set) var problem: String?
  /// Why and where the run ended before everything was played; nil if it did not.
  private(set) var end: RunEnd?

  /// Creates a pool; nil if the system has no shared memory.
  ///
  /// - Precondition: this process has one thread.
  init?(
    _ entries: [TranscriptSelection.Entry],
    _ order: PlayOrder,
    _ options: TranscriptRunner.Options,
    _ makePerformer: @escaping PerformerFactory,
    _ sharedState: SharedRunState,
    workers: Int,
    begin: Int = ProcessControl.milliseconds
  ) {
    let limits = WorkerLimits(
      timeoutInMilliseconds: options.timeoutInMilliseconds,
      memoryLimit: options.memoryLimit,
      asksLateWork: true
    )
    let pool = WorkerPool<PlayRequest, PlayMessage>(
      count: workers,
      limits: limits,
      noteSize: ProgressSlot.size
    ) { context in
      { request, send in
        TranscriptWorker(
          entries: entries,
          order: order,
          sharedState: sharedState,
          context: context,
          options: options,
          makePerformer: makePerformer,
          send: send
        ).answer(to: request)
      }
    }
    guard let pool else { return nil }
    self.pool = pool
    deadline = options.totalTimeoutInMilliseconds.map { begin + $0 } ?? .max
    self.entries = entries
    self.order = order
    self.options = options
    self.sharedState = sharedState
    resumes = Array(repeating: nil, count: pool.workers.count)
  }

  /// Plays everything and returns when the last worker is done.
  ///
  /// - Parameter isOutdated: called repeatedly; the workers are killed when it returns true.
  /// - Returns: false if it did, so that the results are incomplete.
  @discardableResult mutating func run(unless isOutdated: () -> Bool = { false }) -> Bool {
    let now = ProcessControl.milliseconds
    noteTime = now + 500
    for worker in pool.workers { start(worker, resume: nil) }
    while pool.workers.contains(where: { !pool.isIdle($0) }) {
      takeEvents()
      if StopSignals.caught == nil, isOutdated() {
        pool.endAll()
        return false
      }
      noteWaiting()
      if let cause { endAll(cause) }
    }
    return true
  }

  private mutating func start(_ worker: Int, resume: PlayRequest.Resume?) {
    resumes[worker] = resume
    slot(worker).reset()
    pool.ask(worker, PlayRequest(resume: resume))
  }

  private func slot(_ worker: Int) -> ProgressSlot { ProgressSlot(pool.context(of: worker)) }

  /// Waits a moment for events and handles them.
  private mutating func takeEvents() {
    for count in 0..<64 {
      guard let (worker, event) = pool.next(withinMilliseconds: count == 0 ? 20 : 0) else { return }
      switch event {
      case .news(.play(let play)): plays.append(play)
      case .answer(.paused): if end == nil { start(worker, resume: nil) }
      case .answer, .news: break
      case .ended(let end): replace(worker, end)
      case .notStarted:
        let othersPlay = pool.workers.contains { !pool.isIdle($0) }
        // The other workers do the work, unless this one had to continue a file.
        if !othersPlay || resumes[worker] != nil {
          problem = "no process could be started for a worker"
        }
      }
    }
  }

  private mutating func noteWaiting() {
    guard let onWaiting = options.onWaiting, ProcessControl.milliseconds >= noteTime else { return }
    noteTime = ProcessControl.milliseconds + 100
    onWaiting(sharedState.taken, entries.count)
  }

  /// Why the run has to end; nil if it continues.
  private var cause: RunEnd.Cause? {
    if let end { return end.cause }
    if let signal = StopSignals.caught { return .signal(signal) }
    guard let limit = options.totalTimeoutInMilliseconds, ProcessControl.milliseconds >= deadline
    else { return nil }
    return .time(limitInMilliseconds: limit)
  }

  /// Ends the run and its workers.
  private mutating func endAll(_ cause: RunEnd.Cause) {
    if end == nil {
      end = RunEnd(cause: cause, place: sharedState.taken)
      sharedState.stop(after: -1)
    }
    let asks = cause == .signal(SIGQUIT)
    for worker in pool.workers where !pool.isIdle(worker) { pool.end(worker, asks: asks) }
  }

  /// Reports the transcript of a worker that has ended, and replaces the worker.
  private mutating func replace(_ worker: Int, _ end: WorkerEnd) {
    let slot = slot(worker)
    let (place, fence) = (slot.place, slot.fence)
    if self.end != nil, place < 0 { return }
    if case .signal = self.end?.cause {
      // A transcript that the user stopped has not failed.
      self.end?.underWay.append((order.files[place], end.activity))
      return
    }
    if end.wasKilled, self.end == nil, place < 0 || end.hasMovedOn {
      // The transcript ended just before its worker was killed. Start with the next one.
      return start(worker, resume: place < 0 ? nil : .init(place: place, fence: fence))
    }
    var problem = TranscriptProblem(end.cause)
    guard place >= 0 else {
      lostOutside += 1
      self.problem = "a worker exited between two transcripts: \(problem.sentence)"
      if lostOutside < 3 { start(worker, resume: nil) }
      return
    }
    if end.cause == .ended {
      problem = .outOfTime(limitInMilliseconds: options.totalTimeoutInMilliseconds ?? 0)
    }
    if problem.isOfTime, slot.content == 0 { return abandon(worker, place, fence) }
    if !plays.contains(where: { $0.place == place && $0.fence == fence }) {
      let file = order.files[place]
      let before = resumes[worker].flatMap { $0.begins(with: place, fence) ? $0 : nil }
      let isOnceMore = before?.end != nil && before?.isRepeated == true
      if self.end == nil, before?.end == nil || isOnceMore,
        let expected = ExpectedEnd(problem, of: entries[file], slot),
        !isOnceMore || expected == before?.end
      {
        sharedState.add(microseconds: end.stepTime * 1_000, place)
        var resume = PlayRequest.Resume(place: place, fence: fence, end: expected)
        resume.isRepeated = options.checksDeterminism && !isOnceMore
        return start(worker, resume: resume)
      }
      let failure = TranscriptFailure(
        isOnceMore && self.end == nil ? .otherOutput : problem,
        of: entries[file],
        slot,
        written: end.output,
        activity: end.activity
      )
      plays.append(TranscriptPlay(file: file, fence: fence, place: place, failures: [failure]))
    }
    if self.end != nil { return }
    if options.failFast { sharedState.stop(after: place) }
    start(worker, resume: options.failFast ? nil : .init(place: place, fence: fence + 1))
  }

  /// Fails a file that took too long to read, and continues with the next one.
  private mutating func abandon(_ worker: Int, _ place: Int, _ fence: Int) {
    let file = order.files[place]
    let limit =
      end == nil ? options.timeoutInMilliseconds : options.totalTimeoutInMilliseconds ?? 0
    let failure = TranscriptFailure(
      path: entries[file].path,
      line: 0,
      problem: .unread(limitInMilliseconds: limit)
    )
    plays.append(TranscriptPlay(file: file, fence: fence, place: place, failures: [failure]))
    if end != nil { return }
    if options.failFast { sharedState.stop(after: place) }
    start(worker, resume: nil)
  }
}
