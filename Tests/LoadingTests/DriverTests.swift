import Staging
import Testing

@testable import Loading

@MainActor
@Suite struct DriverTests {
  @Test func `an observer may call the driver`() {
    let stage = Stage()
    stage.enter {
      let probe = Probe<LoadableState<Int>>(policy: .latest, on: stage)
      var seen: [String] = []
      probe.driver.observer = { observation in
        seen.append(word(for: observation.change))
        switch observation.change {
        case .started(Attempt(number: 1), _, _, _): probe.driver.cancel()
        case .cancelled: probe.load(probe.coop(10, 2))
        default: break
        }
      }
      probe.load(probe.coop(10, 1))
      #expect(stage.settle() == .idle)
      #expect(
        seen == [
          "start #1", "cancelled #1", "start #2", "#1 was cancelled, dropped", "#2 returned 2",
        ]
      )
      #expect(probe.history == ["0 loading", "0 absent", "0 loading", "10 loaded(2)"])
      probe.driver.observer = nil
    }
  }

  @Test func `cancelling the block of a start from its own observer reaches it`() {
    let stage = Stage()
    stage.enter {
      let probe = Probe<LoadableState<Int>>(policy: .latest, on: stage)
      probe.driver.observer = { observation in
        if case .started = observation.change { probe.driver.cancel() }
      }
      var wasCancelled = false
      probe.load { _ in
        wasCancelled = Task.isCancelled
        return 1
      }
      #expect(stage.settle() == .idle)
      #expect(wasCancelled)
      probe.driver.observer = nil
    }
  }

  @Test func `an attempt that is cancelled while it is being queued never runs`() {
    let stage = Stage()
    stage.enter {
      let probe = Probe<LoadableState<Int>>(policy: .queue, on: stage)
      probe.load(probe.coop(100, 1))
      probe.driver.observer = { observation in
        if case .queued = observation.change { probe.driver.cancel() }
      }
      probe.load { _ in
        Issue.record("a cancelled attempt ran")
        return 2
      }
      #expect(stage.settle() == .idle)
      #expect(probe.history == ["0 loading", "0 absent"])
      #expect(probe.driver.parked.isEmpty && probe.driver.liveAttempts.isEmpty)
      probe.driver.observer = nil
    }
  }

  @Test func `live attempts include replaced ones that ignore cancellation`() {
    let stage = Stage()
    stage.enter {
      let probe = Probe<LoadableState<Int>>(policy: .latest, on: stage)
      probe.load(probe.stub(100, 1))
      probe.load(probe.coop(50, 2))
      #expect(probe.driver.liveAttempts.map(\.number) == [1, 2])
      #expect(stage.advance(by: .milliseconds(60)) == .reached)
      #expect(probe.driver.liveAttempts.map(\.number) == [1])
      #expect(probe.driver.snapshot.attempt == nil)
      #expect(stage.settle() == .idle)
      #expect(probe.driver.liveAttempts == [] && probe.driver.attemptCount == 2)
    }
  }

  @Test func `an awaited load that is replaced returns at once`() {
    let stage = Stage()
    stage.enter {
      let probe = Probe<LoadableState<Int>>(policy: .latest, on: stage)
      var returned = -1
      Task {
        await probe.driver.run((), block: probe.stub(300, 1))
        returned = probe.milliseconds
      }
      probe.at(50) { probe.load(probe.coop(10, 2)) }
      #expect(stage.settle() == .idle)
      #expect(returned == 50)
    }
  }

  @Test func `a driver is released when its last block has ended`() {
    let stage = Stage()
    stage.enter {
      weak var driver: LoadDriver<LoadableState<Int>>?
      do {
        let local = LoadDriver<LoadableState<Int>>(clock: stage.clock)
        driver = local
        local.start((), interrupts: [.seconds(1)]) { _ in
          try await stage.clock.sleep(for: .milliseconds(10))
          return 1
        }
      }
      #expect(driver != nil)
      #expect(stage.settle() == .idle)
      #expect(driver == nil)
    }
  }

  @Test func `the registry removes released instances`() {
    final class Model: LoadableSupport {
      var value: LoadableState<Int> = .absent
    }
    let registry = DriverRegistry()
    func use(_ model: Model) -> LoadDriver<LoadableState<Int>> {
      registry.driver(of: model, \Model.value) { LoadDriver() }
    }
    let kept = Model()
    let driver = use(kept)
    for _ in 0..<1000 { _ = use(Model()) }
    #expect(registry.count < 130)
    #expect(use(kept) === driver)
  }
}
