#if canImport(Glibc)
import RehearsalBase
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Starts workers, listens to them, and replaces those that crash or hang.
struct WorkerPool {
  private struct Live {
    let process: ForkedProcess
    let pipe: Int32
    let captured: CapturedOutput
    let slot: ProgressSlot
    var received: [UInt8] = []
    var sequence = -1
    var clock: PlayClock
    /// Why the runner ended it, where it did.
    var verdict: TranscriptProblem?
    /// Where it began, unless with whatever came next.
    let resume: Resume?
  }

  /// Where a worker begins that takes the place of one that was lost.
  struct Resume {
    /// The place of the file in the run.
    let place: Int
    /// The first transcript of its file.
    let fence: Int
    /// What ended the one before, where that is as it should be.
    var end: ExpectedEnd?
    /// Whether it is to end once more.
    var isRepeated = false

    /// Whether it begins with this transcript.
    func begins(with place: Int, _ fence: Int) -> Bool {
      self.place == place && self.fence == fence
    }
  }

  /// How often, in milliseconds, the memory of workers is looked at.
  private static let memoryTick = 20

  private let entries: [TranscriptSelection.Entry]
  private let order: PlayOrder
  private let options: TranscriptRunner.Options
  private let makePerformer: PerformerFactory
  private let board: WorkerBoard
  private var live: [Live] = []
  private var lostOutside = 0
  /// When the one who waits is told next.
  private var noteTime = 0
  private var memoryTime = 0
  /// How long it has taken to choose what to play, in milliseconds.
  private let spent: Int
  /// When the run has taken as long as it may.
  private var deadline = Int.max

  /// What was reported, in no order.
  private(set) var plays: [TranscriptPlay] = []
  /// Why not all was played, when that is the harness's own fault.
  private(set) var problem: String?
  /// Why and where the run ended before everything was played; nil where it did not.
  private(set) var end: RunEnd?

  init(
    _ entries: [TranscriptSelection.Entry],
    _ order: PlayOrder,
    _ options: TranscriptRunner.Options,
    _ makePerformer: @escaping PerformerFactory,
    _ board: WorkerBoard,
    spent: Int = 0
  ) {
    self.spent = spent
    self.entries = entries
    self.order = order
    self.options = options
    self.makePerformer = makePerformer
    self.board = board
  }

  /// Plays everything; returns when the last worker has ended.
  ///
  /// - Parameter isOutdated: asked again and again; where it says so, the workers are ended at once.
  /// - Returns: whether it never did, so that what was reported is the whole.
  @discardableResult mutating func run(unless isOutdated: () -> Bool = { false }) -> Bool {
    let now = ProcessControl.milliseconds
    noteTime = now + 500
    if let limit = options.totalTimeoutInMilliseconds { deadline = now + limit - spent }
    for slot in board.slots { start(slot, resume: nil) }
    while !live.isEmpty {
      listen()
      if StopSignals.caught == nil, isOutdated() {
        abandon()
        return false
      }
      noteWaiting()
      watchMemory()
      if let cause { endAll(cause) }
      for index in live.indices.reversed() {
        watch(index)
        if let end = ended(index) { lose(live.remove(at: index), end) }
      }
    }
    return true
  }

  /// Ends the workers, whatever they have come to.
  private mutating func abandon() {
    for worker in live {
      kill(worker.process.id, SIGKILL)
      _ = ProcessControl.wait(for: worker.process.id, blocking: true)
      close(worker.pipe)
      worker.captured.close()
    }
    live = []
  }

  private mutating func start(_ slot: ProgressSlot, resume: Resume?) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return cannotStart(resume) }
    guard let captured = CapturedOutput() else {
      for end in ends { close(end) }
      return cannotStart(resume)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    slot.reset()
    let worker = Worker(
      entries: entries,
      order: order,
      board: board,
      slot: slot,
      options: options,
      makePerformer: makePerformer,
      captured: captured,
      pipe: ends[1]
    )
    let process = ForkedProcess { worker.work(resume: resume) }
    close(ends[1])
    guard let process else {
      close(ends[0])
      captured.close()
      return cannotStart(resume)
    }
    let clock = PlayClock(start: ProcessControl.milliseconds)
    live.append(
      Live(
        process: process,
        pipe: ends[0],
        captured: captured,
        slot: slot,
        clock: clock,
        resume: resume
      )
    )
  }

  private mutating func cannotStart(_ resume: Resume?) {
    // The others do the work, unless there are none or part of a file was left to this one.
    if live.isEmpty || resume != nil { problem = "no process could be started for a worker" }
  }

  /// Sleeps until a worker says something or a limit may have passed, and takes what it says.
  private mutating func listen() {
    var polled = live.map { pollfd(fd: $0.pipe, events: Int16(POLLIN), revents: 0) }
    let tick = min(max(options.timeoutInMilliseconds / 10, 5), Self.memoryTick)
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
    while let end = live[index].received.firstIndex(of: .lineFeed) {
      let line = Array(live[index].received[..<end])
      live[index].received.removeFirst(end + 1)
      do {
        plays.append(try JSONValue(json: line).decode())
      } catch {
        problem = "a worker sent what cannot be read: \(error)"
      }
    }
  }

  /// Kills a worker whose transcript has taken too long.
  private mutating func watch(_ index: Int) {
    let now = ProcessControl.milliseconds
    let sequence = live[index].slot.sequence
    if sequence != live[index].sequence {
      live[index].sequence = sequence
      live[index].clock = PlayClock(start: now)
    } else if live[index].slot.place >= 0 {
      let (limit, process) = (options.timeoutInMilliseconds, live[index].process.id)
      let isOver = live[index].clock.isOver(limit: limit, at: now, process: process)
      if isOver { end(index, .slow(limitInMilliseconds: limit)) }
    }
  }

  /// Kills the workers that have too much memory.
  private mutating func watchMemory() {
    let now = ProcessControl.milliseconds
    guard now >= memoryTime else { return }
    memoryTime = now + Self.memoryTick
    for index in live.indices {
      guard let bytes = ProcessMemory.residentBytes(of: live[index].process.id),
        bytes > options.memoryLimit
      else { continue }
      live[index].sequence = live[index].slot.sequence
      end(index, .tooMuchMemory(limitInBytes: options.memoryLimit))
    }
  }

  /// Why the run has to end; nil while it may go on.
  private var cause: RunEnd.Cause? {
    if let end { return end.cause }
    if let signal = StopSignals.caught { return .signal(signal) }
    guard let limit = options.totalTimeoutInMilliseconds, ProcessControl.milliseconds >= deadline
    else { return nil }
    return .time(limitInMilliseconds: limit)
  }

  /// Ends the run where it is.
  private mutating func endAll(_ cause: RunEnd.Cause) {
    if end == nil {
      end = RunEnd(cause: cause, place: board.taken)
      board.stop(after: -1)
    }
    let limit = options.totalTimeoutInMilliseconds ?? 0
    for index in live.indices {
      live[index].sequence = live[index].slot.sequence
      end(index, .outOfTime(limitInMilliseconds: limit))
    }
  }

  private mutating func end(_ index: Int, _ verdict: TranscriptProblem) {
    guard live[index].verdict == nil else { return }
    live[index].verdict = verdict
    kill(live[index].process.id, SIGKILL)
  }

  /// How a worker ended, once it has.
  private mutating func ended(_ index: Int) -> WorkerLoss? {
    var usage = rusage()
    guard
      let end = ProcessControl.wait(for: live[index].process.id, blocking: false, usage: &usage)
    else { return nil }
    receive(index)
    return WorkerLoss(end: end, peakBytes: ProcessMemory.peakBytes(usage))
  }

  /// Fails a file that took too long to read, and goes on with the next one. Nobody reads it again in this run.
  private mutating func abandon(_ worker: Live, _ place: Int, _ fence: Int) {
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
    if options.failFast { board.stop(after: place) }
    start(worker.slot, resume: nil)
  }

  /// Takes leave of a worker, and replaces it where it ended before its work did.
  private mutating func lose(_ worker: Live, _ loss: WorkerLoss) {
    close(worker.pipe)
    defer { worker.captured.close() }
    let (place, fence) = (worker.slot.place, worker.slot.fence)
    if end != nil, place < 0 { return }
    if case .signal = end?.cause {
      // What somebody stopped has not failed.
      end?.underWay.append(order.files[place])
      return
    }
    let isDone = place < 0 || worker.slot.sequence != worker.sequence
    if worker.verdict != nil, end == nil, isDone {
      // It was done after all when the kill reached it; what it had begun is begun again.
      return start(worker.slot, resume: place < 0 ? nil : Resume(place: place, fence: fence))
    }
    guard place >= 0 else {
      if loss.end == .status(0) { return }
      if loss.end == .status(Worker.wornOut) { return start(worker.slot, resume: nil) }
      lostOutside += 1
      problem = "a worker was lost between two transcripts: \(TranscriptProblem(loss.end).sentence)"
      if lostOutside < 3 { start(worker.slot, resume: nil) }
      return
    }
    if worker.verdict?.isOfTime == true, worker.slot.content == 0 {
      return abandon(worker, place, fence)
    }
    if !plays.contains(where: { $0.place == place && $0.fence == fence }) {
      let file = order.files[place]
      let written = worker.captured.lines
      let problem =
        worker.verdict
        ?? loss.problem(
          hasOverflowed: worker.slot.hasOverflowed,
          written,
          options.memoryLimit
        )
      let before = worker.resume.flatMap { $0.begins(with: place, fence) ? $0 : nil }
      let isOnceMore = before?.end != nil && before?.isRepeated == true
      if end == nil, before?.end == nil || isOnceMore,
        let expected = ExpectedEnd(problem, of: entries[file], worker.slot),
        !isOnceMore || expected == before?.end
      {
        let time = ProcessControl.milliseconds - worker.clock.start
        board.add(microseconds: time * 1_000, place)
        var resume = Resume(place: place, fence: fence, end: expected)
        resume.isRepeated = options.checksItself && !isOnceMore
        return start(worker.slot, resume: resume)
      }
      let failure = WorkerLoss.failure(
        isOnceMore && end == nil ? .otherOutput : problem,
        of: entries[file],
        worker.slot,
        written: written
      )
      plays.append(TranscriptPlay(file: file, fence: fence, place: place, failures: [failure]))
    }
    if end != nil { return }
    if options.failFast { board.stop(after: place) }
    start(worker.slot, resume: options.failFast ? nil : Resume(place: place, fence: fence + 1))
  }
}
