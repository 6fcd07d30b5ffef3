import Staging
import Testing

@testable import Loading

/// A start while another attempt is in flight, kept values, and the two policies of
/// RemoteContentView.
@MainActor
@Suite struct PolicyTests {
  private typealias Slot = Probe<LoadableState<Int>>

  private func run(
    _ policy: LoadingPolicy,
    from initial: LoadableState<Int> = .absent,
    _ script: @MainActor (Slot) -> Void
  ) -> (history: [String], observed: [String]) {
    let stage = Stage()
    return stage.enter {
      let probe = Slot(initial, policy: policy, on: stage)
      probe.observe()
      script(probe)
      #expect(stage.settle() == .idle)
      #expect(probe.driver.waiters.isEmpty && probe.driver.parked.isEmpty)
      return (probe.history, probe.observed)
    }
  }

  private func twoLoads(_ policy: LoadingPolicy) -> (history: [String], observed: [String]) {
    run(policy) { it in
      it.load(it.coop(100, 1))
      it.at(50) { it.load(it.coop(100, 2)) }
    }
  }

  @Test func `every policy is found by its name`() {
    #expect(LoadingPolicy.all.map(\.name).map(LoadingPolicy.named) == LoadingPolicy.all)
    #expect(Set(LoadingPolicy.all.map(\.name)).count == LoadingPolicy.all.count)
    #expect(LoadingPolicy.named("lates") == nil)
  }

  @Test func `ignore refuses the second load`() {
    let seen = twoLoads(.ignore)
    #expect(seen.history == ["0 loading", "100 loaded(1)"])
    #expect(seen.observed == ["0 start #1", "50 ignored because of #1", "100 #1 returned 1"])
  }

  @Test func `join shares the first load's answer`() {
    let seen = twoLoads(.join)
    #expect(seen.history == ["0 loading", "100 loaded(1)"])
    #expect(seen.observed == ["0 start #1", "50 joined #1", "100 #1 returned 1"])
  }

  @Test func `a joined start returns with the answer, and cancelling it cancels nothing`() {
    var returned: [String] = []
    let seen = run(.join) { it in
      it.load(it.coop(100, 1), silently: true)
      for name in ["patient", "hasty"] {
        let caller = Task {
          await it.driver.run((), block: it.coop(1, 2))
          returned.append("\(it.milliseconds) \(name)")
        }
        if name == "hasty" { it.at(50) { caller.cancel() } }
      }
    }
    // A start that is not silent writes the in-flight state even if it joins a silent load.
    #expect(seen.history == ["0 loading", "100 loaded(1)"])
    #expect(returned == ["50 hasty", "100 patient"])
  }

  @Test func `queued attempts run one after the other`() {
    let seen = twoLoads(.queue)
    #expect(seen.history == ["0 loading", "100 loaded(1)", "100 loading", "200 loaded(2)"])
    #expect(
      seen.observed == [
        "0 start #1", "50 queued #2 behind #1", "100 #1 returned 1", "100 start #2",
        "200 #2 returned 2",
      ]
    )
  }

  @Test func `cancel also empties the queue, and an awaiting caller may leave it`() {
    let cancelled = run(.queue) { it in
      it.load(it.coop(100, 1))
      it.load(it.coop(100, 2))
      it.at(50) { it.driver.cancel() }
    }
    #expect(cancelled.history == ["0 loading", "50 absent"])
    #expect(
      cancelled.observed == [
        "0 start #1", "0 queued #2 behind #1", "50 cancelled #1", "50 cancelled #2",
        "50 #1 was cancelled, dropped",
      ]
    )
    let left = run(.queue) { it in
      it.load(it.coop(100, 1))
      let caller = it.driver.start((), block: it.coop(100, 2))
      it.load(it.coop(100, 3))
      it.at(50) { caller.cancel() }
    }
    #expect(left.history == ["0 loading", "100 loaded(1)", "100 loading", "200 loaded(3)"])
  }

  @Test func `parallel attempts write every answer on arrival`() {
    let seen = run(.parallel) { it in
      it.load(it.coop(200, 1))
      it.at(50) { it.load(it.coop(100, 2)) }
      it.at(60) { it.load { _ in throw CancelLoadable() } }
    }
    #expect(seen.history == ["0 loading", "150 loaded(2)", "200 loaded(1)"])
  }

  @Test func `parallel loads are cancelled together`() {
    let seen = run(.parallel, from: .loaded(7)) { it in
      it.load(it.coop(200, 1))
      it.load(it.stub(100, 2))
      it.at(50) { it.driver.cancel() }
    }
    #expect(seen.history == ["0 loading", "50 loaded(7)"])
  }

  @Test func `the last value is kept during a reload and after an error, as the policy says`() {
    func kept(_ policy: LoadingPolicy) -> [Int?] {
      var kept: [Int?] = []
      _ = run(policy) { it in
        it.load(it.coop(10, 1))
        it.at(20) { it.load(it.stub(10, throwing: Boom())) }
        for instant in [5, 15, 25, 35] { it.at(instant) { kept.append(it.driver.kept) } }
        it.at(40) {
          it.driver.reset()
          kept.append(it.driver.kept)
        }
      }
      return kept
    }
    #expect(kept(.latest) == [nil, 1, 1, 1, nil])
    #expect(kept(.processed) == [nil, 1, nil, nil, nil])
    var afterErrorOnly = LoadingPolicy.latest
    afterErrorOnly.keepsValueAfterError = false
    #expect(kept(afterErrorOnly) == [nil, 1, 1, nil, nil])
  }

  // MARK: RemoteContentView

  @Test func `the released version refuses starts, and cancels to the initial state`() {
    #expect(twoLoads(.remoteContent).history == ["0 loading", "100 loaded(1)"])
    let cancelled = run(.remoteContent, from: .loaded(7)) { it in
      it.driver.cancel()
      it.load(it.coop(100, 1))
      it.at(50) { it.driver.cancel() }
      it.at(60) { it.driver.cancel() }
    }
    #expect(cancelled.history == ["0 loading", "50 absent"])
  }

  @Test func `the article's version restarts, rewrites and removes content`() {
    #expect(
      twoLoads(.remoteContentArticle).history == ["0 loading", "50 loading", "150 loaded(2)"]
    )
    let cancelled = run(.remoteContentArticle, from: .loaded(7)) { it in
      it.driver.cancel()
      it.at(10) { it.driver.cancel() }
      it.at(20) { it.load(it.coop(100, 1)) }
      it.at(50) { it.driver.cancel() }
    }
    #expect(cancelled.history == ["0 absent", "10 absent", "20 loading", "50 absent"])
  }

  @Test func `a policy may change while an attempt is in flight`() {
    let seen = run(.processed) { it in
      it.load(it.coop(100, 1))
      it.at(50) {
        it.driver.cancel()
        it.driver.policy = .latest
        it.driver.cancel()
      }
    }
    #expect(seen.history == ["0 loading", "50 absent"])
  }

  @Test func `a policy by stored task reaches attempts that began under another one`() {
    let seen = run(.latest) { it in
      it.load(it.coop(100, 1))
      it.driver.policy = .processedWrapper
      it.at(50) { it.load(it.coop(100, 2)) }
      it.at(100) { it.driver.cancel() }
    }
    #expect(seen.observed.contains("50 start #2 for #1"))
    #expect(seen.history == ["0 loading"])
  }
}
