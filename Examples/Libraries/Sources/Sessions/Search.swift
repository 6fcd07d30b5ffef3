package import Exploring
import Foundation
import RehearsalTesting
package import Testing

/// A rule that does not hold in a run.
package struct BrokenRule: Sendable {
  package let rule: String
  package let what: String

  package init(_ rule: String, _ what: String) {
    self.rule = rule
    self.what = what
  }
}

/// The number of sessions per operator: the environment variable SESSIONS, or 3,000.
package let sessionCount =
  ProcessInfo.processInfo.environment["SESSIONS"].flatMap(Int.init) ?? 3_000

/// The last second of a session. Its consumers are cancelled then, so that each session ends.
package let lastSecond = 60

/// Searches generated sessions for a broken rule, and prints how much was searched.
///
/// A rule in `known` does not fail the search. It fails if no run breaks it any more, so that the list stays true.
///
/// - Parameters:
///   - name: the operator.
///   - known: the rules that are known to be broken.
///   - sessions: the number of sessions.
///   - mayLeaveWork: whether tasks may still wait at the end.
///   - sourceLocation: the line of issues that have no other line.
///   - session: performs one generated session and returns the rules that it breaks.
/// - Throws: the errors of `explore`.
package func search(
  _ name: String,
  known: [String] = [],
  sessions: Int = sessionCount,
  mayLeaveWork: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ session: @escaping @MainActor @Sendable (ExploredRun) async throws -> [BrokenRule]
) async throws {
  let findings = try await explore(
    schedules: sessions,
    strategy: .mixed(changes: 3),
    mayLeaveWork: mayLeaveWork,
    sourceLocation: sourceLocation
  ) { run in
    let broken = try await session(run)
    for rule in known {
      run.sometimes(broken.contains { $0.rule == rule }, "known: \(rule)")
    }
    for broken in broken where !known.contains(broken.rule) {
      run.check(false, broken.rule, broken.what)
    }
  }
  if ![.budget, .complete, .failure, .stopped].contains(findings.end) {
    Issue.record("the search ended early: \(findings.end)", sourceLocation: sourceLocation)
  }
  let knownRuns = findings.sometimes.map { " \($0.heldRuns) × \($0.text)" }.joined(separator: ";")
  print(
    "searched \(name): \(findings.runs) sessions, \(findings.schedules) distinct, "
      + "\(findings.behaviours) behaviours, end \(findings.end)\(knownRuns)"
  )
}

/// Performs one generated session of an operator with one consumer or more.
///
/// - Parameters:
///   - run: chooses the session.
///   - shape: what it may choose.
///   - make: applies the operator to the sources. Each consumer iterates the result.
///   - rules: rules of the operator, after those that hold for each of them.
/// - Returns: the rules that the session breaks.
@MainActor package func perform(
  _ run: ExploredRun,
  _ shape: SessionShape,
  _ make: @escaping @Sendable ([Source]) -> any AsyncSequence<String, any Error> & Sendable,
  _ rules: (SessionLog.Content) -> [BrokenRule]
) async -> [BrokenRule] {
  let plan = SessionPlan(run, shape)
  let log = SessionLog(sources: shape.sources, consumers: shape.consumers)
  start(
    plan.consumers,
    log,
    make(plan.sources.enumerated().map { Source($1, index: $0, log: log) })
  )
  await run.settle()
  let content = log.content
  for consumer in content.consumers { run.note(content.describe(consumer)) }
  return content.brokenRules + rules(content)
}

/// Starts the consumers and their cancellations. The sequence belongs to the consumers only.
@MainActor package func start(
  _ plans: [ConsumerPlan],
  _ log: SessionLog,
  _ sequence: any AsyncSequence<String, any Error> & Sendable
) {
  for (index, plan) in plans.enumerated() {
    let consumer = Consumer(plan: plan, index: index, log: log)
    let task = Task.detached { [box = SequenceBox(sequence)] in await consumer.consume(box) }
    Task {
      try await Task.sleep(for: .seconds(plan.cancelSecond ?? lastSecond))
      log.cancels(index)
      task.cancel()
    }
  }
}

extension SessionLog.Content {
  /// The rules that hold for each operator with one consumer.
  package var brokenRules: [BrokenRule] {
    var broken: [BrokenRule] = []
    for source in sources where source.wasAskedTwice {
      broken.append(BrokenRule("a source is asked for one element at a time", "\(source)"))
    }
    for consumer in consumers {
      guard let last = consumer.last else {
        broken.append(BrokenRule("next() returns", describe(consumer)))
        continue
      }
      if let cancelled = consumer.cancelled, last.second != cancelled.second {
        broken.append(BrokenRule("cancellation ends next() at its instant", describe(consumer)))
      }
      if consumer.cancelled == nil, consumer.end?.value == .cancelled {
        broken.append(BrokenRule("CancellationError only after cancellation", describe(consumer)))
      }
      if consumer.end != nil, consumer.afterEnd != ["nil"] {
        broken.append(BrokenRule("after its end, next() returns nil", describe(consumer)))
      }
    }
    if let last = consumers.compactMap(\.last?.second).max(),
      consumers.allSatisfy({ $0.last != nil })
    {
      for source in sources {
        let seconds = source.elements.map(\.second) + [source.end?.second ?? 0]
        if (seconds.max() ?? 0) > last {
          broken.append(BrokenRule("sources stop with the consumer", describe(consumers[0])))
        }
      }
    }
    return broken
  }

  /// The run as one line.
  package func describe(_ consumer: SessionLog.Consumer) -> String {
    func text(_ elements: [SessionLog.Timed<String>], _ end: SessionLog.Timed<SessionLog.End>?)
      -> String
    {
      (elements.map { "\($0.value)@\($0.second)" } + [
        end.map { "\($0.value)@\($0.second)" } ?? "open"
      ])
      .joined(separator: " ")
    }
    let sources = sources.map { text($0.elements, $0.end) }.joined(separator: " | ")
    let extra = [
      consumer.cancelled.map { "cancelled@\($0.second)" },
      consumer.dropped.map { "dropped@\($0.second)" },
      consumer.isWaiting ? "waits" : nil,
      consumer.afterEnd == ["nil"] || consumer.end == nil ? nil : "then \(consumer.afterEnd)",
    ]
    .compactMap { $0 }.map { " \($0)" }.joined()
    return "sources \(sources); consumer \(text(consumer.elements, consumer.end))\(extra)"
  }
}
