import Pipelines
import Testing

/// `prefix(untilOutputFrom:)` and `drop(untilOutputFrom:)` of Combine.
@Suite struct UntilOutputTests {
  private typealias Source = OrderedSubject<Int, Trouble>

  private let run = Rehearsing()
  private let source = Source()
  private let other = Source()

  // MARK: Until the output

  @Test func `the first values pass until the other publisher's value, which finishes`() {
    run.watch(source.first(untilOutputFrom: other))
    run.send([(1, 0), (2, 100), (3, 300)], to: source)
    run.send([(0, 200)], to: other)

    #expect(run.settle() == "1@0 2@100 finished@200")
    #expect(source.subscriberCount == 0)
    #expect(other.subscriberCount == 0)
  }

  @Test(arguments: [Subscribers.Completion<Trouble>.finished, .failure(.expected)])
  func `the end of the other publisher does not end the first values`(
    end: Subscribers.Completion<Trouble>
  ) {
    run.watch(source.first(untilOutputFrom: other))
    run.at(100) { other.send(completion: end) }
    run.send([(1, 200)], to: source)
    run.at(300) { source.send(completion: .finished) }

    #expect(run.settle() == "1@200 finished@300")
  }

  @Test func `an error of the source ends the first values and cancels the other publisher`() {
    run.watch(source.first(untilOutputFrom: other))
    run.at(100) { source.send(completion: .failure(.expected)) }

    #expect(run.settle() == "failed@100")
    #expect(other.subscriberCount == 0)
  }

  @Test func `an immediate value of the other publisher finishes before the source begins`() {
    let asking = Asking<Int, Trouble>()
    source.first(untilOutputFrom: Just(0)).subscribe(asking)

    #expect(asking.completion == .finished)
    #expect(source.subscriberCount == 0)
  }

  // MARK: From the output on

  @Test func `values are dropped until the other publisher's value`() {
    run.watch(source.dropFirst(untilOutputFrom: other))
    run.send([(1, 0), (2, 200), (3, 300)], to: source)
    run.send([(0, 100)], to: other)
    run.at(400) { source.send(completion: .finished) }

    #expect(run.settle() == "2@200 3@300 finished@400")
    #expect(other.subscriberCount == 0)
  }

  @Test func `if the other publisher finishes without a value, nothing can pass any more`() {
    run.watch(source.dropFirst(untilOutputFrom: other))
    run.at(100) { other.send(completion: .finished) }

    #expect(run.settle() == "finished@100")
    #expect(source.subscriberCount == 0)
  }

  @Test func `an error of the other publisher before its value ends it`() {
    run.watch(source.dropFirst(untilOutputFrom: other))
    run.at(100) { other.send(completion: .failure(.expected)) }

    #expect(run.settle() == "failed@100")
    #expect(source.subscriberCount == 0)
  }

  @Test func `after its value the end of the other publisher has no effect`() {
    run.watch(source.dropFirst(untilOutputFrom: other))
    run.send([(0, 0)], to: other)
    run.at(100) { other.send(completion: .failure(.expected)) }
    run.send([(1, 200)], to: source)

    #expect(run.settle() == "1@200")
  }

  @Test func `the end of the source passes while its values are dropped`() {
    run.watch(source.dropFirst(untilOutputFrom: other))
    run.at(100) { source.send(completion: .finished) }

    #expect(run.settle() == "finished@100")
    #expect(other.subscriberCount == 0)
  }

  @Test func `an immediate end of the other publisher leaves the source alone`() {
    let asking = Asking<Int, Trouble>()
    source.dropFirst(untilOutputFrom: Empty<Int, Trouble>()).subscribe(asking)

    #expect(asking.completion == .finished)
    #expect(source.subscriberCount == 0)
  }

  @Test func `a dropped value does not use up demand`() {
    let asking = Asking<Int, Trouble>()
    source.dropFirst(untilOutputFrom: other).subscribe(asking)
    asking.request(1)
    source.send(1)
    other.send(0)
    source.send(2)
    source.send(3)

    #expect(asking.values == [2])
  }

  @Test(arguments: [true, false])
  func `a cancellation reaches both publishers`(isPrefix: Bool) {
    let publisher =
      isPrefix ? source.first(untilOutputFrom: other) : source.dropFirst(untilOutputFrom: other)
    let sink = run.watch(publisher)
    #expect(source.subscriberCount + other.subscriberCount == 2)
    sink.cancel()

    #expect(source.subscriberCount + other.subscriberCount == 0)
    #expect(run.text == "")
  }
}
