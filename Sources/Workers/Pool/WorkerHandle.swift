import LibC

/// A worker, seen from its parent process: starts, asks and ends it, and measures its time and memory.
final class WorkerHandle<Request: Codable, Message: Codable> {
  typealias Pool = WorkerPool<Request, Message>

  let context: WorkerContext
  private var process: ForkedProcess?
  private var requests: Int32 = -1
  /// Readable if there is a message, or if the process has ended.
  private(set) var answers: Int32 = -1
  private var captured: CapturedOutput?
  private var received: [UInt8] = []
  /// Whether a request is not yet answered.
  private(set) var isBusy = false
  /// Whether the events of the request are ignored.
  private var isIgnored = false
  private var steps = -1
  private var clock = PlayClock(start: 0)
  /// The limits of the current request.
  private var limits = WorkerLimits()
  private var memoryTime = 0
  /// Why there is no process, if the system could not start one.
  private var startProblem = SystemError(code: EAGAIN)
  /// Why this process ended the worker, and the number of steps at that time.
  private var ownKill: (cause: WorkerEnd.Cause, steps: Int)?
  /// The time since it was asked what it does; nil if it was not.
  private var answerClock: PlayClock?
  /// The limit of that time, in milliseconds.
  private static var answerLimit: Int { 30_000 }
  private static var noAnswer: String { "what runs is unknown: the process did not answer" }
  /// What it does, as it has said at its end; nil if it has not.
  private var activity: [String]?
  /// The end of the process, until its last messages are read.
  private var pendingEnd: WorkerEnd?

  init(_ context: WorkerContext) { self.context = context }

  var hasProcess: Bool { process != nil }

  /// Whether the process may send something.
  var isAwaited: Bool { isBusy && answers >= 0 }

  func ask(
    _ request: Request,
    _ limits: WorkerLimits,
    _ service: @escaping Pool.Service,
    others: [WorkerHandle]
  ) {
    precondition(!isBusy, "A worker has one request at a time.")
    isBusy = true
    isIgnored = false
    self.limits = limits
    context.stop(false)
    if process == nil { start(service, others) }
    (steps, clock) = (context.steps, PlayClock(start: ProcessControl.milliseconds))
    guard requests >= 0 else { return }
    // If the worker has ended, its answers end, too.
    try? Descriptor.send(MessageFrame.bytes(request), to: requests)
  }

  func stop(ignored: Bool) {
    guard isBusy else { return }
    context.stop(true)
    isIgnored = isIgnored || ignored
  }

  /// Ends the process.
  ///
  /// - Parameters:
  ///   - cause: why it does.
  ///   - asks: whether the worker shall say what it does. It has `answerLimit` for that.
  func end(_ cause: WorkerEnd.Cause, asks: Bool) {
    guard let process, ownKill == nil else { return }
    ownKill = (cause, context.steps)
    guard asks else { return process.sendKill() }
    answerClock = PlayClock(start: ProcessControl.milliseconds)
    process.send(LateWork.question)
  }

  func takeEvent() -> Pool.Event? {
    guard isBusy else { return nil }
    if process == nil, pendingEnd == nil { return finish(.notStarted(startProblem)) }
    receive()
    if let event = takeMessage() { return event }
    guard isBusy else { return nil }
    checkLimits()
    noteEnd()
    // Messages may have arrived between the last read and the end.
    if let event = takeMessage() { return event }
    guard isBusy, let end = pendingEnd else { return nil }
    return finish(.ended(end))
  }

  private func receive() {
    guard answers >= 0 else { return }
    while let bytes = Descriptor.readChunk(answers) { received += bytes }
  }

  private func finish(_ event: Pool.Event) -> Pool.Event? {
    isBusy = false
    pendingEnd = nil
    return isIgnored ? nil : event
  }

  private func takeMessage() -> Pool.Event? {
    while let message = MessageFrame.take(WorkerMessage<Message>.self, from: &received) {
      switch message {
      case .news(let message): if !isIgnored { return .news(message) }
      case .activity(let lines): activity = lines
      case .answer(let message, let isWorn):
        // A process that was asked at its limit ends at the next question.
        if isWorn || ownKill != nil { close() }
        return finish(.answer(message))
      }
    }
    return nil
  }

  // MARK: The process

  private func start(_ service: @escaping Pool.Service, _ others: [WorkerHandle]) {
    var files: [Int32] = []
    do throws(SystemError) {
      let asked = try Descriptor.makePipe()
      files += [asked.reading, asked.writing]
      let answered = try Descriptor.makePipe()
      files += [answered.reading, answered.writing]
      let captured = try CapturedOutput()
      self.captured = captured
      _ = fcntl(answered.reading, F_SETFL, O_NONBLOCK)
      context.reset()
      received = []
      activity = nil
      ownKill = nil
      answerClock = nil
      let worker = WorkerLoop<Request, Message>(
        context: context.capturing(captured),
        captured: captured,
        requests: asked.reading,
        answers: answered.writing,
        limits: limits
      )
      process = try LateWork.holdingQuestions { () throws(SystemError) in
        try ForkedProcess {
          // Otherwise another worker would not see the end of its requests when this process closes them.
          for handle in others where handle.process != nil { handle.closePipes() }
          systemClose(asked.writing)
          systemClose(answered.reading)
          worker.run(service)
        }
      }
      systemClose(asked.reading)
      systemClose(answered.writing)
      (requests, answers) = (asked.writing, answered.reading)
    } catch {
      startProblem = error
      for file in files { systemClose(file) }
      captured?.close()
      captured = nil
    }
  }

  private func closePipes() {
    for file in [requests, answers] where file >= 0 { systemClose(file) }
    (requests, answers) = (-1, -1)
  }

  /// Ends a worker whose step takes too long, that uses too much memory, or that does not say what it does.
  private func checkLimits() {
    guard let process else { return }
    let now = ProcessControl.milliseconds
    if ownKill != nil {
      // A worker may have to hear it several times.
      if answerClock != nil { process.send(LateWork.question) }
      if answerClock?.isOver(limit: Self.answerLimit, at: now, process: process.id) == true {
        process.sendKill()
      }
      return
    }
    if context.steps != steps { (steps, clock) = (context.steps, PlayClock(start: now)) }
    let limit = limits.timeoutInMilliseconds
    if clock.isOver(limit: limit, at: now, process: process.id) {
      return end(.time(limitInMilliseconds: limit), asks: limits.asksLateWork)
    }
    guard now >= memoryTime else { return }
    memoryTime = now + 20
    if let bytes = ProcessMemory.residentBytes(of: process.id), bytes > limits.memoryLimit {
      end(.memory(limitInBytes: limits.memoryLimit), asks: false)
    }
  }

  /// Sets `pendingEnd` if the process has ended.
  private func noteEnd() {
    guard let process else { return }
    var usage = rusage()
    guard let end = ProcessEnd.wait(for: process.id, blocking: false, usage: &usage) else {
      return
    }
    receive()
    let output = captured?.lines ?? []
    let cause =
      ownKill?.cause
      ?? WorkerEnd.Cause(
        end,
        hasOverflowed: context.hasOverflowed,
        peakBytes: ProcessMemory.peakBytes(usage),
        output,
        memoryLimit: limits.memoryLimit
      )
    let hasMovedOn = ownKill.map { $0.steps != context.steps } ?? false
    self.process = nil
    close()
    pendingEnd = WorkerEnd(
      cause: cause,
      wasKilled: ownKill != nil,
      hasMovedOn: hasMovedOn,
      output: output,
      activity: activity ?? (answerClock == nil ? [] : [Self.noAnswer]),
      stepTime: ProcessControl.milliseconds - clock.start
    )
  }

  /// Kills the process, if there is one, and closes its pipes.
  func close() {
    process?.kill()
    process = nil
    closePipes()
    captured?.close()
    captured = nil
  }

  deinit {
    close()
    context.unmap()
  }
}

/// A message of a worker.
enum WorkerMessage<Message: Codable>: Codable {
  case news(Message)
  /// What the worker does when it is ended.
  case activity([String])
  /// Ends a request. `isWorn` means that the next request needs a new process.
  case answer(Message, isWorn: Bool)
}

private func systemClose(_ file: Int32) { close(file) }
