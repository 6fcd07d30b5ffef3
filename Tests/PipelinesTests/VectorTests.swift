import Pipelines
import Testing

/// The vectors recorded from Combine in `UsingCombineTests`, with a window of 500 ms.
@Suite struct VectorTests {
  @Test func `throttle keeps the first value of a window`() {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(subject.throttle(for: 0.5, scheduler: run.scheduler, latest: false))
    run.send(
      [(-1, 0), (1, 100), (2, 200), (3, 600), (4, 700), (5, 900), (6, 1300)],
      to: subject
    )

    #expect(run.settle() == "-1@0 1@500 3@1000 6@1500")
  }

  @Test func `throttle keeps the latest value of a window`() {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(subject.throttle(for: 0.5, scheduler: run.scheduler, latest: true))
    run.send(
      [(-1, 0), (1, 100), (2, 200), (3, 600), (4, 700), (5, 900), (6, 1200)],
      to: subject
    )

    #expect(run.settle() == "-1@0 2@500 5@1000 6@1500")
  }

  @Test func `debounce passes a value that is followed by a pause`() {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(subject.debounce(for: 0.5, scheduler: run.scheduler))
    run.send(
      [(-1, 0), (1, 100), (2, 200), (3, 300), (5, 850), (6, 851), (7, 852)],
      to: subject
    )

    #expect(run.settle() == "3@800 7@1352")
  }

  @Test(arguments: [
    ([(1, 100), (2, 200), (3, 600), (4, 700), (5, 1100), (6, 1200)], "6@1700"),
    ([(1, 100), (2, 200), (3, 1100), (4, 1200)], "2@700 4@1700"),
  ])
  func `debounce restarts its timer with every value`(
    values: [(Int, at: Int)],
    expected: String
  ) {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(subject.debounce(for: 0.5, scheduler: run.scheduler))
    run.send(values, to: subject)

    #expect(run.settle() == expected)
  }

  @Test func `removeDuplicates compares with the last value that passed`() {
    let run = Rehearsing()
    run.watch(["a", "b", "b", "a"].publisher.removeDuplicates())

    #expect(run.settle() == "a@0 b@0 a@0 finished@0")
  }

  // MARK: Retry and timeout

  /// Returns a request that is answered with an error after `milliseconds`.
  private func request(
    on run: Rehearsing,
    milliseconds: Int
  ) -> some Publisher<Int, Trouble> {
    Deferred {
      run.note("begun")
      return Fail<Int, Trouble>(error: .expected)
        .delay(for: .milliseconds(milliseconds), scheduler: run.scheduler)
        .handleEvents(receiveCompletion: { _ in run.note("answered") })
    }
  }

  @Test func `retry waits for each of four requests`() {
    let run = Rehearsing()
    run.watch(request(on: run, milliseconds: 1000).retry(3))

    #expect(
      run.settle()
        == "begun@0 answered@1000 begun@1000 answered@2000 begun@2000 answered@3000 begun@3000"
        + " answered@4000 failed@4000"
    )
  }

  @Test func `a delay applies to a success too`() {
    let run = Rehearsing()
    run.watch(Just(1).delay(for: 2, scheduler: run.scheduler).retry(3))

    #expect(run.settle() == "1@2000 finished@2000")
  }

  @Test func `a timeout around retries finishes after two answers, without an error`() {
    let run = Rehearsing()
    let requests = request(on: run, milliseconds: 2000).retry(5)
    run.watch(requests.timeout(5, scheduler: run.scheduler))

    #expect(
      run.settle()
        == "begun@0 answered@2000 begun@2000 answered@4000 begun@4000 finished@5000"
    )
  }

  @Test func `a timeout fails if an error is given`() {
    let run = Rehearsing()
    let silent = Empty<Int, Trouble>(completeImmediately: false)
    run.watch(silent.timeout(5, scheduler: run.scheduler) { .other })

    #expect(run.settle() == "failed@5000")
  }

  @Test func `every value restarts the timeout`() {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(subject.timeout(1, scheduler: run.scheduler))
    run.send([(1, 900), (2, 1800), (3, 2900)], to: subject)

    #expect(run.settle() == "1@900 2@1800 finished@2800")
  }

  @Test func `a cancelled timeout leaves no timer on the stage`() {
    let run = Rehearsing()
    let silent = Empty<Int, Never>(completeImmediately: false)
    let sink = run.watch(silent.timeout(5, scheduler: run.scheduler))
    run.at(1000) { sink.cancel() }

    #expect(run.settle() == "")
    #expect(run.time == "1000")
  }
}
