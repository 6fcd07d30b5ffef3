#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Starts workers, listens to them, and replaces those that crash or hang.
struct WorkerPool {
  private struct Live {
    let process: pid_t
    let pipe: Int32
    let captured: CapturedOutput
    let slot: ProgressSlot
    var received: [UInt8] = []
    var sequence = -1
    var since: Int
    var isTooSlow = false
  }

  private let entries: [TranscriptSelection.Entry]
  private let options: TranscriptRunner.Options
  private let makePerformer: PerformerFactory
  private let board: WorkerBoard
  private var live: [Live] = []
  private var lostOutside = 0
  /// When the one who waits is told next.
  private var noteTime = 0

  /// What was reported, in no order.
  private(set) var frames: [OutcomeFrame] = []
  /// Why not all was played, when that is the harness's own fault.
  private(set) var problem: String?

  init(
    _ entries: [TranscriptSelection.Entry],
    _ options: TranscriptRunner.Options,
    _ makePerformer: @escaping PerformerFactory,
    _ board: WorkerBoard
  ) {
    self.entries = entries
    self.options = options
    self.makePerformer = makePerformer
    self.board = board
  }

  /// Plays everything; returns when the last worker has ended.
  mutating func run() {
    for slot in board.slots { start(slot, resume: nil) }
    noteTime = ProcessControl.milliseconds + 500
    while !live.isEmpty {
      listen()
      noteWaiting()
      for index in live.indices.reversed() {
        watch(index)
        if let end = ended(index) { lose(live.remove(at: index), end) }
      }
    }
  }

  private mutating func start(_ slot: ProgressSlot, resume: (file: Int, fence: Int)?) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return cannotStart(resume) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let captured = CapturedOutput()
    slot.reset()
    let runner = getpid()
    let process = ProcessControl.fork()
    if process == 0 {
      Worker(
        entries: entries,
        board: board,
        slot: slot,
        options: options,
        makePerformer: makePerformer,
        captured: captured,
        pipe: ends[1],
        runner: runner
      ).work(resume: resume)
    }
    close(ends[1])
    guard process > 0 else {
      close(ends[0])
      captured.close()
      return cannotStart(resume)
    }
    let now = ProcessControl.milliseconds
    live.append(Live(process: process, pipe: ends[0], captured: captured, slot: slot, since: now))
  }

  private mutating func cannotStart(_ resume: (file: Int, fence: Int)?) {
    // The others do the work, unless there are none or part of a file was left to this one.
    if live.isEmpty || resume != nil { problem = "no process could be started for a worker" }
  }

  /// Sleeps until a worker says something or a limit may have passed, and takes what it says.
  private mutating func listen() {
    var polled = live.map { pollfd(fd: $0.pipe, events: Int16(POLLIN), revents: 0) }
    let tick = min(max(options.timeoutInMilliseconds / 10, 5), 100)
    guard poll(&polled, nfds_t(polled.count), Int32(tick)) > 0 else { return }
    for index in live.indices where polled[index].revents != 0 { receive(index) }
  }

  private mutating func noteWaiting() {
    guard let onWaiting = options.onWaiting, ProcessControl.milliseconds >= noteTime else { return }
    noteTime = ProcessControl.milliseconds + 100
    onWaiting(board.taken, entries.count)
  }

  private mutating func receive(_ index: Int) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = FileBytes.read(live[index].pipe, &chunk, chunk.count)
      guard count > 0 else { break }
      live[index].received += chunk[..<count]
    }
    while let frame = OutcomeFrame(takingFrom: &live[index].received) { frames.append(frame) }
  }

  /// Kills a worker whose transcript has taken too long.
  private mutating func watch(_ index: Int) {
    let now = ProcessControl.milliseconds
    let sequence = live[index].slot.sequence
    if sequence != live[index].sequence {
      live[index].sequence = sequence
      live[index].since = now
    } else if now - live[index].since >= options.timeoutInMilliseconds,
      !live[index].isTooSlow, live[index].slot.file >= 0
    {
      live[index].isTooSlow = true
      kill(live[index].process, SIGKILL)
    }
  }

  private mutating func ended(_ index: Int) -> ProcessControl.End? {
    guard let end = ProcessControl.wait(for: live[index].process, blocking: false) else {
      return nil
    }
    receive(index)
    return end
  }

  /// Takes leave of a worker, and replaces it where it ended before its work did.
  private mutating func lose(_ worker: Live, _ end: ProcessControl.End) {
    close(worker.pipe)
    defer { worker.captured.close() }
    let (file, fence) = (worker.slot.file, worker.slot.fence)
    if worker.isTooSlow, file < 0 || worker.slot.sequence != worker.sequence {
      // It was done after all when the kill reached it; what it had begun is begun again.
      return start(worker.slot, resume: file < 0 ? nil : (file, fence))
    }
    guard file >= 0 else {
      if end == .status(0) { return }
      if end == .status(Worker.wornOut) { return start(worker.slot, resume: nil) }
      lostOutside += 1
      problem = "a worker was lost between two transcripts: \(TranscriptProblem(end).sentence)"
      if lostOutside < 3 { start(worker.slot, resume: nil) }
      return
    }
    if !frames.contains(where: { $0.file == file && $0.fence == fence }) {
      let lost = failure(worker, end)
      frames.append(OutcomeFrame(file: file, fence: fence, outcome: .failed([lost])))
    }
    if options.failFast { board.stop(after: file) }
    start(worker.slot, resume: options.failFast ? nil : (file, fence + 1))
  }

  private func failure(_ worker: Live, _ end: ProcessControl.End) -> TranscriptFailure {
    let slot = worker.slot
    let problem: TranscriptProblem =
      worker.isTooSlow
      ? .slow(limitInMilliseconds: options.timeoutInMilliseconds) : TranscriptProblem(end)
    let path = entries[slot.file].path
    var failure = TranscriptFailure(path: path, line: slot.line, problem: problem)
    let transcripts = Transcripts.load(entries[slot.file])
    if transcripts.indices.contains(slot.fence) {
      let transcript = transcripts[slot.fence]
      failure.command = transcript.blocks.first {
        transcript.lineNumber($0.command) == slot.line
      }.map(transcript.command)
    }
    failure.diff = slot.output.map { .init(.same, $0) }
    failure.notes = worker.captured.lines.map { "the process wrote: \($0)" }
    return failure
  }
}

extension TranscriptProblem {
  fileprivate init(_ end: ProcessControl.End) {
    switch end {
    case .signal(let signal): self = .crashed(signal: signal)
    case .status(let status): self = .exited(status: status)
    }
  }
}
