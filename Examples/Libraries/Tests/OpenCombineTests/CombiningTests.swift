@preconcurrency import OpenCombine
import Sessions
import Testing

/// Operators on several publishers.
@Suite struct CombiningTests {
  static let open = FunctionTests.open
  static let early = FunctionTests.early[0]
  static let twice = "one completion"
  static let late = "nothing comes after the completion"

  static let operators: [PublisherCase] = [
    PublisherCase(name: "catch", sources: 2) { sources in
      sources[0].catch { _ in sources[1] }.eraseToAnyPublisher()
    } rules: { trace in
      if case .failed = trace.end(0) {
        trace.gives(trace.values(0) + trace.values(1), trace.end(1))
      } else {
        trace.gives(trace.values(0), trace.end(0))
      }
    },
    PublisherCase(name: "append", sources: 2) {
      $0[0].append($0[1]).eraseToAnyPublisher()
    } rules: { trace in
      trace.gives(
        trace.values(0) + trace.values(1),
        trace.end(0) == .finished ? trace.end(1) : trace.end(0)
      )
    },
    PublisherCase(name: "prepend", sources: 2) {
      $0[1].prepend($0[0]).eraseToAnyPublisher()
    } rules: { trace in
      trace.gives(
        trace.values(0) + trace.values(1),
        trace.end(0) == .finished ? trace.end(1) : trace.end(0)
      )
    },
    zipped(2) { $0[0].zip($0[1]) { $0 + $1 }.eraseToAnyPublisher() },
    zipped(3) { $0[0].zip($0[1], $0[2]) { $0 + $1 + $2 }.eraseToAnyPublisher() },
    flatMapped(.unlimited, "flatMap"),
    flatMapped(.max(1), "flatMap(maxPublishers: 1)"),
    PublisherCase(name: "switchToLatest", sources: 3, mostElements: 2) { sources in
      sources[0].map { $0 == "a1" ? sources[1] : sources[2] }.switchToLatest().eraseToAnyPublisher()
    } rules: { trace in
      trace.deliversOnlyOf([1, 2])
        + trace.broken(
          "an error is delivered",
          if: trace.isFree && trace.hasFailed([0, 1, 2]) && trace.gotEnd == .finished
        )
        + trace.broken(
          "the completion comes after all publishers",
          if: trace.gotEnd == .finished && trace.end(0) != .finished
        )
        + trace.broken(
          "the completion is delivered",
          if: trace.isFree && trace.gotEnd == nil && trace.end(0) == .finished
            && (trace.values(0).isEmpty || trace.end(trace.values(0).count) == .finished)
        )
    },
    PublisherCase(
      name: "prefix(untilOutputFrom:)",
      sources: 2,
      known: [open, early, "the subscriber gets a subscription"]
    ) {
      $0[0].prefix(untilOutputFrom: $0[1]).eraseToAnyPublisher()
    } rules: { trace in
      trace.deliversOnlyOf([0])
        + trace.broken(
          "the completion is delivered",
          if: trace.isFree && trace.gotEnd == nil
            && (trace.end(0) != nil || !trace.values(1).isEmpty)
        )
    },
    PublisherCase(name: "drop(untilOutputFrom:)", sources: 2, known: [open, twice]) {
      $0[0].drop(untilOutputFrom: $0[1]).eraseToAnyPublisher()
    } rules: { trace in
      trace.broken(
        "values are conserved and in order",
        if: !trace.gotValues.isPartOf(trace.values(0))
      )
        + trace.broken(
          "an error is delivered",
          // The end of the other publisher before its first value also completes it.
          if: trace.isFree && trace.gotEnd == .finished && trace.hasFailed([0])
            && !(trace.end(1) == .finished && trace.values(1).isEmpty)
        )
        + trace.broken(
          "the completion is delivered",
          if: trace.isFree && trace.gotEnd == nil && trace.end(0) != nil
        )
    },
  ]

  static func zipped(
    _ count: Int,
    _ make: @escaping @Sendable ([TestPublisher]) -> AnyPublisher<String, SourceError>
  ) -> PublisherCase {
    PublisherCase(
      name: "zip, \(count) publishers",
      sources: count,
      known: [open, early, twice],
      make: make
    ) { trace in
      let columns = (0..<count).map { trace.values($0) }
      let rows = (0..<(columns.map(\.count).min() ?? 0)).map { row in
        columns.map { $0[row] }.joined()
      }
      // A source that has finished, and whose values are used up, ends the whole.
      let isUsedUp = (0..<count).contains {
        trace.end($0) == .finished && columns[$0].count == rows.count
      }
      return trace.broken(
        "values are conserved and in order",
        if: !rows.starts(with: trace.gotValues)
      )
        + trace.broken("all values are delivered", if: trace.isFree && trace.gotValues != rows)
        + trace.broken(
          "the completion is delivered",
          if: trace.isFree && trace.gotEnd == nil && (isUsedUp || trace.hasFailed(Array(0..<count)))
        )
        + trace.broken(
          "the completion comes after a source is used up",
          if: trace.gotEnd == .finished && !isUsedUp
        )
    }
  }

  static func flatMapped(_ most: Subscribers.Demand, _ name: String) -> PublisherCase {
    PublisherCase(name: name, sources: 3, mostElements: 2, known: [open, late]) { sources in
      sources[0].flatMap(maxPublishers: most) { $0 == "a1" ? sources[1] : sources[2] }
        .eraseToAnyPublisher()
    } rules: { trace in
      let count = trace.values(0).count
      let inner = count == 0 ? [] : Array(1...count)
      let hasFinished = trace.end(0) == .finished && inner.allSatisfy { trace.end($0) == .finished }
      let got = trace.gotValues
      let isWhole = inner.allSatisfy { source in
        got.filter { trace.values(source).contains($0) } == trace.values(source)
      }
      return trace.deliversOnlyOf([1, 2])
        + trace.broken(
          "all values are delivered",
          if: trace.isFree && trace.gotEnd != nil && !trace.hasFailed([0, 1, 2]) && !isWhole
        )
        + trace.broken(
          "the completion comes after all values",
          if: trace.gotEnd == .finished && !isWhole
        )
        + trace.broken(
          "the completion is delivered",
          if: trace.isFree && trace.gotEnd == nil && (hasFinished || trace.hasFailed([0, 1, 2]))
        )
        + trace.broken(
          "the completion comes after all publishers",
          if: trace.gotEnd == .finished && !hasFinished
        )
    }
  }

  @Test(arguments: operators.map(\.name))
  func search(name: String) async throws {
    try await #require(Self.operators.first { $0.name == name }).search()
  }
}

extension Trace {
  func hasFailed(_ sources: [Int]) -> Bool {
    sources.contains { if case .failed = end($0) { true } else { false } }
  }

  /// The values of each of these sources come in their order and without gaps, and no others.
  func deliversOnlyOf(_ sources: [Int]) -> [BrokenRule] {
    let all = sources.map { values($0) }
    return broken(
      "a value comes from a source",
      if: !Set(gotValues).isSubset(of: all.flatMap(\.self))
    )
      + all.flatMap { values in
        let own = gotValues.filter(values.contains)
        return broken("values are conserved and in order", if: !values.starts(with: own))
      }
  }
}
