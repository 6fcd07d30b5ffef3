import AsyncAlgorithms
import Exploring
import Sessions
import Testing

/// `MultiProducerSingleConsumerAsyncChannel`: two sources, one consumer, and ends of the sources.
@Suite struct MultiProducerTests {
  typealias Channel = MultiProducerSingleConsumerAsyncChannel<String, any Error>

  /// Owns a source, which cannot be copied. Only one task uses it.
  final class SourceBox: @unchecked Sendable {
    var source: Channel.Source?
    init(_ source: consuming Channel.Source) { self.source = consume source }
  }

  /// What a call of `send` has done.
  struct Sent: Sendable {
    var values: [String]
    var start: Int
    var end: Int?
    var error: String?
  }

  @MainActor static func session(_ run: ExploredRun) async -> [BrokenRule] {
    let log = SessionLog(sources: 0, consumers: 1)
    let sent = Cell<[Sent]>([])
    let cancelled = Cell<[Int?]>([nil, nil])
    let failed = Cell(false)
    let finished = Cell<Int?>(nil)
    var pair = Channel.makeChannel(
      of: String.self,
      throwing: (any Error).self,
      backpressureStrategy: .watermark(low: 1, high: 2)
    )
    let channel = pair.takeChannel()
    let elements = channel.elements()
    var first = pair.source
    let second = first.makeAdditionalSource()
    let boxes = [SourceBox(first), SourceBox(second)]
    for index in 0...1 {
      let name = ["a", "b"][index]
      let batches = (0..<run.choose([1, 2, 3, 0], named: "sends of \(name)")).map { batch in
        (0..<run.choose([1, 2], named: "elements of send \(batch + 1)")).map {
          "\(name)\(batch + 1)\($0 + 1)"
        }
      }
      let pauses = batches.map { _ in run.choose([0, 1, 2], named: "pause of \(name)") }
      let end = run.choose(["drop", "finish", "fail"], named: "end of \(name)")
      let endPause = run.choose([0, 1, 3], named: "pause before the end of \(name)")
      let box = boxes[index]
      let task = Task.detached {
        for (values, pause) in zip(batches, pauses) {
          if pause > 0 { try? await Task.sleep(for: .seconds(pause)) }
          let place = sent.change { list -> Int in
            list.append(Sent(values: values, start: log.second))
            return list.count - 1
          }
          do {
            try await box.source?.send(contentsOf: values)
          } catch {
            sent.change { $0[place].error = "\(type(of: error))" }
          }
          sent.change { $0[place].end = log.second }
        }
        if endPause > 0 { try? await Task.sleep(for: .seconds(endPause)) }
        let source = box.source.take()
        guard end != "drop" else { return }
        let second = log.second
        finished.change { $0 = $0 ?? second }
        if end == "fail" { failed.change { $0 = true } }
        source?.finish(throwing: end == "fail" ? SourceError(source: name) : nil)
      }
      ChannelTests.cancel(
        task,
        at: run.choose([nil, nil, 0, 1, 2, 3], named: "cancellation of \(name)")
      ) { cancelled.change { $0[index] = log.second } }
    }
    start([ConsumerPlan(run, SessionShape(), number: 1)], log, texts(elements) { $0 })
    await run.settle()
    let content = log.content
    let what =
      "sent \(sent.value.map { "\($0.values)@\($0.start)–\($0.end ?? -1) \($0.error ?? "")" }); "
      + content.describe(content.consumer)
    run.note(what)
    func broken(_ rule: String, if condition: Bool) -> [BrokenRule] {
      condition ? [BrokenRule(rule, what)] : []
    }
    let got = content.consumer.values
    // A cancelled send() has already put its elements into the buffer.
    let accepted = sent.value.filter { $0.error == nil || $0.error == "CancellationError" }
    let refused = sent.value.filter { $0.error != nil && $0.error != "CancellationError" }
    return content.brokenRules
      + broken("send() returns", if: sent.value.contains { $0.end == nil })
      + broken("an element is delivered once", if: Set(got).count < got.count)
      + broken(
        "elements of a send() that returned are delivered",
        if: content.isComplete
          && !Set(accepted.filter { $0.error == nil }.flatMap(\.values)).isSubset(of: got)
      )
      + broken(
        "elements of a send() that was refused are not delivered",
        // A send() that waits is refused at the end, although its elements were accepted.
        if: refused.contains {
          $0.start > finished.value ?? .max && !Set($0.values).isDisjoint(with: got)
        }
      )
      + broken(
        "send() is refused only after an end",
        if: refused.contains { _ in
          finished.value == nil && content.consumer.last?.second == lastSecond
        }
      )
      + ["a", "b"].flatMap { name in
        let own = got.filter { $0.hasPrefix(name) }
        return broken("elements of a source come in their order", if: own != own.sorted())
      }
      + broken(
        "an error is that of a source",
        if: { if case .failed = content.consumer.end?.value { !failed.value } else { false } }()
      )
  }

  @Test func channel() async throws {
    try await search("MultiProducerSingleConsumerAsyncChannel") { run in await Self.session(run) }
  }
}
