import Pipelines
import Staging
import Testing

/// `receive(on:)`, `subscribe(on:)` and timers on a stage.
@Suite struct HopTests {
  private let run = Rehearsing()

  @Test func `receive sends at the same instant, after the running action`() {
    let source = PassthroughSubject<Int, Never>()
    run.watch(source.receive(on: run.scheduler))
    run.at(100) {
      source.send(1)
      source.send(completion: .finished)
      run.note("sent")
    }

    #expect(run.settle() == "sent@100 1@100 finished@100")
  }

  @Test func `receive sends nothing after a cancellation`() {
    let source = PassthroughSubject<Int, Never>()
    let sink = run.watch(source.receive(on: run.scheduler))
    run.at(100) {
      source.send(1)
      sink.cancel()
    }

    #expect(run.settle() == "")
  }

  @Test func `receive passes demand on`() {
    let asking = Asking<Int, Never>()
    [1, 2, 3].publisher.receive(on: run.scheduler).subscribe(asking)
    asking.request(2)
    run.settle()

    #expect(asking.values == [1, 2])
  }

  @Test func `subscribe begins, requests and cancels in actions of their own`() {
    let source = Empty<Int, Never>(completeImmediately: false).handleEvents(
      receiveSubscription: { _ in run.note("begun") },
      receiveCancel: { run.note("cancelled") },
      receiveRequest: { _ in run.note("requested") }
    )
    let sink = run.watch(source.subscribe(on: run.scheduler))
    run.note("subscribed")
    run.at(100) {
      sink.cancel()
      run.note("cancel")
    }

    #expect(
      run.settle() == "subscribed@0 begun@0 requested@0 cancel@100 cancelled@100"
    )
  }

  @Test func `subscribe passes on a subscription immediately, so zip can take part`() {
    run.watch(Just(1).subscribe(on: run.scheduler).zip(Just(2)).map { "\($0)\($1)" })

    #expect(run.settle() == "12@0 finished@0")
  }

  @Test func `subscribe does not begin after a cancellation`() {
    let source = OrderedSubject<Int, Never>()
    run.watch(
      source.handleEvents(receiveSubscription: { _ in run.note("begun") })
        .subscribe(on: run.scheduler)
    ).cancel()

    #expect(run.settle() == "")
  }

  @Test func `subscribe passes demand on, also while it receives a value`() {
    let asking = Asking<Int, Never>()
    [1, 2, 3].publisher.subscribe(on: run.scheduler).subscribe(asking)
    asking.request(1)
    run.settle()
    #expect(asking.values == [1])

    asking.request(1)
    #expect(asking.values == [1])
    run.settle()
    #expect(asking.values == [1, 2])

    run.watch([1, 2, 3].publisher.subscribe(on: run.scheduler).first(2))
    #expect(run.settle() == "1@0 2@0 finished@0")
  }

  // MARK: Timers

  @Test func `a timer counts from one, first after an interval`() {
    run.watch(run.scheduler.timer(every: 1).first(3))

    #expect(run.settle() == "1@1000 2@2000 3@3000 finished@3000")
    #expect(run.stage.pending.sleeperCount == 0)
  }

  @Test func `subscribers share a timer, which stops with the last and begins again`() {
    let timer = run.scheduler.timer(every: 1)
    run.watch(timer.first(2), as: "a ")
    run.at(1500) { run.watch(timer.first(2), as: "b ") }
    run.at(5500) { run.watch(timer.first(1), as: "c ") }

    #expect(
      run.settle() == "a 1@1000 a 2@2000 a finished@2000 b 2@2000 b 3@3000 b finished@3000"
        + " c 1@6500 c finished@6500"
    )
  }

  @Test func `a number without demand is dropped`() {
    let asking = Asking<Int, Never>()
    run.scheduler.timer(every: 1).first(2).subscribe(asking)
    run.at(1500) { asking.request(2) }
    run.settle()

    #expect(asking.values == [2, 3])
  }
}
