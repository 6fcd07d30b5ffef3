@preconcurrency import OpenCombine
import Sessions
import Testing

/// `buffer` with room for one value, and publishers without a source.
@Suite struct BufferTests {
  static let early = FunctionTests.early

  /// A full buffer by request loses values, or fails.
  static func full(
    _ name: String,
    _ strategy: @escaping @Sendable () -> Publishers.BufferingStrategy<SourceError>
  ) -> PublisherCase {
    PublisherCase(name: "buffer(1) by request, \(name)", known: early) {
      $0[0].buffer(size: 1, prefetch: .byRequest, whenFull: strategy()).eraseToAnyPublisher()
    } rules: { trace in
      let isFull = trace.gotEnd == .failed("error of full")
      return trace.broken(
        "values come in order, at most once",
        if: !trace.gotValues.isPartOf(trace.values(0))
      )
        + trace.broken(
          "the completion is that of the sources",
          if: trace.isFree && !isFull && trace.gotEnd != trace.end(0)
        )
        + trace.broken(
          "the oldest value is delivered",
          if: trace.isFree && name == "drop newest" && trace.end(0) == .finished
            && !trace.gotValues.starts(with: trace.values(0).prefix(1))
        )
        + trace.broken(
          "the newest value is delivered",
          if: trace.isFree && name == "drop oldest" && trace.end(0) == .finished
            && trace.gotValues.last != trace.values(0).last
        )
    }
  }

  /// A buffer that requests one value at a time is never full.
  static func prefetching(
    _ name: String,
    _ strategy: @escaping @Sendable () -> Publishers.BufferingStrategy<SourceError>
  ) -> PublisherCase {
    FunctionTests.buffered("buffer(1) keep full, \(name)", .keepFull, size: 1, whenFull: strategy)
  }

  /// A publisher that needs no source.
  static func constant(
    _ name: String,
    _ values: [String],
    _ end: Trace.Event = .finished,
    _ make: @escaping @Sendable () -> AnyPublisher<String, SourceError>
  ) -> PublisherCase {
    PublisherCase(name: name, sources: 0) { _ in
      make()
    } rules: {
      $0.gives(values, end)
    }
  }

  static let operators: [PublisherCase] = [
    full("drop newest") { .dropNewest },
    full("drop oldest") { .dropOldest },
    full("error") { .customError { SourceError(source: "full") } },
    prefetching("drop newest") { .dropNewest },
    prefetching("drop oldest") { .dropOldest },
    prefetching("error") { .customError { SourceError(source: "full") } },
    constant("Record", ["p", "q", "r"]) {
      Record(output: ["p", "q", "r"], completion: .finished).eraseToAnyPublisher()
    },
    constant("Record of a failure", ["p", "q"], .failed("error of x")) {
      Record(output: ["p", "q"], completion: .failure(SourceError(source: "x")))
        .eraseToAnyPublisher()
    },
    constant("Record of a failure alone", [], .failed("error of x")) {
      Record(output: [], completion: .failure(SourceError(source: "x"))).eraseToAnyPublisher()
    },
    constant("Just", ["p"]) {
      Just("p").setFailureType(to: SourceError.self).eraseToAnyPublisher()
    },
    constant("Sequence", ["p", "q", "r"]) {
      ["p", "q", "r"].publisher.setFailureType(to: SourceError.self).eraseToAnyPublisher()
    },
    constant("Optional", ["p"]) {
      Optional("p").ocombine.publisher.setFailureType(to: SourceError.self).eraseToAnyPublisher()
    },
    constant("Result", ["p"]) {
      Result<String, SourceError>.success("p").ocombine.publisher.eraseToAnyPublisher()
    },
    constant("Fail", [], .failed("error of x")) {
      Fail(error: SourceError(source: "x")).eraseToAnyPublisher()
    },
    constant("Empty", []) { Empty().eraseToAnyPublisher() },
  ]

  @Test(arguments: operators.map(\.name))
  func search(name: String) async throws {
    try await #require(Self.operators.first { $0.name == name }).search()
  }
}
