import Pipelines
import Testing

/// Combine rules that loading code relies on.
@Suite struct OperatorTests {
  @Test func `retry has no effect on a future, whose result is kept`() {
    let run = Rehearsing()
    var calls = 0
    let future = Future<Int, Trouble> { promise in
      calls += 1
      promise(.failure(.expected))
    }
    run.watch(future.retry(2))

    #expect(run.settle() == "failed@0")
    #expect(calls == 1)
  }

  @Test func `retry runs a deferred future again, n times and once more`() {
    let run = Rehearsing()
    var calls = 0
    let deferred = Deferred {
      Future<Int, Trouble> { promise in
        calls += 1
        promise(.failure(.expected))
      }
    }
    run.watch(deferred.retry(2))

    #expect(run.settle() == "failed@0")
    #expect(calls == 3)
  }

  @Test func `a future runs at its creation, a deferred one at its subscription`() {
    var calls: [String] = []
    let future = Future<Int, Never> { _ in calls.append("future") }
    let deferred = Deferred { Future<Int, Never> { _ in calls.append("deferred") } }

    #expect(calls == ["future"])
    let subscriptions = [deferred.sink { _ in }, deferred.sink { _ in }, future.sink { _ in }]
    #expect(calls == ["future", "deferred", "deferred"])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `a late subscriber to a finished share gets only the end`() {
    let run = Rehearsing()
    let shared = Just(1).share()
    run.watch(shared, as: "early ")
    run.watch(shared, as: "late ")

    #expect(run.settle() == "early 1@0 early finished@0 late finished@0")
  }

  @Test func `share subscribes once for all`() {
    let run = Rehearsing()
    var subscriptions = 0
    let shared = Deferred {
      subscriptions += 1
      return Just(1).delay(for: 1, scheduler: run.scheduler)
    }.share()
    run.watch(shared.map { $0 })
    run.watch(shared.map { $0 })

    #expect(run.settle() == "1@1000 1@1000 finished@1000 finished@1000")
    #expect(subscriptions == 1)
  }

  // MARK: Publishers of publishers

  /// Returns a publisher that answers after a time in milliseconds and reports its cancellation.
  private func load(_ milliseconds: Int, on run: Rehearsing) -> some Publisher<Int, Never> {
    Just(milliseconds)
      .delay(for: .milliseconds(milliseconds), scheduler: run.scheduler)
      .handleEvents(
        receiveSubscription: { _ in run.note("begin \(milliseconds)") },
        receiveCancel: { run.note("cancel \(milliseconds)") }
      )
  }

  @Test func `switchToLatest cancels the live publisher, then subscribes to the new one`() {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(subject.map { self.load($0, on: run) }.switchToLatest())
    run.send([(300, 0), (100, 100)], to: subject)

    #expect(run.settle() == "begin 300@0 cancel 300@100 begin 100@100 100@200")
  }

  @Test func `switchToLatest finishes after both the outer and the live publisher`() {
    let run = Rehearsing()
    run.watch(Just(300).map { self.load($0, on: run) }.switchToLatest())

    #expect(run.settle() == "begin 300@0 300@300 finished@300")
  }

  @Test func `flatMap keeps all publishers live, and a later load may win`() {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(subject.flatMap { self.load($0, on: run) })
    run.send([(300, 0), (100, 100)], to: subject)

    #expect(run.settle() == "begin 300@0 begin 100@100 100@200 300@300")
  }

  @Test func `flatMap with one publisher at a time runs them one after the other`() {
    let run = Rehearsing()
    let source = [300, 100].publisher
    run.watch(source.flatMap(maxPublishers: .max(1)) { self.load($0, on: run) })

    #expect(run.settle() == "begin 300@0 300@300 begin 100@300 100@400 finished@400")
  }

  // MARK: Errors

  @Test func `a replaced error inside flatMap does not end the outer publisher`() {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    let pipeline = subject.flatMap { value in
      Just(value).tryMap { if $0 == 1 { throw Trouble.expected } else { $0 } }.replaceError(
        with: -1
      )
    }
    run.watch(pipeline)
    run.send([(1, 0), (2, 100)], to: subject)

    #expect(run.settle() == "-1@0 2@100")
  }

  @Test func `an error that reaches the end of a pipeline ends it`() {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    run.watch(subject.tryMap { if $0 == 1 { throw Trouble.expected } else { $0 } })
    run.send([(1, 0), (2, 100)], to: subject)

    #expect(run.settle() == "failed@0")
  }

  // MARK: @Published

  private final class Model {
    @Published var name = "a"
  }

  @Test func `a published property sends its value immediately, and a new one before it changes`() {
    let model = Model()
    var seen: [String] = []
    let sink = model.$name.sink { seen.append("\($0), while it is \(model.name)") }
    model.name = "b"

    #expect(seen == ["a, while it is a", "b, while it is a"])
    sink.cancel()
  }

  // MARK: Zip

  @Test func `zip pairs values by order, and finishes when one side cannot give more`() {
    let run = Rehearsing()
    let letters = PassthroughSubject<String, Never>()
    run.watch(letters.zip([1, 2].publisher) { "\($0)\($1)" })
    run.send([("a", 0), ("b", 100), ("c", 200)], to: letters)

    #expect(run.settle() == "a1@0 b2@100 finished@100")
  }
}
