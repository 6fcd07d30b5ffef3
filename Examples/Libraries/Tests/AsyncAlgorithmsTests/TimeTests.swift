import AsyncAlgorithms
import Sessions
import Testing

/// Operators that measure time.
@Suite struct TimeTests {
  static let interval = 2

  static var timerShape: SessionShape {
    var shape = SessionShape(sources: 0)
    shape.takes = [nil, 1, 2, 3]
    return shape
  }

  static let operators = [
    Operator(
      "debounce(for:)",
      known: ["an error is delivered", "sources stop with the consumer"],
      leak: .init(after: "cancellation", known: ["an error is delivered"]) {
        $0.cancelSeconds = [nil]
      }
    ) {
      texts($0[0].debounce(for: .seconds(interval))) { $0 }
    } rules: { content in
      let source = content.sources[0]
      let last = source.elements.last?.value
      // Elements that no other event of the source follows within the interval, although the operator has asked for it. A
      // pushed source may have another element that the operator has not asked for.
      let quiet = source.elements.enumerated().filter { number, element in
        let next =
          number + 1 < source.elements.count
          ? source.elements[number + 1].second : source.end?.second
        let isAsked =
          number + 1 < source.requests.count
          && source.requests[number + 1] <= element.second + interval
        return isAsked && (next ?? .max) > element.second + interval
      }.map(\.element.value)
      return content.deliversSome() + content.deliversError()
        + content.broken(
          "a quiet element is delivered",
          if: content.isComplete && !quiet.isPartOf(content.consumer.values)
        )
        + content.broken(
          "the last element is delivered at the end",
          if: content.hasFinished && content.consumer.values.last != last
        )
        + content.broken(
          "an element is delivered after the interval",
          if: content.consumer.elements.contains { element in
            let origin = source.elements.first { $0.value == element.value }?.second ?? 0
            return element.second < min(origin + interval, source.end?.second ?? .max)
          }
        )
    },
    // Its source is a clock. Late calls do not delay later instants.
    Operator("AsyncTimerSequence", timerShape) { _ in
      texts(AsyncTimerSequence(interval: .seconds(interval), clock: .continuous).map { _ in 0 }) {
        _ in "tick"
      }
    } rules: { content in
      let consumer = content.consumer
      return content.broken(
        "a tick comes at its instant",
        if: zip(consumer.elements, consumer.calls).enumerated().contains { number, pair in
          pair.0.second != max((consumer.calls[0].second + (number + 1) * interval), pair.1.second)
        }
      ) + content.broken("the end comes after a cancellation", if: content.isComplete)
    },
    throttled(latest: true),
    throttled(latest: false),
    Operator("chunked(by: timer)") {
      texts($0[0].chunked(by: .repeating(every: .seconds(interval)))) { $0.joined(separator: "+") }
    } rules: {
      chunkRules($0)
    },
    Operator("chunks(ofCount: 2, or: timer)") {
      texts($0[0].chunks(ofCount: 2, or: .repeating(every: .seconds(interval)))) {
        $0.joined(separator: "+")
      }
    } rules: {
      chunkRules($0, most: 2)
    },
    Operator("chunked(by: signal)", SessionShape(sources: 2)) {
      texts($0[0].chunked(by: $0[1])) { $0.joined(separator: "+") }
    } rules: {
      chunkRules($0)
    },
    Operator("chunks(ofCount: 2, or: signal)", SessionShape(sources: 2)) {
      texts($0[0].chunks(ofCount: 2, or: $0[1])) { $0.joined(separator: "+") }
    } rules: {
      chunkRules($0, most: 2)
    },
  ]

  static func throttled(latest: Bool) -> Operator {
    Operator("_throttle(for:latest: \(latest))") {
      texts($0[0]._throttle(for: .seconds(interval), latest: latest)) { $0 }
    } rules: { content in
      let got = content.consumer.elements
      return content.deliversSome() + content.deliversError()
        + content.broken(
          "the interval is between two elements",
          if: zip(got, got.dropFirst()).contains {
            // A cancelled sleep ends at once.
            $1.second - $0.second < interval
              && $1.second < content.consumer.cancelled?.second ?? .max
          }
        )
        + content.broken(
          "the first element is delivered without delay",
          if: got.first.map { $0.value != "a1" } ?? content.isComplete && !content.values(0).isEmpty
        )
        + content.broken(
          "the last element is delivered at the end",
          if: latest && content.hasFinished && got.last?.value != content.values(0).last
        )
    }
  }

  static func chunkRules(_ content: SessionLog.Content, most: Int = .max) -> [BrokenRule] {
    let chunks = content.consumer.values.map { $0.split(separator: "+").map(String.init) }
    let got = chunks.flatMap(\.self)
    let input = content.values(0)
    // A signal that fails after the end of the base has no effect.
    return (content.sources[0].end?.value == .finished ? [] : content.deliversError())
      + content.broken("elements are conserved and in order", if: !input.starts(with: got))
      + content.broken("all elements are delivered", if: content.hasFinished && got != input)
      + content.broken("no chunk is empty", if: chunks.contains { $0.isEmpty })
      + content.broken("no chunk is too long", if: chunks.contains { $0.count > most })
      + content.broken(
        "the end comes after the end of the source",
        if: content.hasFinished && content.sources[0].end?.value != .finished
      )
  }

  @Test(arguments: operators.map(\.name))
  func search(name: String) async throws {
    try await #require(Self.operators.first { $0.name == name }).search()
  }
}
