import Pipelines
import Testing

/// The documented behaviour of operators that the shell takes as they are.
@Suite struct CombineRulesTests {
  private typealias Source = OrderedSubject<Int, Trouble>

  private let run = Rehearsing()
  private let source = Source()

  private func send(_ values: Int...) {
    for value in values { source.send(value) }
  }

  // MARK: Values

  @Test func `compactMap drops nil, and does not use up demand for it`() {
    let asking = Asking<Int, Trouble>()
    source.compactMap { $0 > 1 ? $0 : nil }.subscribe(asking)
    asking.request(1)
    send(1, 2, 3)

    #expect(asking.values == [2])
  }

  @Test func `tryMap fails with the thrown error and cancels its source`() {
    run.watch(source.tryMap { if $0 == 2 { throw Trouble.expected } else { $0 } })
    send(1, 2, 3)

    #expect(run.text == "1@0 failed@0")
    #expect(source.subscriberCount == 0)
  }

  @Test func `mapError replaces the error and nothing else`() {
    var errors: [Trouble] = []
    let sink = source.mapError { _ in Trouble.other }.sink {
      if case .failure(let error) = $0 { errors.append(error) }
    } receiveValue: {
      run.note("\($0)")
    }
    send(1)
    source.send(completion: .failure(.expected))

    #expect(run.text == "1@0")
    #expect(errors == [.other])
    sink.cancel()
  }

  @Test func `replaceEmpty sends its value before the end, and never after a value or an error`() {
    run.watch(Empty<Int, Never>().replaceEmpty(with: 0))
    run.watch(Just(1).replaceEmpty(with: 0))
    run.watch(Fail<Int, Trouble>(error: .expected).replaceEmpty(with: 0))

    #expect(run.text == "0@0 finished@0 1@0 finished@0 failed@0")
  }

  // MARK: Whole publishers

  @Test func `scan sends each result, reduce the last one at the end`() {
    run.watch(source.scan(10, +), as: "scan ")
    run.watch(source.reduce(10, +), as: "reduce ")
    run.watch(source.count(), as: "count ")
    send(1, 2)
    source.send(completion: .finished)

    #expect(
      run.text == "scan 11@0 scan 13@0 scan finished@0 reduce 13@0 reduce finished@0 count 2@0"
        + " count finished@0"
    )
  }

  @Test func `reduce and count of an empty publisher send the first value and zero`() {
    run.watch(Empty<Int, Never>().reduce(10, +))
    run.watch(Empty<Int, Never>().count())

    #expect(run.text == "10@0 finished@0 0@0 finished@0")
  }

  @Test func `an error ends reduce, count and collect without a value`() {
    run.watch(source.reduce(0, +))
    run.watch(source.count())
    run.watch(source.collect(2).map(\.count))
    send(1)
    source.send(completion: .failure(.expected))

    #expect(run.text == "failed@0 failed@0 failed@0")
  }

  @Test func `collect by count sends full lists, and the rest before the end`() {
    run.watch(source.collect(2))
    send(1, 2, 3)
    source.send(completion: .finished)

    #expect(run.text == "[1, 2]@0 [3]@0 finished@0")
  }

  @Test func `collect by count requests as many values as its lists have`() {
    let asking = Asking<[Int], Never>()
    [1, 2, 3, 4, 5].publisher.collect(2).subscribe(asking)
    asking.request(1)

    #expect(asking.values == [[1, 2]])
    #expect(asking.completion == nil)
  }

  // MARK: Before and after

  @Test func `prepend begins with its values, and subscribes to the source after their end`() {
    let before = Source()
    run.watch(source.prepend(before))
    send(1)
    before.send(2)
    #expect(source.subscriberCount == 0)
    before.send(completion: .finished)
    send(3)

    #expect(run.text == "2@0 3@0")
  }

  @Test func `append subscribes after the end, and never after an error`() {
    run.watch(source.append(7, 8))
    send(1)
    source.send(completion: .finished)
    run.watch(Fail<Int, Trouble>(error: .expected).append(9))

    #expect(run.text == "1@0 7@0 8@0 finished@0 failed@0")
  }

  @Test func `prepend and append pass on the demand that is left`() {
    let asking = Asking<Int, Never>()
    [2, 3].publisher.prepend(1).append(4).subscribe(asking)
    asking.request(2)
    #expect(asking.values == [1, 2])

    asking.request(2)
    #expect(asking.values == [1, 2, 3, 4])
    #expect(asking.completion == .finished)
  }

  @Test func `a cancellation before the end of the first publisher never starts the second`() {
    let before = Source()
    let sink = run.watch(source.prepend(before))
    sink.cancel()
    before.send(completion: .finished)

    #expect(source.subscriberCount == 0)
    #expect(run.text == "")
  }

  // MARK: Conditions

  @Test func `prefix while finishes with the first other value, and cancels its source`() {
    run.watch(source.prefix { $0 < 3 })
    send(1, 2, 3, 1)

    #expect(run.text == "1@0 2@0 finished@0")
    #expect(source.subscriberCount == 0)
  }

  @Test func `drop while passes everything from the first other value on`() {
    run.watch(source.drop { $0 < 3 })
    send(1, 3, 1)

    #expect(run.text == "3@0 1@0")
  }

  @Test func `a value that drop while drops does not use up demand`() {
    let asking = Asking<Int, Trouble>()
    source.drop { $0 < 3 }.subscribe(asking)
    asking.request(1)
    send(1, 3, 4)

    #expect(asking.values == [3])
  }

  @Test func `first where finishes with the first such value, or without one`() {
    run.watch(source.first { $0 > 1 })
    send(1, 2, 3)
    run.watch(Just(1).first { $0 > 1 })

    #expect(run.text == "2@0 finished@0 finished@0")
    #expect(source.subscriberCount == 0)
  }

  // MARK: Buffers

  @Test(arguments: [(true, [1, 2]), (false, [2, 3])])
  func `a full buffer drops a value`(isNewest: Bool, expected: [Int]) {
    let asking = Asking<Int, Trouble>()
    source.buffer(size: 2, prefetch: .byRequest, whenFull: isNewest ? .dropNewest : .dropOldest)
      .subscribe(asking)
    send(1, 2, 3)
    source.send(completion: .finished)
    #expect(asking.completion == nil)
    asking.request(3)

    #expect(asking.values == expected)
    #expect(asking.completion == .finished)
  }

  @Test func `a full buffer can fail, after its values, and cancels its source`() {
    let asking = Asking<Int, Trouble>()
    source.buffer(size: 2, prefetch: .byRequest, whenFull: .customError { .other })
      .subscribe(asking)
    send(1, 2, 3)
    #expect(source.subscriberCount == 0)
    asking.request(3)

    #expect(asking.values == [1, 2])
    #expect(asking.completion == .failure(.other))
  }

  @Test func `a buffer that is kept full requests only its size`() {
    var requests: [Subscribers.Demand] = []
    let asking = Asking<Int, Never>()
    [1, 2, 3, 4].publisher.handleEvents(receiveRequest: { requests.append($0) })
      .buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).subscribe(asking)
    #expect(requests == [.max(2)])
    asking.request(1)

    #expect(asking.values == [1])
    #expect(requests == [.max(2), .max(1)])
  }

  // MARK: handleEvents

  @Test func `handleEvents sees each event before it passes`() {
    let publisher = source.handleEvents(
      receiveSubscription: { _ in run.note("subscription") },
      receiveOutput: { run.note("output \($0)") },
      receiveCompletion: { _ in run.note("completion") },
      receiveCancel: { run.note("cancel") },
      receiveRequest: { _ in run.note("request") }
    )
    run.watch(publisher)
    send(1)
    source.send(completion: .finished)
    run.watch(Source().handleEvents(receiveCancel: { run.note("cancel") })).cancel()

    #expect(
      run.text == "subscription@0 request@0 output 1@0 1@0 completion@0 finished@0 cancel@0"
    )
  }
}
