@preconcurrency import Dispatch
@preconcurrency import OpenCombine
@preconcurrency import OpenCombineDispatch
import Sessions
import Testing

/// Operators that use a scheduler: a serial dispatch queue in virtual time.
@Suite struct TimeOperatorTests {
  static var queue: DispatchQueue.OCombine { DispatchQueue(label: "queue").ocombine }

  static func same(
    _ name: String,
    known: [String] = [],
    _ make: @escaping @Sendable (TestPublisher) -> AnyPublisher<String, SourceError>
  ) -> PublisherCase {
    PublisherCase(name: name, known: known) {
      make($0[0])
    } rules: {
      $0.gives($0.values(0), $0.end(0))
    }
  }

  static let operators: [PublisherCase] = [
    same("receive(on:)") { $0.receive(on: queue).eraseToAnyPublisher() },
    same("subscribe(on:)") { $0.subscribe(on: queue).eraseToAnyPublisher() },
    same("delay(for:)", known: ["nothing comes after the instant of cancel()"]) {
      $0.delay(for: .seconds(1), scheduler: queue).eraseToAnyPublisher()
    },
    PublisherCase(name: "measureInterval") {
      $0[0].measureInterval(using: queue).map { "\($0)" }.eraseToAnyPublisher()
    } rules: { trace in
      trace.broken(
        "all values are delivered",
        if: trace.isFree && trace.gotValues.count != trace.values(0).count
      )
        + trace.broken(
          "the completion is that of the sources",
          if: trace.isFree && trace.gotEnd != trace.end(0)
        )
    },
    PublisherCase(name: "debounce(for:)") {
      $0[0].debounce(for: .seconds(2), scheduler: queue).eraseToAnyPublisher()
    } rules: { trace in
      let events = trace.delivered[0]
      let quiet = events.indices.filter { index in
        events[index].event.isValue
          && (index + 1 == events.count || events[index + 1].second > events[index].second + 2)
      }.map { trace.values(0)[$0] }
      return trace.broken(
        "values come in order, at most once",
        if: !trace.gotValues.isPartOf(trace.values(0))
      )
        + trace.broken(
          "a quiet value is delivered",
          if: trace.isFree && !quiet.isPartOf(trace.gotValues)
        )
        + trace.broken(
          "the completion is that of the sources",
          if: trace.isFree && trace.gotEnd != trace.end(0)
        )
    },
    throttled(latest: true),
    throttled(latest: false),
    timedOut("timeout, without a long pause", isQuick: true),
  ]

  static func timedOut(_ name: String, isQuick: Bool) -> PublisherCase {
    PublisherCase(name: name, isQuick: isQuick) {
      $0[0].timeout(.seconds(2), scheduler: queue, customError: { SourceError(source: "timeout") })
        .eraseToAnyPublisher()
    } rules: { trace in
      let isLate = trace.gotEnd == .failed("error of timeout")
      return trace.broken(
        "values are conserved and in order",
        if: !trace.values(0).starts(with: trace.gotValues)
      )
        + trace.broken(
          "all values are delivered",
          if: trace.isFree && !isLate && trace.gotValues != trace.values(0)
        )
        + trace.broken(
          "the completion is that of the sources",
          if: trace.isFree && !isLate && trace.gotEnd != trace.end(0)
        )
    }
  }

  /// After it has timed out, its timer fires again and again: no run settles.
  @Test func timeoutNeverSettles() async throws {
    try await withKnownIssue {
      try await Self.timedOut("timeout", isQuick: false).search()
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("it never settles") }
    }
  }

  static func throttled(latest: Bool) -> PublisherCase {
    PublisherCase(name: "throttle(for:latest: \(latest))") {
      $0[0].throttle(for: .seconds(2), scheduler: queue, latest: latest).eraseToAnyPublisher()
    } rules: { trace in
      let seconds = trace.got.filter { $0.event.isValue }.map(\.second)
      return trace.broken(
        "values come in order, at most once",
        if: !trace.gotValues.isPartOf(trace.values(0))
      )
        + trace.broken(
          "the interval is between two values",
          if: zip(seconds, seconds.dropFirst()).contains { $1 - $0 < 2 } && trace.end(0) == nil
        )
        + trace.broken(
          "the completion is that of the sources",
          if: trace.isFree && trace.gotEnd != trace.end(0)
        )
    }
  }

  @Test(arguments: operators.map(\.name))
  func search(name: String) async throws {
    try await #require(Self.operators.first { $0.name == name }).search()
  }
}
