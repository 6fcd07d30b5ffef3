/// Rules for one consumer that several operators share.
extension SessionLog.Content {
  package var consumer: SessionLog.Consumer { consumers[0] }
  /// Whether the consumer got the end of the operator, without cancellation.
  package var isComplete: Bool { consumer.cancelled == nil && consumer.end != nil }
  package var hasFinished: Bool { isComplete && consumer.end?.value == .finished }
  /// The values that a source has returned.
  package func values(_ source: Int) -> [String] { sources[source].elements.map(\.value) }
  /// All elements that sources have returned, in order.
  package var returned: [SessionLog.Timed<String>] {
    sources.flatMap(\.elements).sorted { $0.position < $1.position }
  }
  /// The first failure of a source.
  package var failure: SessionLog.Timed<SessionLog.End>? {
    sources.compactMap(\.end).filter { if case .failed = $0.value { true } else { false } }
      .min { $0.position < $1.position }
  }

  package func broken(_ rule: String, if condition: Bool) -> [BrokenRule] {
    condition ? [BrokenRule(rule, describe(consumer))] : []
  }

  /// The elements are exactly these; after a cancellation, a drop or a failure, a beginning of them.
  package func delivers(_ expected: [String]) -> [BrokenRule] {
    broken("elements are conserved and in order", if: !expected.starts(with: consumer.values))
      + broken("all elements are delivered", if: hasFinished && consumer.values != expected)
  }

  /// As `delivers`, and a failure comes after all of them.
  package func deliversAll(_ expected: [String]) -> [BrokenRule] {
    delivers(expected)
      + broken(
        "all elements are delivered before the error",
        if: isComplete && consumer.values != expected
      )
  }

  /// The end is that of the sources: the first error, or the end after all have ended.
  package func endsWithAllSources() -> [BrokenRule] {
    deliversError()
      + broken(
        "the end comes after the end of all sources",
        if: hasFinished && sources.contains { $0.end == nil || $0.end?.value == .cancelled }
      )
  }

  /// An error of a source is delivered.
  package func deliversError() -> [BrokenRule] {
    guard isComplete else { return [] }
    return broken(
      "an error is delivered",
      if: failure != nil && consumer.end?.value == .finished
    )
      + broken(
        "an error is that of a source",
        if: { if case .failed = consumer.end?.value { failure == nil } else { false } }()
      )
  }

  /// The elements of each source come in their order, and without gaps.
  package func keepsOrderOfEachSource() -> [BrokenRule] {
    sources.indices.flatMap { index in
      let name = "abc".map(String.init)[index]
      let got = consumer.values.filter { $0.hasPrefix(name) }
      return broken(
        "elements are conserved and in order",
        if: !values(index).starts(with: got)
      ) + broken("all elements are delivered", if: hasFinished && got != values(index))
    }
  }

  /// The consumer gets some of the elements, in their order.
  package func deliversSome() -> [BrokenRule] {
    broken(
      "elements come in order, at most once",
      if: !consumer.values.isPartOf(returned.map(\.value))
    )
  }

  /// An element arrives at the second at which the source has returned it and the consumer waits.
  package func deliversWithoutDelay() -> [BrokenRule] {
    zip(consumer.elements, consumer.calls).flatMap { element, call in
      let origin = returned.first { $0.value == element.value }
      return broken(
        "an element is delivered without delay",
        if: element.second != Swift.max(origin?.second ?? 0, call.second)
      )
    }
  }
}

extension [String] {
  /// Whether it is a subsequence of another array.
  package func isPartOf(_ whole: [String]) -> Bool {
    var rest = whole[...]
    return allSatisfy { element in
      guard let place = rest.firstIndex(of: element) else { return false }
      rest = rest[(place + 1)...]
      return true
    }
  }
}
