import RehearsalBase
import Timelines

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The life of a worker: takes one file after the other, plays its transcripts, reports what failed.
struct Worker {
  let entries: [TranscriptSelection.Entry]
  let order: PlayOrder
  let board: WorkerBoard
  let slot: ProgressSlot
  let options: TranscriptRunner.Options
  let makePerformer: PerformerFactory
  let captured: CapturedOutput
  /// Where frames go.
  let pipe: Int32

  /// Works until nothing is left, then ends the process.
  ///
  /// - Parameter resume: where to begin, where a worker before this one was lost on the way.
  func work(resume: WorkerPool.Resume?) -> Never {
    captured.redirect()
    Self.dieQuietly()
    StopSignals.leaveToRunner()
    StackWatch.begin(note: slot.overflowNote)
    // The runner looks at what is used; this is for what comes too quickly to be seen.
    ProcessMemory.limitData(
      toFurther: options.memoryLimit.multipliedReportingOverflow(by: 2).partialValue
    )
    let threads = ThreadWatch()
    var next = resume
    while let start = next ?? board.takeNext().map({ .init(place: $0, fence: 0) }) {
      next = nil
      play(start)
      if isWorn(threads) { _exit(Int32(Self.wornOut)) }
    }
    _exit(0)
  }

  /// How a worker ends that leaves the rest of the work to a fresh one.
  static let wornOut = 75

  /// Whether the next transcript might be blamed for what others left: much memory in use, or, where there
  /// were sockets, threads, so that it could not fork.
  private func isWorn(_ threads: ThreadWatch) -> Bool {
    ProcessMemory.peakBytes > options.memoryLimit / 2 || !threads.isSingleThreaded
  }

  /// Leaves crashes to the system: a back-trace with addresses is slow and never twice the same.
  static func dieQuietly() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGALRM, SIGPIPE] {
      signal(number, SIG_DFL)
    }
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
    setrlimit(RLIMIT_CORE, &none)
    #endif
  }

  private func play(_ start: WorkerPool.Resume) {
    let place = start.place
    let entry = entries[order.files[place]]
    var fence = start.fence
    // Counts as under way while it is read, too.
    slot.begin(place: place, fence: fence)
    let (transcripts, content) = load(entry)
    while fence < transcripts.count {
      if entry.fences?.contains(fence) == false {
        fence += 1
        continue
      }
      let end = start.isRepeated ? nil : start.end
      let sparing = end?.sparing(makePerformer, fence: fence)
      play(transcripts[fence], content, place, fence, sparing ?? makePerformer)
      fence += 1
      if place >= board.firstFailure { break }
    }
    if fence >= transcripts.count { board.finish(place) }
    slot.reset()
  }

  /// The transcripts of a file, and a number for what the file holds.
  private func load(_ entry: TranscriptSelection.Entry) -> ([Transcript], content: UInt64) {
    let transcripts = Transcripts.load(entry)
    return (transcripts, transcripts.first.map { FNV1a.hash($0.bytes) } ?? 0)
  }

  private func play(
    _ transcript: Transcript,
    _ content: UInt64,
    _ place: Int,
    _ fence: Int,
    _ makePerformer: @escaping PerformerFactory
  ) {
    let log = ReadingLog()
    let followed =
      options.followsFiles || options.shard != nil ? log.following(makePerformer) : makePerformer
    let start = ProcessControl.microseconds
    TranscriptPlay.perform(
      transcript,
      file: order.files[place],
      fence: fence,
      place: place,
      base: content,
      options,
      followed,
      slot: slot
    ) { play in
      if play.outcome != .proposed {
        board.add(microseconds: ProcessControl.microseconds - start, place)
      }
      report(play, log.take())
    }
    _ = captured.take()
  }

  private func report(_ play: TranscriptPlay, _ readings: [FileReading]) {
    var play = play
    let written = captured.take()
    if play.outcome != .proposed { play.readings = readings }
    switch play.outcome {
    case .passed:
      board.countPass(play.place)
      if play.arrows.machines.isEmpty, play.readings.isEmpty, play.failing.isEmpty { return }
    case .updated, .proposed: break
    case .failed:
      if options.failFast { board.stop(after: play.place) }
      play.failures[play.failures.count - 1].notes += written.map { "the process wrote: \($0)" }
    }
    // Without a reader the process ends here, by a signal.
    try? FileBytes.write(JSONText(encoding: play).bytes + [.lineFeed], to: pipe)
  }
}
