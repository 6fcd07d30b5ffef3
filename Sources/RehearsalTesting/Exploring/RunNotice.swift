#if canImport(Testing)
import Workers
import RehearsalBase
internal import CCrashNotice
import Exploring
import Rehearsal
import Script
import Synchronization
import Testing
import LibC

/// What is noted of the run under way, for the case that it does not come to its end: the schedule by which explored
/// code crashes, calls `exit`, or keeps its thread.
final class RunNotice: @unchecked Sendable {
  // Written by the thread that plays, and read when it does not go on.
  private let memory: SharedRegion
  /// How many runs have begun or ended.
  private let turns = Atomic(0)
  /// What was chosen in the latest run.
  let choices: ChoiceNotes
  /// The same for what tells of crashes.
  let words: UnsafeMutablePointer<ccn_run>
  /// How far a search has come.
  let progress = Mutex(Progress())
  /// Where the scenario is explored.
  let place: String

  /// - Parameters:
  ///   - location: where the scenario is explored.
  ///   - isCrashIsolated: whether a crash ends no more than the thread that it is on.
  init(at location: SourceLocation, isCrashIsolated: Bool) {
    place = Self.place(of: location)
    guard let memory = SharedRegion(size: ChoiceNotes.size, isShared: false) else {
      fatalError("There is no memory left.")
    }
    self.memory = memory
    choices = ChoiceNotes(at: memory.base)
    let before =
      " in a run of what is explored at \(place)\n  to replay it: try await explore(replaying: \""
    words = .allocate(capacity: 1)
    words.initialize(to: ccn_run())
    words.pointee.before = UnsafePointer(strdup(before))
    words.pointee.behind = UnsafePointer(strdup("\") { … }\n"))
    words.pointee.choices = UnsafePointer(memory.base.assumingMemoryBound(to: UInt32.self))
    words.pointee.is_sheltered = isCrashIsolated ? 1 : 0
  }

  struct Progress {
    /// How many runs came to their end, and how many of them before others were chosen by chance.
    var (runs, inOrder) = (0, 0)
    /// What was found, once failures are made short and shown.
    var found: Findings?
  }

  deinit {
    free(UnsafeMutablePointer(mutating: words.pointee.before))
    free(UnsafeMutablePointer(mutating: words.pointee.behind))
    words.deallocate()
    memory.unmap()
  }

  /// What a place is called.
  static func place(of location: SourceLocation) -> String {
    "\(location.fileID):\(location.line)".printable(atMost: 1_000)
  }

  /// Notes what is chosen in a run that begins.
  func begin(_ scheduler: SearchScheduler) {
    turns.wrappingAdd(1, ordering: .relaxed)
    choices.begin()
    scheduler.notes = choices
  }

  /// Says that the run is over.
  func end() { turns.wrappingAdd(1, ordering: .relaxed) }

  /// What was chosen in the latest run so far.
  var schedule: Schedule { Schedule(choices.choices) }

  /// What is named when a run takes its time.
  var subject: ReplayWatch.Subject {
    .search(at: place) {
      let turn = self.turns.load(ordering: .relaxed)
      return turn.isMultiple(of: 2) ? nil : turn
    } schedule: {
      self.schedule.description
    } thread: {
      self.thread
    }
  }

  /// The number of the thread that plays, by which `ProcessActivity` finds it.
  var thread: Int32 { ccn_thread(words) }
}
#endif
