import Pipelines
import Testing

/// `collect` by time, which OpenCombine lacks.
@Suite struct CollectByTimeTests {
  private typealias Source = PassthroughSubject<Int, Trouble>

  @Test func `each window with values sends a list at its end`() {
    let run = Rehearsing()
    let source = Source()
    run.watch(source.collect(.byTime(run.scheduler, 1)))
    run.send([(1, 100), (2, 900), (3, 1500), (4, 4200)], to: source)

    #expect(run.settle() == "[1, 2]@1000 [3]@2000 [4]@5000")
  }

  @Test func `a full list is sent immediately, and the window goes on`() {
    let run = Rehearsing()
    let source = Source()
    run.watch(source.collect(.byTimeOrCount(run.scheduler, 1, 2)))
    run.send([(1, 100), (2, 200), (3, 300), (4, 1100), (5, 1200)], to: source)

    #expect(run.settle() == "[1, 2]@200 [3]@1000 [4, 5]@1200")
  }

  @Test func `at the end the last values come first`() {
    let run = Rehearsing()
    let source = Source()
    run.watch(source.collect(.byTime(run.scheduler, 1)))
    run.send([(1, 100)], to: source)
    run.at(200) { source.send(completion: .finished) }

    #expect(run.settle() == "[1]@200 finished@200")
    #expect(run.time == "200")
  }

  @Test func `an error discards the collected values`() {
    let run = Rehearsing()
    let source = Source()
    run.watch(source.collect(.byTime(run.scheduler, 1)))
    run.send([(1, 100)], to: source)
    run.at(200) { source.send(completion: .failure(.expected)) }

    #expect(run.settle() == "failed@200")
  }

  @Test func `an empty source finishes without a list`() {
    let run = Rehearsing()
    run.watch(Empty<Int, Never>().collect(.byTime(run.scheduler, 1)))

    #expect(run.settle() == "finished@0")
  }

  @Test func `a cancelled one cancels its source and leaves no timer on the stage`() {
    let run = Rehearsing()
    let source = OrderedSubject<Int, Never>()
    let sink = run.watch(source.collect(.byTime(run.scheduler, 1)))
    run.send([(1, 100)], to: source)
    run.at(200) { sink.cancel() }

    #expect(run.settle() == "")
    #expect(run.time == "200")
    #expect(source.subscriberCount == 0)
  }

  @Test func `without demand values are kept, and sent at the end of a window with demand`() {
    let run = Rehearsing()
    let source = Source()
    let asking = Asking<[Int], Trouble>()
    source.collect(.byTime(run.scheduler, 1)).subscribe(asking)
    run.send([(1, 100), (2, 1100)], to: source)
    run.at(1500) { asking.request(1) }
    run.at(1999) { #expect(asking.values == []) }
    run.settle()

    #expect(asking.values == [[1, 2]])
    #expect(run.time == "2000")
  }

  @Test func `without demand the end waits for the last values`() {
    let run = Rehearsing()
    let asking = Asking<[Int], Never>()
    [1, 2].publisher.collect(.byTime(run.scheduler, 1)).subscribe(asking)
    run.settle()
    #expect(asking.completion == nil)

    asking.request(1)
    #expect(asking.values == [[1, 2]])
    #expect(asking.completion == .finished)
  }

  @Test func `a value at the end of a window belongs to it if it was scheduled before the window`()
  {
    let run = Rehearsing()
    let source = Source()
    run.watch(source.collect(.byTime(run.scheduler, 1)))
    run.send([(1, 100), (2, 1000)], to: source)

    #expect(run.settle() == "[1, 2]@1000")
  }
}
