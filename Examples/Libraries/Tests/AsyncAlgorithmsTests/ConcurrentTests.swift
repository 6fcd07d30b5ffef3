import AsyncAlgorithms
import Sessions
import Testing

/// Operators that start tasks.
@Suite struct ConcurrentTests {
  static let continues = "sources stop with the consumer"

  static func merged(
    _ count: Int,
    _ make: @escaping @Sendable ([Source]) -> any AsyncSequence<String, any Error> & Sendable
  )
    -> Operator
  {
    Operator("merge, \(count) sources", SessionShape(sources: count), make) { content in
      content.keepsOrderOfEachSource() + content.deliversWithoutDelay()
        + (content.failure == nil ? content.endsWithAllSources() : content.deliversError())
    }
  }

  static func zipped(
    _ count: Int,
    _ make: @escaping @Sendable ([Source]) -> any AsyncSequence<String, any Error> & Sendable
  )
    -> Operator
  {
    Operator("zip, \(count) sources", SessionShape(sources: count), make) { content in
      let columns = content.sources.indices.map { content.values($0) }
      let rows = (0..<(columns.map(\.count).min() ?? 0)).map { row in
        columns.map { $0[row] }.joined()
      }
      let finished = content.sources.contains { $0.end?.value == .finished }
      return content.delivers(rows)
        + content.broken(
          "the end comes after the end of a source",
          if: content.hasFinished && !finished
        )
        + (finished ? [] : content.deliversError())
    }
  }

  static func combined(
    _ count: Int,
    _ make: @escaping @Sendable ([Source]) -> any AsyncSequence<String, any Error> & Sendable
  )
    -> Operator
  {
    Operator("combineLatest, \(count) sources", SessionShape(sources: count), make) { content in
      // Each element after the first of each source makes a new row.
      var latest: [String: String] = [:]
      var rows: [String] = []
      for element in content.returned {
        latest[String(element.value.prefix(1))] = element.value
        if latest.count == count {
          rows.append(latest.sorted { $0.key < $1.key }.map(\.value).joined())
        }
      }
      let isUnsatisfiable = content.sources.contains {
        $0.elements.isEmpty && $0.end?.value == .finished
      }
      return (content.failure == nil && !isUnsatisfiable ? content.delivers(rows) : [])
        + content.broken(
          "elements are conserved and in order",
          if: !content.consumer.values.isPartOf(rows)
        )
        + (isUnsatisfiable
          ? [] : content.failure == nil ? content.endsWithAllSources() : content.deliversError())
    }
  }

  static func buffered(
    _ name: String,
    _ policy: AsyncBufferSequencePolicy,
    known: [String] = [continues],
    leak: Operator.Leak? = .afterDrop
  ) -> Operator {
    Operator("buffer(\(name))", known: known, leak: leak) {
      texts($0[0].buffer(policy: policy)) { $0 }
    } rules: { content in
      content.deliversAll(content.values(0)) + content.deliversWithoutDelay()
        + content.endsWithAllSources()
    }
  }

  static func shape(sources: Int, mostElements: Int) -> SessionShape {
    var shape = SessionShape(sources: sources)
    shape.mostElements = mostElements
    return shape
  }

  static let operators = [
    merged(2) { texts(merge($0[0], $0[1])) { $0 } },
    merged(3) { texts(merge($0[0], $0[1], $0[2])) { $0 } },
    zipped(2) { texts(zip($0[0], $0[1])) { $0 + $1 } },
    zipped(3) { texts(zip($0[0], $0[1], $0[2])) { $0 + $1 + $2 } },
    combined(2) { texts(combineLatest($0[0], $0[1])) { $0 + $1 } },
    combined(3) { texts(combineLatest($0[0], $0[1], $0[2])) { $0 + $1 + $2 } },
    buffered(".unbounded", .unbounded),
    buffered(".bounded(0)", .bounded(0), known: ["after its end, next() returns nil"], leak: nil),
    buffered(".bounded(1)", .bounded(1)),
    buffered(".bounded(2)", .bounded(2)),
    Operator("buffer(.bufferingLatest(1))", known: [continues], leak: .afterDrop) {
      texts($0[0].buffer(policy: .bufferingLatest(1))) { $0 }
    } rules: { content in
      content.deliversSome() + content.endsWithAllSources()
        + content.broken(
          "the newest element is delivered",
          if: content.isComplete && content.consumer.values.last != content.values(0).last
        )
    },
    Operator("buffer(.bufferingOldest(1))", known: [continues], leak: .afterDrop) {
      texts($0[0].buffer(policy: .bufferingOldest(1))) { $0 }
    } rules: { content in
      // An element is discarded only while the buffer has an older one.
      let got = Set(content.consumer.values)
      let lost = content.isComplete ? content.returned.filter { !got.contains($0.value) } : []
      return content.deliversSome() + content.endsWithAllSources()
        + content.broken(
          "an element is discarded only if the buffer is full",
          if: lost.contains { lost in
            !content.consumer.elements.contains { element in
              element.position > lost.position
                && content.returned.contains {
                  $0.value == element.value && $0.position < lost.position
                }
            }
          }
        )
    },
    // The first element of the first source makes the second source, the second element the third.
    Operator(
      "flatMapLatest",
      shape(sources: 3, mostElements: 2),
      known: [continues, "an error is delivered"],
      leak: .init(after: "cancellation, drop or error") {
        $0.cancelSeconds = [nil]
        $0.takes = [nil]
        $0.ends = [.finish]
      }
    ) { sources in
      texts(sources[0].flatMapLatest { $0 == "a1" ? sources[1] : sources[2] }) { $0 }
    } rules: { content in
      let base = content.sources[0]
      let latest = base.elements.isEmpty ? nil : content.sources[base.elements.count]
      let switching = base.elements.count > 1 ? base.elements[1].second : .max
      let stale = zip(content.consumer.elements, content.consumer.calls).contains {
        $0.value.hasPrefix("b") && $1.second > switching
      }
      let ends = [base.end?.value, latest.map { $0.end?.value } ?? .finished]
      let got = content.consumer.values
      return content.broken("a superseded sequence delivers nothing", if: stale)
        + content.broken(
          "elements are conserved and in order",
          if: !content.values(1).starts(with: got.filter { $0.hasPrefix("b") })
            || !content.values(2).starts(with: got.filter { $0.hasPrefix("c") })
        )
        + content.broken(
          "all elements of the latest sequence are delivered",
          if: content.hasFinished && !(latest?.elements.map(\.value) ?? []).isPartOf(got)
        )
        + content.broken(
          "the end comes after the end of the base and of the latest sequence",
          if: content.hasFinished && content.failure == nil
            && ends.contains { $0 == nil || $0 == .cancelled }
        )
        + content.broken(
          "an error is delivered",
          if: content.hasFinished
            && ends.contains { if case .failed = $0 { true } else { false } }
        )
    },
  ]

  @Test(arguments: operators.map(\.name))
  func search(name: String) async throws {
    try await #require(Self.operators.first { $0.name == name }).search()
  }
}
