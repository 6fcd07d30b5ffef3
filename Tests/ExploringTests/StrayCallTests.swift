import Staging
import Synchronization
import Testing

@testable import Exploring

/// Calls of a run by threads outside of its stage.
@Suite struct StrayCallTests {
  @Test func `a call between two runs is taken once by the next run`() {
    let calls = StrayCalls()
    calls.add("note", nil)
    calls.add("note", nil)

    #expect(
      calls.take().map(\.text) == [
        "'run.note' is called by a thread outside of the stage, so no schedule decides when; call it in a task of the scenario"
      ]
    )
    #expect(calls.take().isEmpty)
  }

  @Test func `calls after the last run are reported`() {
    let calls = StrayCalls()
    let reported = Mutex<[StrayCalls.Call]>([])
    calls.add("note", nil)
    calls.report { call in reported.withLock { $0.append(call) } }
    calls.add("check", nil)

    #expect(reported.withLock(\.self).map(\.function) == ["note", "check"])
    #expect(calls.take().isEmpty)
  }

  @MainActor @Test func `a run that a thread outside of the stage calls fails`() {
    let outcome = Exploration.replay(Schedule()) { run in
      Stage.withoutStage { run.note("a") }
      run.note("b")
    }

    #expect(outcome.failure?.check == .staysOnStage)
    #expect(outcome.seen == ["b"])
  }

  @MainActor @Test func `settle and waitForAllTasks outside of the stage return at once`() async {
    let calls = StrayCalls()
    let run = ExploredRun(stage: Stage(), scheduler: ReplayScheduler(Schedule()), strayCalls: calls)
    await run.settle()
    await run.waitForAllTasks()

    #expect(calls.take().map(\.function) == ["settle", "waitForAllTasks"])
  }
}
