import Exploring
import NIOCore
import Sessions
import Testing

/// `NIOThrowingAsyncSequenceProducer` and `NIOAsyncSequenceProducer`: a source that yields, a consumer, and back pressure.
@Suite struct AsyncProducerTests {
  struct Delegate: NIOAsyncSequenceProducerDelegate {
    let log: SessionLog
    let calls = Cell<[String]>([])
    /// The seconds of `didTerminate`.
    let ends = Cell<[Int]>([])

    func produceMore() { calls.change { $0.append("more") } }
    func didTerminate() {
      let second = log.second
      ends.change { $0.append(second) }
    }
  }

  /// The source of one of the two types.
  struct Producer: Sendable {
    let sequence: any AsyncSequence<String, any Error> & Sendable
    /// Yields, and returns `more`, `stop` or `dropped`.
    let yield: @Sendable ([String]) -> String
    let finish: @Sendable ((any Error)?) -> Void

    typealias Watermark = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark

    static func throwing(_ delegate: Delegate, finishOnDeinit: Bool) -> Producer {
      let new = NIOThrowingAsyncSequenceProducer.makeSequence(
        elementType: String.self,
        failureType: (any Error).self,
        backPressureStrategy: Watermark(lowWatermark: 1, highWatermark: 2),
        finishOnDeinit: finishOnDeinit,
        delegate: delegate
      )
      return Producer(
        sequence: new.sequence.map { (element: String) async throws -> String in element },
        yield: { [source = new.source] values in
          switch values.count == 1 ? source.yield(values[0]) : source.yield(contentsOf: values) {
          case .produceMore: "more"
          case .stopProducing: "stop"
          case .dropped: "dropped"
          }
        },
        finish: { [source = new.source] error in
          if let error { source.finish(error) } else { source.finish() }
        }
      )
    }

    static func plain(_ delegate: Delegate, finishOnDeinit: Bool) -> Producer {
      let new = NIOAsyncSequenceProducer.makeSequence(
        elementType: String.self,
        backPressureStrategy: Watermark(lowWatermark: 1, highWatermark: 2),
        finishOnDeinit: finishOnDeinit,
        delegate: delegate
      )
      return Producer(
        sequence: new.sequence.map { (element: String) async throws -> String in element },
        yield: { [source = new.source] values in
          switch values.count == 1 ? source.yield(values[0]) : source.yield(contentsOf: values) {
          case .produceMore: "more"
          case .stopProducing: "stop"
          case .dropped: "dropped"
          }
        },
        finish: { [source = new.source] _ in source.finish() }
      )
    }
  }

  /// What the source has done.
  struct Done: Sendable {
    var yields: [(values: [String], result: String)] = []
    var end: (second: Int, error: Bool)?
  }

  @MainActor static func session(
    _ run: ExploredRun,
    fails: Bool,
    _ make: (Delegate, Bool) -> Producer
  ) async -> [BrokenRule] {
    let log = SessionLog(sources: 0, consumers: 1)
    let delegate = Delegate(log: log)
    let producer = make(delegate, run.choose([true, false], named: "finish on deinit"))
    let done = Cell(Done())
    let batches = (0..<run.choose([1, 2, 3, 0, 4], named: "yields")).map { batch in
      (0..<run.choose([1, 2, 3], named: "elements of yield \(batch + 1)")).map {
        "a\(batch + 1)\($0 + 1)"
      }
    }
    let pauses = batches.map { _ in run.choose([0, 1, 2], named: "pause") }
    let end = run.choose(fails ? ["finish", "fail", "never"] : ["finish", "never"], named: "end")
    let endPause = run.choose([0, 1, 3], named: "pause before the end")
    Task.detached {
      for (values, pause) in zip(batches, pauses) {
        if pause > 0 { try await Task.sleep(for: .seconds(pause)) }
        let result = producer.yield(values)
        done.change { $0.yields.append((values, result)) }
      }
      if endPause > 0 { try await Task.sleep(for: .seconds(endPause)) }
      guard end != "never" else {
        // The sequence ends with its source.
        try await Task.sleep(for: .seconds(lastSecond + 1))
        return producer.finish(nil)
      }
      done.change { $0.end = (log.second, end == "fail") }
      producer.finish(end == "fail" ? SourceError(source: "source") : nil)
    }
    var shape = SessionShape()
    shape.takes = [nil, nil, 1, 2, 3]
    start([ConsumerPlan(run, shape, number: 1)], log, producer.sequence)
    await run.settle()
    run.note(log.content.describe(log.content.consumers[0]))
    return rules(log.content, done.value, delegate)
  }

  static func rules(_ content: SessionLog.Content, _ done: Done, _ delegate: Delegate)
    -> [BrokenRule]
  {
    let consumer = content.consumers[0]
    let accepted = done.yields.filter { $0.result != "dropped" }.flatMap(\.values)
    let got = consumer.values
    let ends = delegate.ends.value
    let what =
      "yields \(done.yields), end \(done.end.map { "\($0)" } ?? "none"), calls \(delegate.calls.value), "
      + "terminated \(ends); \(content.describe(consumer))"
    func broken(_ rule: String, if condition: Bool) -> [BrokenRule] {
      condition ? [BrokenRule(rule, what)] : []
    }
    let isComplete = consumer.cancelled == nil && consumer.end != nil
    let stops = done.yields.last { $0.result != "dropped" }?.result == "stop"
    return content.brokenRules
      + broken("elements are conserved and in order", if: !accepted.starts(with: got))
      + broken("all elements are delivered", if: isComplete && got != accepted)
      + broken(
        "the end is that of the source",
        if: isComplete
          && done.end.map {
            consumer.end?.value != ($0.error ? .failed("error of source") : .finished)
          } ?? true
      )
      + broken("didTerminate() is called once", if: ends.count != 1)
      + broken(
        "didTerminate() is called when the consumer ends",
        if: ends.first.map { $0 != consumer.last?.second } ?? false && done.end == nil
      )
      + broken(
        "the source is asked for more when the buffer is empty",
        if: stops && consumer.last?.second == lastSecond && got == accepted
          && delegate.calls.value.isEmpty
      )
      + broken(
        "elements after the end of the consumer are dropped",
        if: consumer.cancelled == nil && consumer.dropped == nil
          && accepted.count < done.yields.flatMap(\.values).count
      )
  }

  @Test func throwingProducer() async throws {
    try await search("NIOThrowingAsyncSequenceProducer") { run in
      await Self.session(run, fails: true, Producer.throwing)
    }
  }

  @Test func producer() async throws {
    try await search("NIOAsyncSequenceProducer", known: ["didTerminate() is called once"]) { run in
      await Self.session(run, fails: false, Producer.plain)
    }
  }
}
