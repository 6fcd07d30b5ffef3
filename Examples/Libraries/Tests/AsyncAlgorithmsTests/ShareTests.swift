import AsyncAlgorithms
import Sessions
import Testing

/// `share`, with two consumers.
@Suite struct ShareTests {
  static func shared(_ name: String, _ policy: AsyncBufferSequencePolicy, losesElements: Bool)
    -> Operator
  {
    Operator(
      "share(\(name))",
      SessionShape(sources: 1, consumers: 2),
      known: ["after its end, next() returns nil"],
      leak: .init(
        after: "cancellation or drop",
        known: ["after its end, next() returns nil"]
      ) {
        $0.cancelSeconds = [nil]
        $0.takes = [nil]
        $0.ends = [.finish, .fail]
      }
    ) {
      texts($0[0].share(bufferingPolicy: policy)) { $0 }
    } rules: { content in
      content.consumers.flatMap { consumer -> [BrokenRule] in
        let input = content.values(0)
        let isComplete = consumer.cancelled == nil && consumer.end != nil
        let got = consumer.values
        // A consumer that starts late gets no earlier elements.
        let isSuffix = Array(input.suffix(got.count)) == got
        let end = content.sources[0].end?.value
        func broken(_ rule: String, if condition: Bool) -> [BrokenRule] {
          condition ? [BrokenRule(rule, content.describe(consumer))] : []
        }
        return broken("elements come in order, at most once", if: !got.isPartOf(input))
          + broken(
            "all elements after the first are delivered",
            if: !losesElements && isComplete && !isSuffix
          )
          + broken(
            "the end comes after the end of the source",
            if: isComplete && (end == nil || end == .cancelled)
          )
          + broken(
            "an error is delivered to each consumer",
            if: isComplete && content.failure != nil && consumer.end?.value == .finished
          )
      }
    }
  }

  static let operators = [
    shared(".bounded(1)", .bounded(1), losesElements: false),
    shared(".bounded(0)", .bounded(0), losesElements: false),
    shared(".bounded(2)", .bounded(2), losesElements: false),
    shared(".unbounded", .unbounded, losesElements: false),
    shared(".bufferingLatest(1)", .bufferingLatest(1), losesElements: true),
    shared(".bufferingOldest(1)", .bufferingOldest(1), losesElements: true),
  ]

  @Test(arguments: operators.map(\.name))
  func search(name: String) async throws {
    try await #require(Self.operators.first { $0.name == name }).search()
  }
}
