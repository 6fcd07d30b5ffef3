internal import CCrashNotice
import Exploring
import Rehearsal
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What standard error says when explored code crashes, calls `exit`, or keeps its thread: the schedule by which it
/// does so again.
final class RunNotice: @unchecked Sendable {
  // Written by the thread that plays, and read when it does not go on.
  private let memory: UnsafeMutableRawPointer
  private let choices: ChoiceNotes
  private let runs = Atomic(0)
  private let place: String

  /// - Parameter place: where the scenario is explored.
  init(place: String) {
    self.place = place
    // The system gives memory only where something is written.
    guard let memory = calloc(1, ChoiceNotes.size) else { fatalError("There is no memory left.") }
    self.memory = memory
    choices = ChoiceNotes(at: memory)
  }

  deinit { free(memory) }

  /// Notes what is chosen in a run that begins.
  func begin(_ decisions: Decisions) {
    runs.wrappingAdd(1, ordering: .relaxed)
    choices.begin()
    decisions.notes = choices
  }

  /// Does something that plays runs on this thread.
  func watch<Value>(_ body: () -> Value) -> Value {
    CrashWords.prepare()
    let subject = ReplayWatch.Subject.search(at: place) {
      self.runs.load(ordering: .relaxed)
    } schedule: {
      Schedule(self.choices.choices).description
    }
    return before.withCString { before in
      behind.withCString { behind in
        var run = ccn_run()
        run.before = before
        run.behind = behind
        run.choices = UnsafePointer(memory.assumingMemoryBound(to: UInt32.self))
        return withUnsafeMutablePointer(to: &run) { run in
          ccn_begin(run)
          defer { ccn_end(run) }
          return ReplayWatch.shared.watch(subject, body)
        }
      }
    }
  }

  private var before: String {
    " in a run of what is explored at \(place)\n  to replay it: try await explore(replaying: \""
  }

  private var behind: String { "\") { … }\n" }
}
