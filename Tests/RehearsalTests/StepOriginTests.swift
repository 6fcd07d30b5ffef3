import Testing

@testable import Rehearsal
@testable import Staging

/// The output of a command does not name the program that performs it.
@Suite struct StepOriginTests {
  @Test func `the creators of a task end where a session performs a command`() throws {
    var callers: [UInt] = []
    let performer = SessionPerformer(fixtures: Fixtures(), folder: "/nowhere")
    _ = performer.perform("now") { _ in callers = ReturnAddresses.ofCallers() }
    performer.finish()
    let all = StackFunction.frames(at: callers).map(\.description)
    try #require(all.count > 1, "\(all)")
    #expect(WaitingTasks.creators(in: callers).map(\.description) == [all[0]])
  }
}
