@preconcurrency import OpenCombine
import Sessions
import Testing

/// Operators on one publisher whose output is a function of their input.
@Suite struct FunctionTests {
  typealias Output = (values: [String], end: Trace.Event?)

  static let open = "cancel() and completion end the subscriptions to the sources"
  static let early = ["the subscription comes first"]
  /// A request after cancel() delivers the value that waited for it.
  static let revived = ["nothing comes after the instant of cancel()"]
  static let late = [
    "the completion comes after all values", "the completion is that of the sources",
  ]

  static func text<Value>(_ value: Value) -> String { "\(value)" }

  static func function(
    _ name: String,
    known: [String] = [],
    _ make: @escaping @Sendable (TestPublisher) -> AnyPublisher<String, SourceError>,
    gives expected: @escaping @Sendable ([String], Trace.Event?) -> Output
  ) -> PublisherCase {
    PublisherCase(name: name, known: known) {
      make($0[0])
    } rules: { trace in
      let output = expected(trace.values(0), trace.end(0))
      return trace.gives(output.values, output.end)
    }
  }

  /// The values of an operator that sends values only at the end.
  static func atEnd(_ end: Trace.Event?, _ values: [String]) -> Output {
    (end == .finished ? values : [], end)
  }

  /// A publisher with a subject, which drops values without demand.
  static func shared(
    _ name: String,
    _ make: @escaping @Sendable (TestPublisher) -> AnyPublisher<String, SourceError>
  ) -> PublisherCase {
    PublisherCase(name: name, known: [open]) {
      make($0[0])
    } rules: { trace in
      trace.broken(
        "values come in order, at most once",
        if: !trace.gotValues.isPartOf(trace.values(0))
      )
        + (trace.isUnlimited ? trace.gives(trace.values(0), trace.end(0)) : [])
        + trace.broken(
          "the completion is that of the sources",
          if: trace.gotEnd.map { $0 != trace.end(0) } ?? false
        )
    }
  }

  /// A buffer that is never full. An error may overtake its values.
  static func buffered(
    _ name: String,
    _ prefetch: Publishers.PrefetchStrategy,
    size: Int = 10,
    whenFull: @escaping @Sendable () -> Publishers.BufferingStrategy<SourceError> = { .dropNewest }
  ) -> PublisherCase {
    PublisherCase(name: name, known: early) {
      $0[0].buffer(size: size, prefetch: prefetch, whenFull: whenFull()).eraseToAnyPublisher()
    } rules: { trace in
      if case .failed = trace.end(0) {
        trace.broken(
          "values are conserved and in order",
          if: !trace.values(0).starts(with: trace.gotValues)
        )
          + trace.broken(
            "the completion is that of the sources",
            if: trace.isFree && trace.gotEnd != trace.end(0)
          )
      } else {
        trace.gives(trace.values(0), trace.end(0))
      }
    }
  }

  static let operators: [PublisherCase] = [
    function("map") {
      $0.map { $0 + "x" }.eraseToAnyPublisher()
    } gives: {
      ($0.map { $0 + "x" }, $1)
    },
    function("tryMap") {
      $0.tryMap { $0 }.mapError { $0 as? SourceError ?? SourceError(source: "?") }
        .eraseToAnyPublisher()
    } gives: {
      ($0, $1)
    },
    function("filter") {
      $0.filter { !$0.hasSuffix("2") }.eraseToAnyPublisher()
    } gives: {
      ($0.filter { !$0.hasSuffix("2") }, $1)
    },
    function("compactMap") {
      $0.compactMap { $0.hasSuffix("2") ? nil : $0 }.eraseToAnyPublisher()
    } gives: {
      ($0.filter { !$0.hasSuffix("2") }, $1)
    },
    function("scan") {
      $0.scan("") { $0 + $1 }.eraseToAnyPublisher()
    } gives: { values, end in
      (values.indices.map { values[0...$0].joined() }, end)
    },
    function("removeDuplicates") {
      $0.map { $0.hasSuffix("3") ? "y" : "x" }.removeDuplicates().eraseToAnyPublisher()
    } gives: { values, end in
      (["x", "y"].filter(values.map { $0.hasSuffix("3") ? "y" : "x" }.contains), end)
    },
    function("dropFirst") {
      $0.dropFirst().eraseToAnyPublisher()
    } gives: {
      (Array($0.dropFirst()), $1)
    },
    function("drop(while:)") {
      $0.drop { $0 == "a1" }.eraseToAnyPublisher()
    } gives: {
      (Array($0.drop { $0 == "a1" }), $1)
    },
    function("prefix(2)", known: late) {
      $0.prefix(2).eraseToAnyPublisher()
    } gives: {
      (Array($0.prefix(2)), $0.count >= 2 ? .finished : $1)
    },
    function("prefix(while:)") {
      $0.prefix { $0 != "a2" }.eraseToAnyPublisher()
    } gives: {
      ($0.prefix { $0 != "a2" }.map { $0 }, $0.contains("a2") ? .finished : $1)
    },
    function("first", known: revived) {
      $0.first().eraseToAnyPublisher()
    } gives: {
      (Array($0.prefix(1)), $0.isEmpty ? $1 : .finished)
    },
    function("first(where:)", known: revived) {
      $0.first { $0 == "a2" }.eraseToAnyPublisher()
    } gives: {
      ($0.filter { $0 == "a2" }, $0.contains("a2") ? .finished : $1)
    },
    function("last", known: revived) {
      $0.last().eraseToAnyPublisher()
    } gives: {
      atEnd($1, $0.suffix(1))
    },
    function("collect", known: revived) {
      $0.collect().map { $0.joined() }.eraseToAnyPublisher()
    } gives: {
      atEnd($1, [$0.joined()])
    },
    function("collect(2)") {
      $0.collect(2).map { $0.joined() }.eraseToAnyPublisher()
    } gives: { values, end in
      let chunks = stride(from: 0, to: values.count, by: 2).map {
        values[$0..<min($0 + 2, values.count)].joined()
      }
      return (end == .finished ? chunks : Array(chunks.prefix(values.count / 2)), end)
    },
    function("count", known: revived) {
      $0.count().map { "\($0)" }.eraseToAnyPublisher()
    } gives: {
      atEnd($1, ["\($0.count)"])
    },
    function("reduce", known: revived) {
      $0.reduce("") { $0 + $1 }.eraseToAnyPublisher()
    } gives: {
      atEnd($1, [$0.joined()])
    },
    function("max", known: revived) {
      $0.max().eraseToAnyPublisher()
    } gives: {
      atEnd($1, $0.suffix(1))
    },
    function("ignoreOutput") {
      $0.ignoreOutput().map(text).eraseToAnyPublisher()
    } gives: {
      ([], $1)
    },
    function("contains", known: revived) {
      $0.contains("a2").map { "\($0)" }.eraseToAnyPublisher()
    } gives: {
      $0.contains("a2") ? (["true"], .finished) : atEnd($1, ["false"])
    },
    function("allSatisfy", known: revived) {
      $0.allSatisfy { $0 != "a2" }.map { "\($0)" }.eraseToAnyPublisher()
    } gives: {
      $0.contains("a2") ? (["false"], .finished) : atEnd($1, ["true"])
    },
    function("replaceEmpty", known: ["values do not exceed the demand"] + revived) {
      $0.replaceEmpty(with: "-").eraseToAnyPublisher()
    } gives: {
      $0.isEmpty && $1 == .finished ? (["-"], $1) : ($0, $1)
    },
    function("replaceError", known: revived) {
      $0.replaceError(with: "-").setFailureType(to: SourceError.self).eraseToAnyPublisher()
    } gives: { values, end in
      if case .failed = end { (values + ["-"], .finished) } else { (values, end) }
    },
    function("output(at:)", known: late) {
      $0.output(at: 1).eraseToAnyPublisher()
    } gives: {
      ($0.count > 1 ? [$0[1]] : [], $0.count > 1 ? .finished : $1)
    },
    function("output(in:)", known: late) {
      $0.output(in: 0..<2).eraseToAnyPublisher()
    } gives: {
      (Array($0.prefix(2)), $0.count >= 2 ? .finished : $1)
    },
    function("mapError") {
      $0.mapError { SourceError(source: $0.source + "x") }.eraseToAnyPublisher()
    } gives: { values, end in
      if case .failed = end { (values, .failed("error of ax")) } else { (values, end) }
    },
    function("handleEvents") {
      $0.handleEvents(receiveOutput: { _ in }).eraseToAnyPublisher()
    } gives: {
      ($0, $1)
    },
    function("prepend(values)") {
      $0.prepend("p", "q").eraseToAnyPublisher()
    } gives: {
      (["p", "q"] + $0, $1)
    },
    function("append(values)") {
      $0.append("p", "q").eraseToAnyPublisher()
    } gives: {
      $1 == .finished ? ($0 + ["p", "q"], $1) : ($0, $1)
    },
    buffered("buffer(10), by request", .byRequest),
    buffered("buffer(10), keep full", .keepFull),
    shared("share") { $0.share().eraseToAnyPublisher() },
    shared("multicast, autoconnect") {
      $0.multicast { PassthroughSubject<String, SourceError>() }.autoconnect().eraseToAnyPublisher()
    },
    // The second subscription of the failed source delivers again.
    PublisherCase(name: "retry(1)") {
      $0[0].retry(1).eraseToAnyPublisher()
    } rules: { trace in
      let ends = trace.delivered[0].filter { !$0.event.isValue }
      return trace.gives(
        trace.values(0),
        ends.count == 1 && ends[0].event != .finished ? nil : ends.last?.event
      )
    },
  ]

  @Test(arguments: operators.map(\.name))
  func search(name: String) async throws {
    try await #require(Self.operators.first { $0.name == name }).search()
  }
}
