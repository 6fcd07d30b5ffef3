import Staging
import Testing

@testable import Loading

/// Interrupts, and errors that they throw.
@MainActor
@Suite struct InterruptTests {
  private typealias Slot = Probe<LoadableState<Int>>

  private func run(
    _ policy: LoadingPolicy,
    _ script: @MainActor (Slot) -> Void
  ) -> (history: [String], observed: [String]) {
    let stage = Stage()
    return stage.enter {
      let probe = Slot(policy: policy, on: stage)
      probe.observe()
      script(probe)
      #expect(stage.settle() == .idle)
      #expect(probe.driver.liveAttempts.isEmpty)
      return (probe.history, probe.observed)
    }
  }

  private func load(
    _ it: Slot,
    _ block: @escaping Slot.Block,
    interrupts: [Int],
    onInterrupt: @escaping (Duration) throws -> Void
  ) {
    it.driver.start(
      (),
      interrupts: interrupts.map { .milliseconds($0) },
      onInterrupt: onInterrupt,
      block: block
    )
  }

  @Test(arguments: LoadingPolicy.all)
  func `interrupts receive the nominal sum of the delays`(policy: LoadingPolicy) {
    var sums: [Duration] = []
    let (history, observed) = run(policy) { it in
      load(it, it.coop(100, 1), interrupts: [0, 20, 30, 80]) { sums.append($0) }
    }
    #expect(sums == [.zero, .milliseconds(20), .milliseconds(50)])
    #expect(history == ["0 loading", "100 loaded(1)"])
    #expect(
      observed == [
        "0 start #1", "0 #1 interrupted after 0.0 seconds", "20 #1 interrupted after 0.02 seconds",
        "50 #1 interrupted after 0.05 seconds", "100 #1 returned 1",
      ]
    )
  }

  @Test func `after the last interrupt the block continues`() {
    let (history, _) = run(.latest) { it in
      load(it, it.coop(100, 1), interrupts: [10]) { _ in }
    }
    #expect(history == ["0 loading", "100 loaded(1)"])
  }

  @Test func `a timeout takes effect at its deadline even if the block ignores cancellation`() {
    let (history, observed) = run(.latest) { it in
      load(it, it.stub(300, 1), interrupts: [50]) { _ in throw TimeoutError() }
    }
    #expect(history == ["0 loading", "50 error(TimeoutError)"])
    #expect(
      observed == [
        "0 start #1", "50 #1 interrupted after 0.05 seconds",
        "50 #1 stopped: failed: TimeoutError", "300 #1 returned 1, dropped",
      ]
    )
  }

  @Test func `in Processed a timeout waits for the block`() {
    let script: @MainActor (Slot) -> Void = { it in
      load(it, it.stub(300, 1), interrupts: [50]) { _ in throw TimeoutError() }
    }
    let classes = run(.processed, script)
    #expect(classes.history == ["0 loading", "300 loaded(1)", "300 error(TimeoutError)"])
    #expect(
      classes.observed == [
        "0 start #1", "50 #1 interrupted after 0.05 seconds",
        "50 #1 stopped: failed: TimeoutError, pending", "300 #1 returned 1",
        "300 #1 failed: TimeoutError",
      ]
    )
    let wrappers = run(.processedWrapper, script)
    #expect(wrappers.history == ["0 loading", "300 error(TimeoutError)"])
  }

  @Test(arguments: [LoadingPolicy.processed, .processedWrapper, .latest])
  func `a timeout ends a cancellable block at once`(policy: LoadingPolicy) {
    let (history, _) = run(policy) { it in
      load(it, it.coop(300, 1), interrupts: [50, 10]) { _ in throw TimeoutError() }
    }
    #expect(history == ["0 loading", "50 error(TimeoutError)"])
  }

  @Test(arguments: [LoadingPolicy.processed, .processedWrapper])
  func `control errors of an interrupt leave loading, or reset it`(policy: LoadingPolicy) {
    let outcome: (any Error) -> [String] = { error in
      run(policy) { it in
        load(it, it.coop(300, 1), interrupts: [50]) { _ in throw error }
      }.history
    }
    #expect(outcome(CancelLoadable()) == ["0 loading"])
    #expect(outcome(CancellationError()) == ["0 loading"])
    #expect(outcome(ResetLoadable()) == ["0 loading", "50 absent"])
    #expect(outcome(CancelProcess()) == ["0 loading", "50 error(CancelProcess)"])
  }

  @Test func `by default an interrupt that cancels restores the previous state`() {
    let (history, _) = run(.latest) { it in
      it.assign(.loaded(7))
      load(it, it.stub(300, 1), interrupts: [50]) { _ in throw CancelLoadable() }
    }
    #expect(history == ["0 loaded(7)", "0 loading", "50 loaded(7)"])
  }

  @Test(arguments: [LoadingPolicy.processed, .processedWrapper, .latest])
  func `a block that ends at the instant of an interrupt ends first`(policy: LoadingPolicy) {
    for block in [{ $0.coop(100, 1) }, { twoSleeps($0) }] as [@MainActor (Slot) -> Slot.Block] {
      let (history, _) = run(policy) { it in
        load(it, block(it), interrupts: [100]) { _ in throw TimeoutError() }
      }
      #expect(history == ["0 loading", "100 loaded(1)"])
    }
  }

  @Test func `calling cancel from an interrupt reaches a task, and an awaited load by default`() {
    func history(_ policy: LoadingPolicy, awaited: Bool) -> [String] {
      run(policy) { it in
        let onInterrupt: (Duration) -> Void = { _ in it.driver.cancel() }
        let block = it.coop(200, 1)
        if awaited {
          Task {
            await it.driver.run(
              (),
              interrupts: [.milliseconds(50)],
              onInterrupt: onInterrupt,
              block: block
            )
          }
        } else {
          load(it, block, interrupts: [50], onInterrupt: onInterrupt)
        }
      }.history
    }
    #expect(history(.processed, awaited: false) == ["0 loading"])
    #expect(history(.processed, awaited: true) == ["0 loading", "200 loaded(1)"])
    #expect(history(.processedWrapper, awaited: true) == ["0 loading", "200 loaded(1)"])
    #expect(history(.latest, awaited: false) == ["0 loading", "50 absent"])
    #expect(history(.latest, awaited: true) == ["0 loading", "50 absent"])
  }

  @Test func `an awaited load returns at the deadline, in Processed with its block`() {
    func returned(_ policy: LoadingPolicy) -> Int {
      var instant = -1
      _ = run(policy) { it in
        let block = it.stub(300, 1)
        Task {
          await it.driver.run(
            (),
            interrupts: [.milliseconds(50)],
            onInterrupt: { _ in throw TimeoutError() },
            block: block
          )
          instant = it.milliseconds
        }
      }
      return instant
    }
    #expect(returned(.latest) == 50)
    #expect(returned(.processed) == 300)
    #expect(returned(.processedWrapper) == 300)
  }

  private func twoSleeps(_ it: Slot) -> Slot.Block {
    { [stage = it.stage] _ in
      try await stage.clock.sleep(for: .milliseconds(40))
      try await stage.clock.sleep(for: .milliseconds(60))
      return 1
    }
  }
}
