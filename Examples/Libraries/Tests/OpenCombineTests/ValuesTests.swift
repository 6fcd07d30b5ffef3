import Exploring
@preconcurrency import OpenCombine
import Sessions
import Testing

/// `values`: a publisher as an asynchronous sequence.
@Suite struct ValuesTests {
  /// Makes the iterators of a publisher. One thread runs all code of a stage.
  struct Values: AsyncSequence, @unchecked Sendable {
    typealias Element = String
    typealias Failure = any Error
    let publisher: AnyPublisher<String, SourceError>

    func makeAsyncIterator() -> Iterator { Iterator(base: publisher.values.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
      var base: AsyncThrowingPublisher<AnyPublisher<String, SourceError>>.Iterator
      mutating func next() async throws -> String? { try await base.next() }
    }
  }

  /// The same without errors.
  struct SafeValues: AsyncSequence, @unchecked Sendable {
    typealias Element = String
    typealias Failure = any Error
    let publisher: AnyPublisher<String, Never>

    func makeAsyncIterator() -> Iterator { Iterator(base: publisher.values.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
      var base: AsyncPublisher<AnyPublisher<String, Never>>.Iterator
      mutating func next() async throws -> String? { await base.next() }
    }
  }

  @MainActor static func session(_ run: ExploredRun, canFail: Bool) async -> [BrokenRule] {
    var shape = SessionShape()
    shape.kinds = [.pulled]
    if !canFail { shape.ends = [.finish, .never] }
    let trace = Trace(sources: 1)
    let source = TestPublisher(
      plan: SourcePlan(run, shape, name: "a"),
      kind: run.choose([.scheduled, .immediate, .hot], named: "kind"),
      index: 0,
      trace: trace
    )
    let plan = ConsumerPlan(run, shape, number: 1)
    let log = SessionLog(sources: 0, consumers: 1)
    if canFail {
      start([plan], log, Values(publisher: source.eraseToAnyPublisher()))
    } else {
      start(
        [plan],
        log,
        SafeValues(publisher: source.replaceError(with: "-").eraseToAnyPublisher())
      )
    }
    await run.settle()
    let content = log.content
    let what = "\(trace.description); \(content.describe(content.consumer))"
    run.note(what)
    func broken(_ rule: String, if condition: Bool) -> [BrokenRule] {
      condition ? [BrokenRule(rule, what)] : []
    }
    let consumer = content.consumer
    let end = trace.end(0)
    return content.brokenRules
      + broken(
        "elements are conserved and in order",
        if: !trace.values(0).starts(with: consumer.values)
      )
      + broken(
        "all elements are delivered",
        if: content.isComplete && consumer.values != trace.values(0)
      )
      + broken(
        "the end is that of the publisher",
        if: content.isComplete && consumer.end?.value == .finished && end != .finished
      )
      + broken(
        "the end of the consumer ends the subscription",
        // Combine's documentation does not say that it ends with an iterator that is given up.
        if: consumer.end != nil && trace.open[0] > 0
      )
  }

  @Test(arguments: [false, true])
  func search(canFail: Bool) async throws {
    try await Sessions.search("values\(canFail ? " of a publisher that can fail" : "")") { run in
      await Self.session(run, canFail: canFail)
    }
  }
}
