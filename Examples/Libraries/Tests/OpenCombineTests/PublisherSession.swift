import Exploring
@preconcurrency import OpenCombine
import Sessions
import Testing

/// A publisher made of test publishers, with its rules.
struct PublisherCase: Sendable {
  let name: String
  var sources = 1
  var mostElements = 3
  var known: [String] = []
  /// Whether the source and the subscriber never wait for each other, nor for longer than a second.
  var isQuick = false
  let make: @Sendable ([TestPublisher]) -> AnyPublisher<String, SourceError>
  let rules: @Sendable (Trace) -> [BrokenRule]

  func search(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let test = self
    try await Sessions.search(name, known: known, sourceLocation: sourceLocation) { run in
      await test.perform(run)
    }
  }

  @MainActor private func perform(_ run: ExploredRun) async -> [BrokenRule] {
    let trace = Trace(sources: sources)
    var shape = SessionShape(sources: sources)
    shape.kinds = [.pulled]
    shape.mostElements = mostElements
    if isQuick {
      shape.delays = [0, 1]
      shape.ends = [.finish, .fail]
    }
    let publishers = (0..<sources).map { index in
      let kind = run.choose(
        [TestPublisher.Kind.scheduled, .immediate, .hot],
        named: "kind of \(index)"
      )
      return TestPublisher(
        plan: SourcePlan(run, shape, name: "abc".map(String.init)[index]),
        kind: kind,
        index: index,
        trace: trace
      )
    }
    var plan = TestSubscriber.Plan()
    if !isQuick {
      plan.initial = run.choose(
        [.unlimited, .unlimited, .max(1), .none, .max(2)],
        named: "initial demand"
      )
    }
    trace.isUnlimited = plan.initial == .unlimited
    if !trace.isUnlimited {
      plan.each = run.choose([.none, .max(1)], named: "demand for each value")
      plan.later = (1...3).map { run.choose([0, 1, 2], named: "demand at \($0)") }
      plan.requestsAfterCancel = run.choose([false, true], named: "requests after cancel()")
    }
    plan.cancelAfter = run.choose([nil, nil, 1, 2], named: "values before cancel()")
    plan.cancelSecond = run.choose([nil, nil, 0, 1, 2, 3, 4], named: "second of cancel()")
    let subscriber = TestSubscriber(plan, trace)
    Task { @MainActor in make(publishers).subscribe(subscriber) }
    for (index, demand) in plan.later.enumerated() where demand > 0 {
      Task { @MainActor in
        try await Task.sleep(for: .seconds(index + 1))
        subscriber.request(.max(demand))
      }
    }
    Task { @MainActor in
      try await Task.sleep(for: .seconds(plan.cancelSecond ?? lastSecond))
      subscriber.cancel()
    }
    await run.settle()
    run.note(trace.description)
    return trace.commonRules + rules(trace)
  }
}

extension Trace {
  /// Whether nothing held the operator back.
  var isFree: Bool { isUnlimited && (cancelSecond ?? 60) == 60 }

  func broken(_ rule: String, if condition: Bool) -> [BrokenRule] {
    condition ? [BrokenRule(rule, description)] : []
  }

  /// The rules that hold for each publisher.
  var commonRules: [BrokenRule] {
    self.broken + broken("the subscriber gets a subscription", if: subscriptions == 0)
      + broken(
        "cancel() and completion end the subscriptions to the sources",
        if: (isCancelled || gotEnd != nil) && open.contains { $0 > 0 }
      )
  }

  /// The subscriber gets exactly these values and this end, or a beginning if it cancels or has too little demand.
  func gives(_ values: [String], _ end: Event?) -> [BrokenRule] {
    broken("values are conserved and in order", if: !values.starts(with: gotValues))
      + broken("all values are delivered", if: isFree && gotValues != values)
      + broken("the completion is that of the sources", if: isFree && gotEnd != end)
      + broken(
        "the completion comes after all values",
        if: gotEnd != nil && (gotEnd != end || gotValues != values)
      )
  }
}
