import AsyncAlgorithms
import Sessions
import Testing

/// Applies a text to each element of an operator, so that all operators have one type of element.
func texts<Base: AsyncSequence & Sendable>(
  _ base: Base,
  _ text: @escaping @Sendable (Base.Element) -> String
) -> any AsyncSequence<String, any Error> & Sendable where Base.Element: Sendable {
  base.map { (element: Base.Element) async throws -> String in text(element) }
}

/// Operators that ask one source at a time and start no task.
@Suite struct SequentialTests {
  /// Elements 1 and 2 of a source are in one group, element 3 in another.
  @Sendable static func group(_ element: String) -> String { element.hasSuffix("3") ? "y" : "x" }

  static func joined(_ chunks: [[String]]) -> [String] { chunks.map { $0.joined(separator: "+") } }

  /// An operator on one source whose output is a function of its input.
  static func function(
    _ name: String,
    _ make: @escaping @Sendable (Source) -> any AsyncSequence<String, any Error> & Sendable,
    gives expected: @escaping @Sendable (_ input: [String], _ hasFailed: Bool) -> [String]
  ) -> Operator {
    Operator(name) {
      make($0[0])
    } rules: { content in
      content.deliversAll(expected(content.values(0), content.failure != nil))
        + content.endsWithAllSources()
    }
  }

  static let operators = [
    function("adjacentPairs") {
      texts($0.adjacentPairs()) { "\($0.0)\($0.1)" }
    } gives: { input, _ in
      zip(input, input.dropFirst()).map { "\($0)\($1)" }
    },
    function("compacted") {
      texts($0.map { $0.hasSuffix("2") ? nil : $0 }.compacted()) { $0 }
    } gives: { input, _ in
      input.filter { !$0.hasSuffix("2") }
    },
    function("removeDuplicates") {
      texts($0.map(group).removeDuplicates()) { $0 }
    } gives: { input, _ in
      ["x", "y"].filter(input.map(group).contains)
    },
    function("removeDuplicates(by:), throwing") {
      let isEqual: @Sendable (String, String) async throws -> Bool = { $0 == $1 }
      return texts($0.map(group).removeDuplicates(by: isEqual)) { $0 }
    } gives: { input, _ in
      ["x", "y"].filter(input.map(group).contains)
    },
    function("reductions") {
      texts($0.reductions { $0 + $1 }) { $0 }
    } gives: { input, _ in
      input.indices.map { input[0...$0].joined() }
    },
    function("reductions, throwing") {
      let join: @Sendable (String, String) async throws -> String = { $0 + $1 }
      return texts($0.reductions(join)) { $0 }
    } gives: { input, _ in
      input.indices.map { input[0...$0].joined() }
    },
    function("reductions(_:_:)") {
      texts($0.reductions("") { $0 + $1 }) { $0 }
    } gives: { input, _ in
      input.indices.map { input[0...$0].joined() }
    },
    function("reductions(into:), throwing") {
      let join: @Sendable (inout String, String) async throws -> Void = { $0 += $1 }
      return texts($0.reductions(into: "", join)) { $0 }
    } gives: { input, _ in
      input.indices.map { input[0...$0].joined() }
    },
    function("interspersed(with:)") {
      texts($0.interspersed(with: "-")) { $0 }
    } gives: { input, _ in
      Array(input.map { [$0] }.joined(separator: ["-"]))
    },
    function("interspersed(every:with:)") {
      let separator: @Sendable () async throws -> String = { "-" }
      return texts($0.interspersed(every: 2, with: separator)) { $0 }
    } gives: { input, _ in
      input.count > 2 ? [input[0], input[1], "-", input[2]] : input
    },
    function("chunks(ofCount:)") {
      texts($0.chunks(ofCount: 2)) { $0.joined(separator: "+") }
    } gives: { input, hasFailed in
      let chunks = stride(from: 0, to: input.count, by: 2).map {
        Array(input[$0..<min($0 + 2, input.count)])
      }
      // "No elements from the base are ever discarded, except in the case of a thrown error."
      return joined(hasFailed ? chunks.filter { $0.count == 2 } : chunks)
    },
    function("chunked(by:)") {
      texts($0.chunked { group($0) == group($1) }) { $0.joined(separator: "+") }
    } gives: { input, hasFailed in
      let chunks = ["x", "y"].map { name in input.filter { group($0) == name } }
        .filter { !$0.isEmpty }
      return joined(hasFailed ? chunks.dropLast() : chunks)
    },
    function("chunked(on:)") {
      texts($0.chunked(on: group)) { "\($0.0)\($0.1.joined(separator: "+"))" }
    } gives: { input, hasFailed in
      let chunks = ["x", "y"].map { name in (name, input.filter { group($0) == name }) }
        .filter { !$0.1.isEmpty }.map { "\($0.0)\($0.1.joined(separator: "+"))" }
      return hasFailed ? chunks.dropLast() : chunks
    },
    function("mapError") {
      texts($0.mapError { error in error as? SourceError ?? SourceError(source: "cancelled") }) {
        $0
      }
    } gives: { input, _ in
      input
    },
    Operator("chain, 3 sources", SessionShape(sources: 3)) {
      texts(chain($0[0], $0[1], $0[2])) { $0 }
    } rules: { content in
      content.deliversAll((0...2).flatMap { content.values($0) })
        + (content.failure == nil ? content.endsWithAllSources() : content.deliversError())
    },
    Operator("joined, 3 sources", SessionShape(sources: 3)) {
      texts($0.async.joined()) { $0 }
    } rules: { content in
      content.deliversAll((0...2).flatMap { content.values($0) })
        + (content.failure == nil ? content.endsWithAllSources() : content.deliversError())
    },
    // The third source is the separator, which is read once.
    Operator("joined(separator:), 3 sources", SessionShape(sources: 3)) {
      texts([$0[0], $0[1]].async.joined(separator: $0[2])) { $0 }
    } rules: { content in
      content.deliversAll([0, 2, 1].flatMap { content.values($0) })
        + (content.failure == nil ? content.endsWithAllSources() : content.deliversError())
    },
    Operator("Array.init", SessionShape()) { sources in
      texts([0].async) { _ in "" }.collecting(sources[0])
    } rules: { content in
      let all = content.values(0).joined(separator: "+")
      return content.deliversError()
        + content.broken(
          "all elements are delivered",
          if: content.hasFinished && content.consumer.values != [all]
        )
    },
  ]

  @Test(arguments: operators.map(\.name))
  func search(name: String) async throws {
    try await #require(Self.operators.first { $0.name == name }).search()
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// One element: those of a source, collected by `Array.init`.
  fileprivate func collecting(_ source: Source) -> any AsyncSequence<String, any Error> & Sendable {
    map { (_: Element) async throws -> String in
      try await Array(source).joined(separator: "+")
    }
  }
}
