@preconcurrency import OpenCombine
import Sessions
import Testing

/// Operators whose closure throws: at the first value, at the third, or never.
@Suite struct ThrowingOperatorTests {
  typealias Check = @Sendable (String) throws -> Void

  static let isSecond: @Sendable (String) -> Bool = { $0 == "a2" }

  /// The operator runs the closure for each value. It behaves like the one that does not throw, until the closure throws.
  static func throwing(
    _ name: String,
    known: [String] = [],
    _ make:
      @escaping @Sendable (TestPublisher, @escaping Check) -> AnyPublisher<String, any Error>,
    gives expected:
      @escaping @Sendable ([String], Trace.Event?) -> FunctionTests.Output
  ) -> [PublisherCase] {
    ["a1", "a3", nil].map { failing in
      FunctionTests.function("\(name), throws at \(failing ?? "no value")", known: known) {
        source in
        make(source) { if $0 == failing { throw SourceError(source: "x") } }
          .mapError { $0 as? SourceError ?? SourceError(source: "?") }.eraseToAnyPublisher()
      } gives: { values, end in
        guard let failing, values.contains(failing) else { return expected(values, end) }
        let output = expected(values.prefix { $0 != failing }.map { $0 }, nil)
        return (output.values, output.end ?? .failed("error of x"))
      }
    }
  }

  static let operators: [PublisherCase] =
    [
      throwing("tryMap") { source, check in
        source.tryMap {
          try check($0)
          return $0 + "x"
        }.eraseToAnyPublisher()
      } gives: {
        ($0.map { $0 + "x" }, $1)
      },
      throwing("tryFilter") { source, check in
        source.tryFilter {
          try check($0)
          return !isSecond($0)
        }.eraseToAnyPublisher()
      } gives: {
        ($0.filter { !isSecond($0) }, $1)
      },
      throwing("tryCompactMap") { source, check in
        source.tryCompactMap {
          try check($0)
          return isSecond($0) ? nil : $0
        }.eraseToAnyPublisher()
      } gives: {
        ($0.filter { !isSecond($0) }, $1)
      },
      throwing("tryScan") { source, check in
        source.tryScan("") {
          try check($1)
          return $0 + $1
        }.eraseToAnyPublisher()
      } gives: { values, end in
        (values.indices.map { values[0...$0].joined() }, end)
      },
      throwing("tryDrop(while:)") { source, check in
        source.tryDrop {
          try check($0)
          return $0 != "a3"
        }.eraseToAnyPublisher()
      } gives: {
        (Array($0.drop { $0 != "a3" }), $1)
      },
      throwing("tryPrefix(while:)") { source, check in
        source.tryPrefix {
          try check($0)
          return !isSecond($0)
        }.eraseToAnyPublisher()
      } gives: {
        ($0.prefix { !isSecond($0) }.map { $0 }, $0.contains("a2") ? .finished : $1)
      },
      throwing("tryFirst(where:)", known: FunctionTests.revived) { source, check in
        source.tryFirst {
          try check($0)
          return isSecond($0)
        }.eraseToAnyPublisher()
      } gives: {
        ($0.filter(isSecond), $0.contains("a2") ? .finished : $1)
      },
      throwing("tryLast(where:)", known: FunctionTests.revived) { source, check in
        source.tryLast {
          try check($0)
          return $0 != "a3"
        }.eraseToAnyPublisher()
      } gives: {
        FunctionTests.atEnd($1, $0.filter { $0 != "a3" }.suffix(1))
      },
      throwing("tryContains(where:)", known: FunctionTests.revived) { source, check in
        source.tryContains {
          try check($0)
          return isSecond($0)
        }.map { "\($0)" }
          .eraseToAnyPublisher()
      } gives: {
        $0.contains("a2") ? (["true"], .finished) : FunctionTests.atEnd($1, ["false"])
      },
      throwing("tryAllSatisfy", known: FunctionTests.revived) { source, check in
        source.tryAllSatisfy {
          try check($0)
          return !isSecond($0)
        }.map { "\($0)" }
          .eraseToAnyPublisher()
      } gives: {
        $0.contains("a2") ? (["false"], .finished) : FunctionTests.atEnd($1, ["true"])
      },
      throwing("tryReduce", known: FunctionTests.revived) { source, check in
        source.tryReduce("") {
          try check($1)
          return $0 + $1
        }.eraseToAnyPublisher()
      } gives: {
        FunctionTests.atEnd($1, [$0.joined()])
      },
    ].flatMap(\.self) + comparisons + others

  /// The closure of these gets two values, so that the first value alone does not run it.
  static let comparisons: [PublisherCase] = [
    compared("tryMax", known: FunctionTests.revived) {
      $0.tryMax(by: $1).eraseToAnyPublisher()
    } gives: {
      FunctionTests.atEnd($1, $0.suffix(1))
    },
    compared("tryMin", known: FunctionTests.revived) {
      $0.tryMin(by: $1).eraseToAnyPublisher()
    } gives: {
      FunctionTests.atEnd($1, $0.prefix(1).map { $0 })
    },
    compared("tryRemoveDuplicates") { source, isLess in
      source.tryRemoveDuplicates { try !isLess($0, $1) && !isLess($1, $0) }.eraseToAnyPublisher()
    } gives: {
      ($0, $1)
    },
  ].flatMap(\.self)

  static func compared(
    _ name: String,
    known: [String] = [],
    _ make:
      @escaping @Sendable (TestPublisher, @escaping @Sendable (String, String) throws -> Bool) ->
      AnyPublisher<String, any Error>,
    gives expected:
      @escaping @Sendable ([String], Trace.Event?) -> FunctionTests.Output
  ) -> [PublisherCase] {
    ["a2", "a3", nil].map { failing in
      FunctionTests.function("\(name), throws at \(failing ?? "no value")", known: known) {
        source in
        make(source) { first, second in
          if [first, second].contains(failing) { throw SourceError(source: "x") }
          return first < second
        }
        .mapError { $0 as? SourceError ?? SourceError(source: "?") }.eraseToAnyPublisher()
      } gives: { values, end in
        guard let failing, values.count > 1, let place = values.firstIndex(of: failing) else {
          return expected(values, end)
        }
        let output = expected(Array(values.prefix(max(1, place))), nil)
        return (output.values, output.end ?? .failed("error of x"))
      }
    }
  }

  static let others: [PublisherCase] = [
    FunctionTests.function("last(where:)", known: FunctionTests.revived) {
      $0.last { $0 != "a3" }.eraseToAnyPublisher()
    } gives: {
      FunctionTests.atEnd($1, $0.filter { $0 != "a3" }.suffix(1))
    },
    FunctionTests.function("contains(where:)", known: FunctionTests.revived) {
      $0.contains { $0 == "a2" }.map { "\($0)" }.eraseToAnyPublisher()
    } gives: {
      $0.contains("a2") ? (["true"], .finished) : FunctionTests.atEnd($1, ["false"])
    },
    FunctionTests.function("min", known: FunctionTests.revived) {
      $0.min().eraseToAnyPublisher()
    } gives: {
      FunctionTests.atEnd($1, $0.prefix(1).map { $0 })
    },
    FunctionTests.function("replaceNil") {
      $0.map { $0 == "a2" ? nil : $0 }.replaceNil(with: "-").eraseToAnyPublisher()
    } gives: {
      ($0.map { $0 == "a2" ? "-" : $0 }, $1)
    },
    FunctionTests.function("setFailureType") {
      $0.catch { _ in Just("-") }.setFailureType(to: SourceError.self).eraseToAnyPublisher()
    } gives: { values, end in
      if case .failed = end { (values + ["-"], .finished) } else { (values, end) }
    },
    FunctionTests.function("print") {
      $0.print("", to: NoOutput()).eraseToAnyPublisher()
    } gives: {
      ($0, $1)
    },
    FunctionTests.function("breakpoint") {
      $0.breakpoint(receiveOutput: { _ in false }).eraseToAnyPublisher()
    } gives: {
      ($0, $1)
    },
    FunctionTests.function("encode, decode") {
      $0.encode(encoder: TestCoder()).decode(type: String.self, decoder: TestCoder())
        .mapError { $0 as? SourceError ?? SourceError(source: "?") }.eraseToAnyPublisher()
    } gives: { values, end in
      values.contains("a2")
        ? (Array(values.prefix { $0 != "a2" }), .failed("error of x")) : (values, end)
    },
    FunctionTests.function("assertNoFailure") {
      $0.catch { _ in Just("-") }.setFailureType(to: SourceError.self).assertNoFailure()
        .setFailureType(to: SourceError.self).eraseToAnyPublisher()
    } gives: { values, end in
      if case .failed = end { (values + ["-"], .finished) } else { (values, end) }
    },
    FunctionTests.function("Deferred") { source in
      Deferred { source }.eraseToAnyPublisher()
    } gives: {
      ($0, $1)
    },
    tryCatching("tryCatch", throws: false),
    tryCatching("tryCatch, throws", throws: true),
  ]

  static func tryCatching(_ name: String, throws doesThrow: Bool) -> PublisherCase {
    PublisherCase(name: name, sources: 2) { sources in
      sources[0].tryCatch { _ in
        if doesThrow { throw SourceError(source: "x") }
        return sources[1]
      }
      .mapError { $0 as? SourceError ?? SourceError(source: "?") }.eraseToAnyPublisher()
    } rules: { trace in
      if case .failed = trace.end(0) {
        trace.gives(
          trace.values(0) + trace.values(1),
          doesThrow ? .failed("error of x") : trace.end(1)
        )
      } else {
        trace.gives(trace.values(0), trace.end(0))
      }
    }
  }

  struct NoOutput: TextOutputStream {
    func write(_ text: String) {}
  }

  /// Refuses the second value when it decodes.
  struct TestCoder: TopLevelEncoder, TopLevelDecoder {
    func encode(_ value: some Encodable) throws -> [String] {
      [value as? String ?? "?"]
    }

    func decode<Value: Decodable>(_ type: Value.Type, from input: [String]) throws -> Value {
      guard input != ["a2"], let value = input[0] as? Value else { throw SourceError(source: "x") }
      return value
    }
  }

  @Test(arguments: operators.map(\.name))
  func search(name: String) async throws {
    try await #require(Self.operators.first { $0.name == name }).search()
  }
}
