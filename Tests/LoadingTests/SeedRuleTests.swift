import Staging
import Testing

@testable import Loading

/// The behaviour of Processed and the default behaviour, rule by rule: the order within a load, its
/// transitions, processes, and classes compared to wrappers.
@MainActor
@Suite struct SeedRuleTests {
  private typealias Slot = Probe<LoadableState<Int>>
  private static nonisolated let seeds: [LoadingPolicy] = [.processed, .processedWrapper]
  private static nonisolated let three: [LoadingPolicy] = seeds + [.latest]

  private func history(
    _ policy: LoadingPolicy,
    from initial: LoadableState<Int> = .absent,
    _ script: @MainActor (Slot) -> Void
  ) -> [String] {
    let stage = Stage()
    return stage.enter {
      let probe = Slot(initial, policy: policy, on: stage)
      script(probe)
      #expect(stage.settle() == .idle)
      return probe.history
    }
  }

  private func throwing(_ error: any Error) -> Slot.Block {
    { _ in throw error }
  }

  // MARK: How a block may end

  @Test(arguments: three)
  func `the in-flight state is written before load returns`(policy: LoadingPolicy) {
    _ = history(policy) { it in
      it.load(it.coop(10, 1))
      #expect(it.driver.state == .loading)
      #expect(it.driver.snapshot.attempt == Attempt(number: 1))
    }
  }

  @Test func `an unprovoked CancellationError leaves Processed in loading`() {
    for policy in Self.seeds {
      #expect(history(policy) { $0.load(throwing(CancellationError())) } == ["0 loading"])
    }
    #expect(
      history(.latest, from: .loaded(7)) { $0.load(throwing(CancellationError())) }
        == ["0 loading", "0 loaded(7)"]
    )
  }

  @Test(arguments: three)
  func `the other family's control errors are ordinary errors`(policy: LoadingPolicy) {
    #expect(
      history(policy) { $0.load(throwing(CancelProcess())) }
        == ["0 loading", "0 error(CancelProcess)"]
    )
  }

  @Test func `a block asks to cancel`() {
    for policy in Self.seeds {
      #expect(history(policy) { $0.load(throwing(CancelLoadable())) } == ["0 loading"])
    }
    #expect(
      history(.latest) { $0.load(throwing(CancelLoadable())) } == ["0 loading", "0 absent"]
    )
  }

  @Test(arguments: three)
  func `a block asks to reset`(policy: LoadingPolicy) {
    #expect(
      history(policy, from: .loaded(7)) { $0.load(throwing(ResetLoadable())) }
        == ["0 loading", "0 absent"]
    )
  }

  @Test func `a yielding block without yields leaves Processed in loading`() {
    for policy in Self.seeds {
      #expect(history(policy) { $0.load { _ in nil } } == ["0 loading"])
    }
    #expect(
      history(.latest, from: .loaded(7)) { $0.load { _ in nil } } == ["0 loading", "0 loaded(7)"]
    )
  }

  @Test
  func `a platform's cancelled request is an error in Processed and a cancellation by default`() {
    struct URLCancelled: Error {
      let _domain = "NSURLErrorDomain"
      let _code = -999
    }
    for policy in Self.seeds {
      let seen = history(policy) { $0.load(throwing(URLCancelled())) }
      #expect(seen.count == 2 && seen[1].hasPrefix("0 error("))
    }
    #expect(
      history(.latest, from: .loaded(7)) { $0.load(throwing(URLCancelled())) }
        == ["0 loading", "0 loaded(7)"]
    )
  }

  // MARK: Yields

  @Test(arguments: three)
  func `every state can be yielded and every yield is written`(policy: LoadingPolicy) {
    let seen = history(policy) { it in
      it.load { context in
        for state in [.loaded(1), .loaded(1), .error(Boom()), .absent, .loading, .loaded(2)]
          as [LoadableState<Int>]
        { context.yield(state) }
        return nil
      }
    }
    #expect(
      seen == [
        "0 loading", "0 loaded(1)", "0 loaded(1)", "0 error(Boom)", "0 absent", "0 loading",
        "0 loaded(2)",
      ]
    )
  }

  @Test(arguments: three)
  func `after a yield a block may still fail, cancel or reset`(policy: LoadingPolicy) {
    func ending(_ error: any Error) -> [String] {
      history(policy) { it in
        it.load { context in
          context.yield(.loaded(1))
          throw error
        }
      }
    }
    #expect(ending(Boom()) == ["0 loading", "0 loaded(1)", "0 error(Boom)"])
    #expect(ending(CancelLoadable()) == ["0 loading", "0 loaded(1)"])
    #expect(ending(ResetLoadable()) == ["0 loading", "0 loaded(1)", "0 absent"])
  }

  @Test func `a cancelled block's yields are written in Processed and dropped by default`() {
    func seen(_ policy: LoadingPolicy) -> [String] {
      history(policy) { it in
        it.load { [stage = it.stage] context in
          await deafSleep(100, on: stage)
          context.yield(.loaded(1))
          return nil
        }
        it.at(50) { it.driver.cancel() }
      }
    }
    for policy in Self.seeds { #expect(seen(policy) == ["0 loading", "100 loaded(1)"]) }
    #expect(seen(.latest) == ["0 loading", "50 absent"])
  }

  // MARK: cancel, reset and direct writes

  @Test(arguments: three)
  func `cancel and reset without a load`(policy: LoadingPolicy) {
    for settled in [.loaded(7), .error(Boom())] as [LoadableState<Int>] {
      #expect(history(policy, from: settled) { $0.driver.cancel() } == [])
      #expect(history(policy, from: settled) { $0.driver.reset() } == ["0 absent"])
    }
    #expect(history(policy) { $0.driver.cancel() } == [])
    #expect(history(policy) { $0.driver.reset() } == [])
  }

  @Test(arguments: three)
  func `a silent load that cancels keeps the content`(policy: LoadingPolicy) {
    let seen = history(policy, from: .loaded(7)) { it in
      it.load(throwing(CancelLoadable()), silently: true)
    }
    #expect(seen == [])
  }

  @Test func `a direct write cancels, or is overwritten`() {
    func seen(_ policy: LoadingPolicy) -> [String] {
      history(policy) { it in
        it.load(it.coop(100, 1))
        it.at(50) { it.driver.set(.loaded(9)) }
      }
    }
    #expect(seen(.processed) == ["0 loading", "50 loaded(9)", "100 loaded(1)"])
    #expect(seen(.processedWrapper) == ["0 loading", "50 loaded(9)"])
    #expect(seen(.latest) == ["0 loading", "50 loaded(9)"])
  }

  @Test func `an awaiting caller that is cancelled`() {
    func seen(_ policy: LoadingPolicy, deaf: Bool) -> [String] {
      history(policy) { it in
        let caller = it.loadAsync(deaf ? it.stub(100, 1) : it.coop(100, 1))
        it.at(50) { caller.cancel() }
      }
    }
    for policy in Self.seeds { #expect(seen(policy, deaf: false) == ["0 loading"]) }
    #expect(seen(.processed, deaf: true) == ["0 loading", "100 loaded(1)"])
    #expect(seen(.processedWrapper, deaf: true) == ["0 loading"])
    #expect(seen(.latest, deaf: false) == ["0 loading", "50 absent"])
    #expect(seen(.latest, deaf: true) == ["0 loading", "50 absent"])
  }

  @Test func `a load in a cancelled task starts nevertheless`() {
    func seen(_ policy: LoadingPolicy) -> [String] {
      history(policy) { it in it.loadAsync(it.coop(100, 1)).cancel() }
    }
    for policy in Self.seeds { #expect(seen(policy) == ["0 loading"]) }
    #expect(seen(.latest) == ["0 loading", "0 absent"])
  }

  @Test func `cancelling the returned task cancels the attempt`() {
    func seen(_ policy: LoadingPolicy, deaf: Bool) -> [String] {
      history(policy) { it in
        let task = it.driver.start((), block: deaf ? it.stub(100, 1) : it.coop(100, 1))
        it.at(50) { task.cancel() }
      }
    }
    #expect(seen(.latest, deaf: false) == ["0 loading", "50 absent"])
    #expect(seen(.latest, deaf: true) == ["0 loading", "100 absent"])
    #expect(seen(.processed, deaf: true) == ["0 loading", "100 loaded(1)"])
    #expect(seen(.processedWrapper, deaf: true) == ["0 loading"])
  }

  // MARK: Where classes and wrappers differ

  @Test func `an awaited load cancels the stored task in wrappers, and by default`() {
    func seen(_ policy: LoadingPolicy) -> [String] {
      history(policy) { it in
        it.load(it.coop(100, 1))
        it.at(50) { it.loadAsync(it.coop(100, 2)) }
      }
    }
    #expect(seen(.processed) == ["0 loading", "100 loaded(1)", "150 loaded(2)"])
    #expect(seen(.processedWrapper) == ["0 loading", "150 loaded(2)"])
    #expect(seen(.latest) == ["0 loading", "150 loaded(2)"])
  }

  @Test func `in classes the end of any attempt clears the stored task`() {
    func seen(_ policy: LoadingPolicy) -> [String] {
      history(policy) { it in
        for (instant, value) in [(0, 1), (50, 2), (100, 3)] {
          it.at(instant) { it.load(it.coop(300, value)) }
        }
      }
    }
    #expect(seen(.processed) == ["0 loading", "350 loaded(2)", "400 loaded(3)"])
    #expect(seen(.processedWrapper) == ["0 loading", "400 loaded(3)"])
    #expect(seen(.latest) == ["0 loading", "400 loaded(3)"])
  }

  @Test func `drivers that share a slot cancel each other only in Processed`() {
    func seen(_ policy: LoadingPolicy) -> [[String]] {
      let stage = Stage()
      return stage.enter {
        let slot = LoadSlot()
        let x = Slot(policy: policy, on: stage, slot: slot)
        let y = Slot(policy: policy, on: stage, slot: slot)
        x.load(x.coop(100, 1))
        y.at(50) { y.load(y.coop(100, 2)) }
        #expect(stage.settle() == .idle)
        return [x.history, y.history]
      }
    }
    #expect(seen(.processed) == [["0 loading"], ["50 loading", "150 loaded(2)"]])
    #expect(seen(.latest) == [["0 loading", "100 loaded(1)"], ["50 loading", "150 loaded(2)"]])
  }

  // MARK: Processes

  @Test func `another kind is written, the same kind is not`() {
    func seen(_ policy: LoadingPolicy, then second: String) -> [String] {
      let stage = Stage()
      return stage.enter {
        let it = Probe<ProcessState<String>>(policy: policy, on: stage)
        it.driver.start("save") { [stage] _ in await deafSleep(100, on: stage) }
        stage.schedule(at: StageInstant(elapsed: .milliseconds(50))) {
          it.driver.start(second) { [stage] _ in await deafSleep(100, on: stage) }
        }
        #expect(stage.settle() == .idle)
        return it.history
      }
    }
    let other = ["0 running(save)", "50 running(delete)"]
    #expect(
      seen(.processed, then: "delete") == other + ["100 finished(save)", "150 finished(delete)"]
    )
    #expect(seen(.processedWrapper, then: "delete") == other + ["150 finished(delete)"])
    #expect(seen(.latest, then: "delete") == other + ["150 finished(delete)"])
    #expect(seen(.latest, then: "save") == ["0 running(save)", "150 finished(save)"])
  }
}
