import AsyncAlgorithms
import Sessions
import Testing

/// Initialisers that collect a sequence, a separator that throws, and the iterator of buffered bytes.
@Suite struct CollectingTests {
  /// One element: what an initialiser collects from the source.
  static func collected(
    _ name: String,
    _ collect: @escaping @Sendable (Source) async throws -> [String],
    gives expected: @escaping @Sendable ([String]) -> [String]
  ) -> Operator {
    Operator(name) { sources in
      [0].async.map { _ async throws -> String in
        try await collect(sources[0]).sorted().joined(separator: "+")
      }
    } rules: { content in
      let all = expected(content.values(0)).sorted().joined(separator: "+")
      return content.deliversError()
        + content.broken(
          "all elements are delivered",
          if: content.hasFinished && content.consumer.values != [all]
        )
    }
  }

  /// The bytes of the elements of a source. Each element has two.
  struct Bytes: AsyncSequence, Sendable {
    typealias Element = String
    typealias Failure = any Error
    let source: Source

    /// The iterator of the source. Only one task uses it.
    final class Reader: @unchecked Sendable {
      private var iterator: Source.Iterator
      init(_ iterator: Source.Iterator) { self.iterator = iterator }

      func read(into buffer: UnsafeMutableRawBufferPointer) async throws -> Int {
        guard let element = try await iterator.next() else { return 0 }
        buffer.copyBytes(from: element.utf8)
        return element.utf8.count
      }
    }

    struct Iterator: AsyncIteratorProtocol {
      var base: AsyncBufferedByteIterator
      mutating func next() async throws -> String? {
        try await base.next().map { String(UnicodeScalar($0)) }
      }
    }

    func makeAsyncIterator() -> Iterator {
      let reader = Reader(source.makeAsyncIterator())
      return Iterator(
        base: AsyncBufferedByteIterator(capacity: 2) { try await reader.read(into: $0) }
      )
    }
  }

  static let operators = [
    collected("Dictionary(uniqueKeysWithValues:)") {
      try await Dictionary(uniqueKeysWithValues: $0.map { ($0, $0 + "x") }).values.map { $0 }
    } gives: { input in
      input.map { $0 + "x" }
    },
    collected("Dictionary(_:uniquingKeysWith:)") {
      try await Dictionary($0.map { (SequentialTests.group($0), $0) }) { $0 + $1 }.values.map { $0 }
    } gives: { input in
      ["x", "y"].map { name in input.filter { SequentialTests.group($0) == name }.joined() }
        .filter { !$0.isEmpty }
    },
    collected("Dictionary(grouping:by:)") {
      try await Dictionary(grouping: $0, by: SequentialTests.group).values.map { $0.joined() }
    } gives: { input in
      ["x", "y"].map { name in input.filter { SequentialTests.group($0) == name }.joined() }
        .filter { !$0.isEmpty }
    },
    collected("Set.init") {
      try await Array(Set($0.map(SequentialTests.group)))
    } gives: { input in
      Array(Set(input.map(SequentialTests.group)))
    },
    SequentialTests.function("chunks(ofCount:into:)") {
      texts($0.chunks(ofCount: 2, into: ContiguousArray<String>.self)) {
        $0.joined(separator: "+")
      }
    } gives: { input, hasFailed in
      let chunks = stride(from: 0, to: input.count, by: 2).map {
        Array(input[$0..<min($0 + 2, input.count)])
      }
      return SequentialTests.joined(hasFailed ? chunks.filter { $0.count == 2 } : chunks)
    },
    Operator("interspersed(every:with:), throws") { sources in
      let separator: @Sendable () async throws -> String = { throw SourceError(source: "x") }
      return texts(sources[0].interspersed(every: 2, with: separator)) { $0 }
    } rules: { content in
      content.delivers(Array(content.values(0).prefix(2)))
        + content.broken(
          "an error is delivered",
          if: content.isComplete && content.values(0).count > 2
            && content.consumer.end?.value != .failed("error of x")
        )
    },
    Operator("AsyncBufferedByteIterator", known: ["after its end, next() returns nil"]) {
      Bytes(source: $0[0])
    } rules: { content in
      content.deliversAll(content.values(0).flatMap { $0.map { String($0) } })
        + content.endsWithAllSources()
    },
  ]

  @Test(arguments: operators.map(\.name))
  func search(name: String) async throws {
    try await #require(Self.operators.first { $0.name == name }).search()
  }
}
