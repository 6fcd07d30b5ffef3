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
  let board: WorkerBoard
  let slot: ProgressSlot
  let options: TranscriptRunner.Options
  let makePerformer: PerformerFactory
  let captured: CapturedOutput
  /// Where frames go.
  let pipe: Int32
  /// The runner's process; without it there is nobody to work for.
  let runner: pid_t

  /// Works until nothing is left, then ends the process.
  ///
  /// - Parameter resume: the file to begin with, and its first transcript, where a worker before
  ///   this one was lost on the way.
  func work(resume: (file: Int, fence: Int)?) -> Never {
    captured.redirect()
    Self.dieQuietly()
    if let resume { play(resume.file, from: resume.fence) }
    while getppid() == runner {
      // A transcript with sockets may leave threads behind, and what follows might want to fork.
      if !ProcessControl.isSingleThreaded { _exit(Int32(Self.wornOut)) }
      guard let file = board.takeNext() else { break }
      play(file, from: 0)
    }
    _exit(0)
  }

  /// How a worker ends that leaves the rest of the work to a fresh one.
  static let wornOut = 75

  /// Leaves crashes to the system: a back-trace with addresses is slow and never twice the same.
  private static func dieQuietly() {
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

  private func play(_ file: Int, from first: Int) {
    var fence = first
    // Counts as under way while it is read, too.
    slot.begin(file: file, fence: fence)
    var transcripts = Transcripts.load(entries[file])
    while fence < transcripts.count {
      slot.begin(file: file, fence: fence)
      // The runner ends a worker that is too slow. Should the runner be gone, the system does.
      alarm(UInt32(clamping: options.timeoutInMilliseconds / 1000 + 30))
      var arrows = ArrowCounts()
      var recording: Recording?
      var differences: [Replay.Difference] = []
      let outcome = TranscriptOutcome(
        transcripts[fence],
        makePerformer,
        updates: options.update != .no,
        slot: slot,
        arrows: options.coverage == nil ? nil : { arrows = $0 },
        recording: options.reporters.wantPictures ? { recording = $0 } : nil,
        differences: options.pending == nil ? nil : { differences = $0 }
      )
      report(outcome, file, fence, arrows, recording, written: captured.take())
      if !differences.isEmpty { propose(transcripts[fence], file, fence, differences) }
      if outcome == .updated { transcripts = Transcripts.load(entries[file]) }
      if file >= board.firstFailure { break }
      fence += 1
    }
    slot.reset()
  }

  /// Plays a transcript once more, as it would be; its failure is reported already, whatever comes.
  private func propose(
    _ transcript: Transcript,
    _ file: Int,
    _ fence: Int,
    _ differences: [Replay.Difference]
  ) {
    slot.begin(file: file, fence: fence)
    if let proposal = Proposal(transcript, differences, makePerformer, slot: slot) {
      report(.proposed(proposal), file, fence, ArrowCounts(), nil, written: [])
    }
    _ = captured.take()
  }

  private func report(
    _ outcome: TranscriptOutcome,
    _ file: Int,
    _ fence: Int,
    _ arrows: ArrowCounts,
    _ recording: Recording?,
    written: [String]
  ) {
    var outcome = outcome
    switch outcome {
    case .passed:
      board.countPass(file)
      if arrows.machines.isEmpty { return }
    case .updated, .proposed: break
    case .failed(var failures):
      if options.failFast { board.stop(after: file) }
      failures[failures.count - 1].notes += written.map { "the process wrote: \($0)" }
      outcome = .failed(failures)
    }
    let frame = OutcomeFrame(
      file: file,
      fence: fence,
      outcome: outcome,
      arrows: arrows,
      recording: recording
    )
    // Without a reader the process ends here, by a signal.
    try? FileBytes.write(frame.bytes, to: pipe)
  }
}
