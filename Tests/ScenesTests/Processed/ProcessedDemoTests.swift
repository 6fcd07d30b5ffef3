import Loading
import Staging
import Testing

@testable import Scenes

/// The demos of Processed, as property wrappers and as classes: both have the same timeline.
@MainActor @Suite struct ProcessedDemoTests {
  private let stage = Stage()

  /// Returns the states of the driver while `script` runs and after it.
  private func timeline<State: LifecycleState & CustomDebugStringConvertible>(
    of driver: LoadDriver<State>,
    _ script: @MainActor () -> Void
  ) -> [String] {
    let notes = Notes()
    driver.observer = { [stage] in
      let (old, new) = ($0.before.state.debugDescription, $0.after.state.debugDescription)
      if old != new { notes.lines.append("\(stage.now) \(new)") }
    }
    stage.enter(script)
    return notes.lines
  }

  private final class Notes {
    var lines: [String] = []
  }

  private func settle() { #expect(stage.settle() == .idle) }

  private func wait(_ duration: Duration) { _ = stage.advance(by: duration) }

  @Test(arguments: [false, true])
  func `numbers come after two seconds, or one per second`(asClass: Bool) {
    let demo: any BasicDemo = asClass ? BasicClassDemo() : BasicWrapperDemo()
    let lines = timeline(of: demo.numbersDriver) {
      demo.load()
      settle()
      demo.stream()
      wait(.milliseconds(2500))
      demo.cancel()
      demo.reset()
      settle()
    }
    #expect(
      lines == [
        "0s loading", "2s loaded([0, 1, 2, 42, 73])", "2s loading", "3s loaded([1])",
        "4s loaded([1, 2])", "4.5s absent",
      ]
    )
  }

  @Test(arguments: [false, true])
  func `a refresh keeps the content until the new content arrives`(asClass: Bool) {
    let demo: any RefreshableDemo = asClass ? RefreshableClassDemo() : RefreshableWrapperDemo()
    let lines = timeline(of: demo.postsDriver) {
      Task { await demo.appear() }
      settle()
      Task { await demo.refresh() }
      settle()
    }
    #expect(
      lines == [
        "0s loading", #"2s loaded(["Post 1"])"#, #"4s loaded(["Post 1", "Post 2"])"#,
      ]
    )
  }

  @Test(arguments: [false, true])
  func `a broken stream restarts`(asClass: Bool) {
    let demo: any RestartableDemo = asClass ? RestartableClassDemo() : RestartableWrapperDemo()
    let lines = timeline(of: demo.ticksDriver) {
      demo.start()
      wait(.milliseconds(2500))
      demo.interfere()
      wait(.milliseconds(500))
      demo.start()
      wait(.seconds(1))
    }
    #expect(
      lines == [
        "0s loading", "1s loaded(1)", "2s loaded(2)",
        "2.5s error(the connection was lost)", "3s loading", "4s loaded(1)",
      ]
    )
    _ = stage.close()
  }

  @Test(arguments: [false, true])
  func `a load shows a note after two seconds and times out after five`(asClass: Bool) {
    let demo: any LoadableInterruptsDemo =
      asClass ? LoadableInterruptsClassDemo() : LoadableInterruptsWrapperDemo()
    let lines = timeline(of: demo.numbersDriver) {
      demo.load()
      wait(.seconds(2))
      #expect(demo.note == "this takes longer than expected")
      settle()
      #expect(demo.note == nil)
    }
    #expect(lines == ["0s loading", "5s error(TimeoutError)"])
    #expect(demo.numbersDriver.state == .error(TimeoutError()))
  }

  @Test(arguments: [false, true])
  func `a job shows a note after two seconds and times out after five`(asClass: Bool) {
    let demo: any ProcessInterruptsDemo =
      asClass ? ProcessInterruptsClassDemo() : ProcessInterruptsWrapperDemo()
    _ = timeline(of: demo.jobDriver) {
      demo.run()
      wait(.seconds(2))
      #expect(demo.note == "this takes longer than expected")
      wait(.seconds(3))
      #expect(demo.jobDriver.state.error is TimeoutError)
      #expect(demo.note == nil)
    }
  }

  @Test(arguments: [false, true])
  func `a process succeeds or fails as selected`(asClass: Bool) {
    let demo: any SimpleProcessDemo =
      asClass ? SimpleProcessClassDemo() : SimpleProcessWrapperDemo()
    let lines = timeline(of: demo.jobDriver) {
      demo.runSuccess()
      settle()
      demo.runFailure()
      settle()
      #expect(demo.jobDriver.state.hasFailed)
      demo.reset()
    }
    #expect(
      lines.map { $0.prefix { $0 != "," } } == [
        "0s running(#1)", "2s finished(#1)", "2s running(#2)", "4s failed(#2", "4s idle",
      ]
    )
  }

  @Test(arguments: [false, true])
  func `no button is enabled while a job runs`(asClass: Bool) throws {
    let demo: any SharedProcessDemo =
      asClass ? SharedProcessClassDemo() : SharedProcessWrapperDemo()
    try stage.enter {
      try demo.press(.save)
      #expect(demo.runningJob == .save)
      #expect(throws: DisabledButton.self) { try demo.press(.delete) }
      #expect(throws: DisabledButton.self) { try demo.press(.save) }
      settle()
      #expect(demo.accountDriver.state == .finished(.save))
      try demo.press(.delete)
      settle()
      #expect(demo.accountDriver.state == .finished(.delete))
    }
  }

  @Test(arguments: [false, true])
  func `a failure shows an alert, which offers to try again`(asClass: Bool) {
    let demo: any FailureAlertDemo = asClass ? FailureAlertClassDemo() : FailureAlertWrapperDemo()
    stage.enter {
      demo.delete()
      settle()
      #expect(demo.accountDriver.state.hasFailed)
      #expect(demo.alert == "delete failed. Try again?")
      demo.tryAgain()
      #expect(demo.alert == nil)
      settle()
      #expect(demo.accountDriver.state == .finished(.delete))
      #expect(demo.alert == nil)
    }
  }
}
