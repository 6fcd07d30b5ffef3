import Pipelines
import Staging
import Testing

/// Differences between OpenCombine 0.14.0 and Combine, and their replacements. If a test fails
/// after an update, OpenCombine may be fixed.
@Suite struct DeviationTests {
  @Test func `first of n finishes with the last value; OpenCombine's prefix waits for one more`() {
    let ours = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    ours.watch(subject.first(2))
    ours.send([(1, 0), (2, 100), (3, 200)], to: subject)
    #expect(ours.settle() == "1@0 2@100 finished@100")

    let prefix = Rehearsing()
    let other = PassthroughSubject<Int, Never>()
    prefix.watch(other.prefix(2))
    prefix.send([(1, 0), (2, 100), (3, 200)], to: other)
    #if canImport(Combine)
    #expect(prefix.settle() == "1@0 2@100 finished@100")
    #else
    #expect(prefix.settle() == "1@0 2@100 finished@200")
    #endif
  }

  @Test func `first of none finishes immediately`() {
    let run = Rehearsing()
    run.watch(PassthroughSubject<Int, Never>().first(0))

    #expect(run.settle() == "finished@0")
  }

  @Test func `a stage settles after a timeout; OpenCombine's own never stops its timer`() {
    let stage = Stage()
    let silent = Empty<Int, Never>(completeImmediately: false)
    let sink = OpenedTimeout(silent, on: stage.scheduler).publisher.sink { _ in }
    defer { sink.cancel() }

    let stop = stage.settle(within: .seconds(60))
    #if canImport(Combine)
    #expect(stop == .idle)
    #else
    #expect(stop != .idle)
    #expect(stage.pending.sleeperCount == 1)
    #endif
  }

  @Test func `throttle sends immediate values; OpenCombine's own loses them`() {
    let ours = Rehearsing()
    ours.watch(
      CurrentValueSubject<Int, Never>(1).throttle(for: 1, scheduler: ours.scheduler, latest: true)
    )
    #expect(ours.settle() == "1@0")

    let theirs = Rehearsing()
    theirs.watch(
      OpenedThrottle(CurrentValueSubject<Int, Never>(1), on: theirs.scheduler).publisher
    )
    #if canImport(Combine)
    #expect(theirs.settle() == "1@0")
    #else
    #expect(theirs.settle() == "")
    #endif
  }

  @Test func `a cancelled throttle leaves no timer on the stage`() {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    let sink = run.watch(subject.throttle(for: 1, scheduler: run.scheduler, latest: true))
    run.send([(1, 0), (2, 100)], to: subject)
    run.at(200) { sink.cancel() }

    #expect(run.settle() == "1@0")
    #expect(run.time == "200")
  }

  @Test func `an error inside OpenCombine's flatMap does not end the outer publisher`() {
    let run = Rehearsing()
    let subject = OrderedSubject<Int, Trouble>()
    run.watch(subject.flatMap { _ in Fail<Int, Trouble>(error: .expected) })
    run.send([(1, 0)], to: subject)

    #expect(run.settle() == "failed@0")
    #if canImport(Combine)
    #expect(subject.subscriberCount == 0)
    #else
    #expect(subject.subscriberCount == 1)
    #endif
  }

  @Test func `a cancelled delay leaves no timer on the stage; OpenCombine's continues`() {
    let run = Rehearsing()
    let sink = run.watch(Just(1).delay(for: 1, scheduler: run.scheduler))
    run.at(200) { sink.cancel() }

    #expect(run.settle() == "")
    #expect(run.time == "200")
  }

  /// Calls the generic operator; a `StageScheduler` would select ours.
  private struct OpenedThrottle<S: Scheduler> {
    let publisher: AnyPublisher<Int, Never>

    init(_ upstream: CurrentValueSubject<Int, Never>, on scheduler: S) {
      publisher = upstream.throttle(for: .seconds(1), scheduler: scheduler, latest: true)
        .eraseToAnyPublisher()
    }
  }

  /// Calls the generic operator; a `StageScheduler` would select ours.
  private struct OpenedTimeout<S: Scheduler> {
    let publisher: AnyPublisher<Int, Never>

    init(_ upstream: Empty<Int, Never>, on scheduler: S) {
      publisher = upstream.timeout(.seconds(5), scheduler: scheduler).eraseToAnyPublisher()
    }
  }

  @Test func `a value that debounce still holds is lost if its source finishes`() {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(subject.debounce(for: 0.5, scheduler: run.scheduler))
    run.send([(1, 0)], to: subject)
    run.at(100) { subject.send(completion: .finished) }

    // As in Combine.
    #expect(run.settle() == "finished@100")
  }

  @Test func `a value that throttle still holds is sent at the end of the window, before the end`()
  {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(subject.throttle(for: 0.5, scheduler: run.scheduler, latest: true))
    run.send([(1, 0), (2, 100)], to: subject)
    run.at(200) { subject.send(completion: .finished) }

    // As in Combine.
    #expect(run.settle() == "1@0 2@500 finished@500")
  }
}
