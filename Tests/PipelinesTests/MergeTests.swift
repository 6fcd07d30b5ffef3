import Pipelines
import Testing

@Suite struct MergeTests {
  private typealias Source = PassthroughSubject<Int, Trouble>

  @Test func `merge sends the values of both in the order of arrival`() {
    let run = Rehearsing()
    let (left, right) = (Source(), Source())
    run.watch(left.merge(with: right.map { -$0 }))
    run.send([(1, 0), (2, 200)], to: left)
    run.send([(1, 100), (2, 200)], to: right)

    #expect(run.settle() == "1@0 -1@100 2@200 -2@200")
  }

  @Test func `merge finishes when all upstreams have`() {
    let run = Rehearsing()
    let (left, right) = (Source(), Source())
    run.watch(left.merge(with: right))
    run.at(100) { left.send(completion: .finished) }
    run.send([(1, 200)], to: right)
    run.at(300) { right.send(completion: .finished) }

    #expect(run.settle() == "1@200 finished@300")
  }

  @Test func `an error ends a merge and cancels the others`() {
    let run = Rehearsing()
    let (left, right) = (Source(), Source())
    run.watch(left.merge(with: right.handleEvents(receiveCancel: { run.note("cancelled") })))
    run.at(100) { left.send(completion: .failure(.expected)) }
    run.send([(1, 200)], to: right)

    #expect(run.settle() == "failed@100 cancelled@100")
  }

  @Test func `three, four and many are merged in the order of subscription`() {
    let run = Rehearsing()
    run.watch(Just(1).merge(with: Just(2), Just(3)))
    run.watch(Just(4).merge(with: Just(5), Just(6), Just(7)))
    run.watch(Publishers.MergeMany([8, 9].map { Just($0) }))

    #expect(
      run.settle()
        == "1@0 2@0 3@0 finished@0 4@0 5@0 6@0 7@0 finished@0 8@0 9@0 finished@0"
    )
  }

  @Test func `a merge of none finishes immediately`() {
    let run = Rehearsing()
    run.watch(Publishers.MergeMany([Just<Int>]()))

    #expect(run.settle() == "finished@0")
  }

  @Test func `without demand a merge keeps one value of each upstream`() {
    let asking = Asking<Int, Never>()
    [1, 2, 3].publisher.merge(with: [-1, -2, -3].publisher).subscribe(asking)

    #expect(asking.values == [])
    asking.request(1)
    #expect(asking.values == [1])
    asking.request(2)
    #expect(asking.values == [1, -1, 2])
    asking.request(100)
    #expect(asking.values.sorted() == [-3, -2, -1, 1, 2, 3])
    #expect(asking.completion == .finished)
  }

  @Test func `a merge that is cancelled cancels all`() {
    let run = Rehearsing()
    let (left, right) = (Source(), Source())
    let sink = run.watch(
      left.handleEvents(receiveCancel: { run.note("left") })
        .merge(with: right.handleEvents(receiveCancel: { run.note("right") }))
    )
    sink.cancel()
    left.send(1)

    #expect(run.settle() == "left@0 right@0")
  }

  @Test func `receiving a value may send another`() {
    let (left, right) = (Source(), Source())
    var received: [Int] = []
    let sink = left.merge(with: right).sink { _ in
    } receiveValue: { value in
      received.append(value)
      if value < 3 { right.send(value + 1) }
    }
    left.send(1)

    #expect(received == [1, 2, 3])
    sink.cancel()
  }
}

@Suite struct CombineLatestTests {
  private typealias Source = PassthroughSubject<Int, Trouble>

  @Test func `it sends nothing before each upstream has a value, then every change`() {
    let run = Rehearsing()
    let (left, right) = (Source(), Source())
    run.watch(left.combineLatest(right) { "\($0),\($1)" })
    run.send([(1, 0), (2, 100), (3, 300)], to: left)
    run.send([(10, 200), (20, 300)], to: right)

    #expect(run.settle() == "2,10@200 3,10@300 3,20@300")
  }

  @Test func `it finishes when all upstreams have, with the last values of the ended ones`() {
    let run = Rehearsing()
    let right = Source()
    run.watch(Just(1).setFailureType(to: Trouble.self).combineLatest(right) { $0 + $1 })
    run.send([(10, 100), (20, 200)], to: right)
    run.at(300) { right.send(completion: .finished) }

    #expect(run.settle() == "11@100 21@200 finished@300")
  }

  @Test func `an error ends it and cancels the others`() {
    let run = Rehearsing()
    let (left, right) = (Source(), Source())
    let others = right.handleEvents(receiveCancel: { run.note("cancelled") })
    run.watch(left.combineLatest(others) { $0 + $1 })
    run.at(100) { left.send(completion: .failure(.expected)) }

    #expect(run.settle() == "failed@100 cancelled@100")
  }

  @Test func `three, four and many are combined in their order`() {
    let run = Rehearsing()
    run.watch(Just(1).combineLatest(Just(2), Just(3)) { [$0, $1, $2] })
    run.watch(Just(1).combineLatest(Just(2), Just(3), Just(4)) { [$0, $1, $2, $3] })
    run.watch(Publishers.CombineLatestMany([Just(1), Just(2)]))

    #expect(
      run.settle()
        == "[1, 2, 3]@0 finished@0 [1, 2, 3, 4]@0 finished@0 [1, 2]@0 finished@0"
    )
  }

  @Test func `optional values count as values`() {
    let run = Rehearsing()
    run.watch(Just(Int?.none).combineLatest(Just(Int?.some(1))) { "\($0 ?? 0)\($1 ?? 0)" })

    #expect(run.settle() == "01@0 finished@0")
  }

  @Test func `a value that arrives while a combination is received is only kept`() {
    let (left, right) = (Source(), Source())
    var received: [[Int]] = []
    let sink = left.combineLatest(right).sink { _ in
    } receiveValue: { values in
      received.append([values.0, values.1])
      if values.0 == 1 { left.send(2) }
    }
    right.send(10)
    left.send(1)
    right.send(20)

    // As in Combine.
    #expect(received == [[1, 10], [2, 20]])
    sink.cancel()
  }

  @Test func `it sends no more than the demand`() {
    let (left, right) = (Source(), Source())
    let asking = Asking<Int, Trouble>()
    left.combineLatest(right) { $0 + $1 }.subscribe(asking)
    asking.request(2)
    left.send(1)
    right.send(10)
    right.send(20)
    left.send(2)

    #expect(asking.values == [11, 21])
  }
}
