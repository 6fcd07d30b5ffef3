#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A place in a crew, from the side of the one who asks, and the process that sits there.
final class CrewSeat {
  let desk: CrewDesk
  private var process: ForkedProcess?
  private var requests: Int32 = -1
  /// Readable when there is an answer, or nobody left to give one.
  private(set) var answers: Int32 = -1
  private var captured: CapturedOutput?
  private var received: [UInt8] = []
  /// Whether a request was not replied to yet.
  private(set) var isBusy = false
  /// Whether nobody wants to hear the reply.
  private var isForgotten = false
  private var steps = -1
  private var clock = PlayClock(start: 0)
  /// How long a step of the request may take, in milliseconds.
  private var timeout = 0
  private var memoryTime = 0
  /// Why there is no process, if the system gave none.
  private var startProblem = FileProblem.other(code: EAGAIN)
  /// Why the member was ended, where it was.
  private var verdict: TranscriptProblem?

  init(_ desk: CrewDesk) { self.desk = desk }

  /// Whether there is something to wait for.
  var isWaited: Bool { isBusy && answers >= 0 }

  func ask(
    _ request: [UInt8],
    _ limits: WorkerCrew.Limits,
    _ service: WorkerCrew.Service,
    withinMilliseconds timeout: Int,
    others: [CrewSeat]
  ) {
    precondition(!isBusy, "A member of a crew has one request at a time.")
    isBusy = true
    isForgotten = false
    self.timeout = timeout
    desk.stop(false)
    if process == nil { start(limits, service, others) }
    (steps, clock) = (desk.steps, PlayClock(start: ProcessControl.milliseconds))
    guard requests >= 0 else { return }
    // One that is gone is noticed where its answer is read.
    let before = signal(SIGPIPE, SIG_IGN)
    try? FileBytes.write(CrewFrame.bytes(request), to: requests)
    signal(SIGPIPE, before)
  }

  func stop(forgetting: Bool) {
    guard isBusy else { return }
    desk.stop(true)
    isForgotten = isForgotten || forgetting
  }

  /// What came of the request; nil while nothing has.
  func takeReply(_ limits: WorkerCrew.Limits) -> WorkerCrew.Reply? {
    guard isBusy else { return nil }
    guard process != nil else { return reply(.notStarted(startProblem)) }
    receive()
    if let answer = CrewFrame.take(from: &received) {
      let isWorn = answer.last == 1
      if isWorn { leave() }
      return reply(.answer(answer.dropLast()))
    }
    watch(limits)
    return loss(limits).flatMap(reply)
  }

  private func reply(_ reply: WorkerCrew.Reply) -> WorkerCrew.Reply? {
    isBusy = false
    return isForgotten ? nil : reply
  }

  // MARK: The process

  private func start(
    _ limits: WorkerCrew.Limits,
    _ service: WorkerCrew.Service,
    _ others: [CrewSeat]
  ) {
    var (asked, answered): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&asked) == 0, pipe(&answered) == 0, let captured = CapturedOutput() else {
      startProblem = FileProblem(errno: errno)
      for end in asked + answered where end >= 0 { close(end) }
      return
    }
    for end in asked + answered { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(answered[0], F_SETFL, O_NONBLOCK)
    desk.reset()
    received = []
    verdict = nil
    let member = CrewMember(desk, captured, requests: asked[0], answers: answered[1], limits)
    process = ForkedProcess {
      for seat in others where seat.process != nil { seat.closeEnds() }
      close(asked[1])
      close(answered[0])
      member.work(service)
    }
    if process == nil { startProblem = FileProblem(errno: errno) }
    close(asked[0])
    close(answered[1])
    (requests, answers) = (asked[1], answered[0])
    self.captured = captured
    if process == nil { leave() }
  }

  private func closeEnds() {
    close(requests)
    close(answers)
  }

  private func receive() {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = FileBytes.read(answers, &chunk, chunk.count)
      guard count > 0 else { return }
      received += chunk[..<count]
    }
  }

  /// Ends a member whose step takes too long, or that has too much memory.
  private func watch(_ limits: WorkerCrew.Limits) {
    guard let process, verdict == nil else { return }
    let now = ProcessControl.milliseconds
    if desk.steps != steps { (steps, clock) = (desk.steps, PlayClock(start: now)) }
    let isOver = clock.isOver(limit: timeout, at: now, process: process.id)
    if isOver { return end(process, .slow(limitInMilliseconds: timeout)) }
    guard now >= memoryTime else { return }
    memoryTime = now + 20
    if let bytes = ProcessMemory.residentBytes(of: process.id), bytes > limits.memoryLimit {
      end(process, .tooMuchMemory(limitInBytes: limits.memoryLimit))
    }
  }

  private func end(_ process: ForkedProcess, _ verdict: TranscriptProblem) {
    self.verdict = verdict
    kill(process.id, SIGKILL)
  }

  /// That the member has ended, once it has.
  private func loss(_ limits: WorkerCrew.Limits) -> WorkerCrew.Reply? {
    guard let process else { return nil }
    var usage = rusage()
    guard let end = ProcessControl.wait(for: process.id, blocking: false, usage: &usage) else {
      return nil
    }
    let written = captured?.lines ?? []
    let loss = WorkerLoss(end: end, peakBytes: ProcessMemory.peakBytes(usage))
    let problem =
      verdict
      ?? loss.problem(
        hasOverflowed: desk.hasOverflowed,
        written,
        limits.memoryLimit
      )
    self.process = nil
    leave()
    return .lost(problem, written: written)
  }

  /// Takes leave of whoever sits here.
  func leave() {
    if let process {
      kill(process.id, SIGKILL)
      _ = ProcessControl.wait(for: process.id, blocking: true)
    }
    process = nil
    for end in [requests, answers] where end >= 0 { close(end) }
    (requests, answers) = (-1, -1)
    captured?.close()
    captured = nil
  }

  deinit {
    leave()
    desk.unmap()
  }
}
