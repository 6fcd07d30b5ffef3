#if canImport(Testing)
import Workers
import RehearsalBase
internal import CCrashNotice
import Exploring
import Staging
import Synchronization
import Testing
import LibC

/// The state of the current run for the case that it does not end: the schedule under which explored code crashes, calls
/// `exit` or blocks its thread.
final class RunNotice: @unchecked Sendable {
  // Written by the thread that plays, and read after it has stopped.
  private let memory: SharedRegion
  /// The number of begins and ends of runs. It is even between runs.
  private let turns = Atomic(0)
  /// The choices of the latest run.
  let choices: ChoiceNotes
  /// The choices in the form of the crash handler.
  let words: UnsafeMutablePointer<ccn_run>
  /// The progress of a search.
  let progress = Mutex(Progress())
  /// Makes the current run fail, and returns whether the calling code belongs to a run.
  let takesFailure = Mutex<(@Sendable (Violation) -> Bool)?>(nil)
  /// The stage of the current run, which retains it; nil between runs.
  private let stage = Atomic<UnsafeMutableRawPointer?>(nil)
  /// The endless loop in which the thread was stopped.
  private let loop = Mutex<BlockedCall?>(nil)
  /// The line of the call of `explore`, or the test.
  let place: String
  /// The code that replays a schedule.
  let replayCall: ReplayCall

  /// - Parameters:
  ///   - place: the line of the call of `explore`, or the test.
  ///   - isCrashIsolated: whether a crash stops only its thread.
  ///   - replayCall: the code that replays a schedule.
  init(at place: String, isCrashIsolated: Bool, replayCall: ReplayCall = .function) {
    self.replayCall = replayCall
    self.place = place
    guard let memory = SharedRegion(size: ChoiceNotes.size, isShared: false) else {
      fatalError("cannot allocate memory")
    }
    self.memory = memory
    choices = ChoiceNotes(at: memory.base)
    let before =
      " in a run of \(place)\n  to replay it: \(replayCall.beforeSchedule)"
    words = .allocate(capacity: 1)
    words.initialize(to: ccn_run())
    words.pointee.before = UnsafePointer(strdup(before))
    words.pointee.behind = UnsafePointer(strdup(replayCall.afterSchedule + "\n"))
    words.pointee.choices = UnsafePointer(memory.base.assumingMemoryBound(to: UInt32.self))
    words.pointee.is_sheltered = isCrashIsolated ? 1 : 0
    words.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
  }

  struct Progress {
    /// The number of ended runs, and the number of systematic ones among them.
    var (runs, inOrder) = (0, 0)
    /// Whether the current run is systematic.
    var isInOrder = false
    /// The findings, after shrinking has begun.
    var found: Findings?
  }

  deinit {
    free(UnsafeMutablePointer(mutating: words.pointee.before))
    free(UnsafeMutablePointer(mutating: words.pointee.behind))
    words.deallocate()
    memory.unmap()
  }

  /// Returns the text of a location.
  static func place(of location: SourceLocation) -> String {
    "\(location.fileID):\(location.line)".printable(atMost: 1_000)
  }

  /// Begins to note the choices of a run.
  func begin(_ scheduler: SearchScheduler) {
    turns.wrappingAdd(1, ordering: .relaxed)
    choices.begin()
    scheduler.notes = choices
  }

  /// Sets the stage of the run that has begun.
  func run(on stage: Stage) {
    self.stage.store(Unmanaged.passUnretained(stage).toOpaque(), ordering: .relaxed)
  }

  /// Ends the run.
  func end() {
    stage.store(nil, ordering: .relaxed)
    turns.wrappingAdd(1, ordering: .relaxed)
  }

  /// The number of begins and ends of runs so far. Any thread may read it.
  var turn: Int { turns.load(ordering: .relaxed) }

  /// The notice of the run that the calling thread performs; nil if it performs none.
  static var ofThisThread: RunNotice? {
    ccn_present().map {
      Unmanaged.fromOpaque($0.assumingMemoryBound(to: ccn_run.self).pointee.owner)
        .takeUnretainedValue()
    }
  }

  /// Stops the calling thread if it performs a run, because the code loops forever.
  static func stopThread(in loop: BlockedCall) {
    guard let notice = ofThisThread else { return }
    notice.loop.withLock { $0 = loop }
    ccn_leave()
  }

  /// Returns why the thread was stopped, by the result of `ccn_do`.
  func stop(_ end: Int32, limitInMilliseconds: Int) -> RunStop {
    switch Int(end) {
    case CCN_LATE: .late(limitInMilliseconds, placeReport)
    case CCN_EXIT:
      .exit(
        withUnsafeBytes(of: &words.pointee.exit) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
      )
    case CCN_STOPPED: .loop(loop.withLock(\.self) ?? BlockedCall(text: "a loop never ends"))
    default: .crash(end, crashReport)
    }
  }

  /// Where the thread has crashed.
  private var crashReport: CrashReport { CrashReport(at: addresses, words.pointee.details) }

  /// The functions of the thread at its time limit.
  private var placeReport: CrashReport { CrashReport(at: addresses, nil) }

  private var addresses: [UInt] {
    withUnsafeBytes(of: &words.pointee.frames) { frames in
      Array(frames.bindMemory(to: UInt.self).prefix(Int(words.pointee.frame_count)))
    }
  }

  /// The schedule of the latest run so far.
  var schedule: Schedule { Schedule(choices.choices) }

  /// Whether a run has taken long, because it computes or waits for something real.
  let wasSlow = Atomic(false)
  /// Whether the test is cancelled.
  let isCancelled = Atomic(false)

  /// The subject for the note about a run that takes long.
  var subject: ReplayWatch.Subject {
    ReplayWatch.Subject {
      let turn = self.turn
      return turn.isMultiple(of: 2) ? nil : turn
    } report: {
      self.wasSlow.store(true, ordering: .relaxed)
      return ReplayWatch.Report(
        title: "\(self.place): a run",
        hint:
          "it waits for a lock, a file or the network, or it loops forever; to replay it:\n  \(self.replayCall.text(self.schedule))"
      )
    } activity: { thread in
      Stage.activity(ofThread: thread) {
        self.stage.load(ordering: .relaxed).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
      }
    } thread: {
      self.thread
    }
  }

  /// The number of the thread that plays, for `ProcessActivity`.
  var thread: Int32 { ccn_thread(words) }
}
#endif
