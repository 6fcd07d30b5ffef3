import Exploring
import Logging
import ServiceLifecycle
import Sessions
import Testing

/// `ServiceGroup`: services that end, fail, shut down or are added, a graceful shutdown and a cancellation.
@Suite struct ServiceGroupTests {
  typealias Behavior = ServiceGroupConfiguration.ServiceConfiguration.TerminationBehavior

  /// What a service does.
  struct Plan: Sendable {
    /// The second at which it ends by itself; nil if it waits for a shutdown.
    var endSecond: Int?
    var fails = false
    /// Seconds from the shutdown to its end.
    var shutdownTime = 0
    var failsAtShutdown = false
    var throwsIfCancelled = false
    /// Seconds from its cancellation to its end.
    var cancelTime = 0
    var success = Behavior.cancelGroup
    var failure = Behavior.cancelGroup

    @MainActor init(_ run: ExploredRun, _ name: String) {
      let behaviors: [Behavior] = [.cancelGroup, .gracefullyShutdownGroup, .ignore]
      endSecond = run.choose([nil, 0, 1, 2, 3], named: "end of \(name)")
      if endSecond != nil { fails = run.choose([false, true], named: "\(name) fails") }
      shutdownTime = run.choose([0, 1, 2], named: "shutdown time of \(name)")
      failsAtShutdown = run.choose([false, false, true], named: "\(name) fails at its shutdown")
      throwsIfCancelled = run.choose([false, true], named: "\(name) throws if cancelled")
      cancelTime = run.choose([0, 0, 2], named: "time of \(name) after its cancellation")
      success = run.choose(behaviors, named: "\(name) after success")
      failure = run.choose(behaviors, named: "\(name) after failure")
    }

    var isIgnored: Bool { success.description == "ignore" && failure.description == "ignore" }
  }

  /// What happened, in order.
  struct Event: Sendable, Equatable, CustomStringConvertible {
    enum Kind: Sendable { case start, shutdown, cancel, end, fail }
    var service: Int
    var kind: Kind
    var second: Int
    var description: String { "\(service):\(kind)@\(second)" }
  }

  struct TestService: Service, CustomStringConvertible {
    let index: Int
    let plan: Plan
    let log: SessionLog
    let events: Cell<[Event]>

    var description: String { "service \(index)" }

    private func note(_ kind: Event.Kind) {
      let event = Event(service: index, kind: kind, second: log.second)
      events.change { $0.append(event) }
    }

    func run() async throws {
      note(.start)
      do {
        try await withGracefulShutdownHandler {
          if let end = plan.endSecond {
            if end > log.second { try await Task.sleep(for: .seconds(end - log.second)) }
          } else {
            try await gracefulShutdown()
            if plan.shutdownTime > 0 { try await Task.sleep(for: .seconds(plan.shutdownTime)) }
          }
        } onGracefulShutdown: {
          note(.shutdown)
        }
      } catch {
        if plan.cancelTime > 0 {
          let pause = Task.detached { [plan] in try await Task.sleep(for: .seconds(plan.cancelTime))
          }
          try? await pause.value
        }
        note(.cancel)
        if plan.throwsIfCancelled { throw error }
        return
      }
      let fails = plan.endSecond == nil ? plan.failsAtShutdown : plan.fails
      note(fails ? .fail : .end)
      if fails { throw SourceError(source: "\(index)") }
    }
  }

  @MainActor static func session(_ run: ExploredRun) async -> [BrokenRule] {
    let log = SessionLog(sources: 0, consumers: 0)
    let events = Cell<[Event]>([])
    let result = Cell<(text: String, second: Int)?>(nil)
    let plans = (0..<run.choose([1, 2, 3], named: "services")).map { Plan(run, "service \($0)") }
    let added = Plan(run, "the added service")
    func configuration(_ index: Int, _ plan: Plan) -> ServiceGroupConfiguration.ServiceConfiguration
    {
      .init(
        service: TestService(index: index, plan: plan, log: log, events: events),
        successTerminationBehavior: plan.success,
        failureTerminationBehavior: plan.failure
      )
    }
    var group = ServiceGroupConfiguration(
      services: plans.enumerated().map { configuration($0, $1) },
      logger: Logger(label: "none") { _ in SwiftLogNoOpLogHandler() }
    )
    let limit = run.choose([nil, 1], named: "maximum graceful shutdown duration")
    if let limit { group.maximumGracefulShutdownDuration = .seconds(limit) }
    let serviceGroup = ServiceGroup(configuration: group)
    let task = Task.detached {
      var text = "returns"
      do { try await serviceGroup.run() } catch { text = "\(error)" }
      let end = (text, log.second)
      result.change { $0 = end }
    }
    let shutdown = run.choose([nil, 0, 1, 2], named: "second of the shutdown")
    if let shutdown {
      Task {
        try await Task.sleep(for: .seconds(shutdown))
        await serviceGroup.triggerGracefulShutdown()
      }
    }
    let addition = run.choose([nil, 0, 1, 2], named: "second of the addition")
    let additionEnd = Cell<Int?>(nil)
    if let addition {
      Task {
        try await Task.sleep(for: .seconds(addition))
        await serviceGroup.addServiceUnlessShutdown(configuration(9, added))
        additionEnd.change { $0 = log.second }
      }
    }
    let cancelSecond = run.choose([nil, nil, 0, 1, 2], named: "second of the cancellation")
    Task {
      try await Task.sleep(for: .seconds(cancelSecond ?? lastSecond))
      task.cancel()
    }
    await run.settle()
    let what =
      "\(events.value); run \(result.value.map { "\($0.text)@\($0.second)" } ?? "does not return")"
      + (shutdown.map { ", shutdown@\($0)" } ?? "")
      + (cancelSecond.map { ", cancelled@\($0)" } ?? "")
      + (addition.map { ", added@\($0)" } ?? "") + (limit.map { ", limit \($0)" } ?? "")
    run.note(what)
    func broken(_ rule: String, if condition: Bool) -> [BrokenRule] {
      condition ? [BrokenRule(rule, what)] : []
    }
    return broken(
      "addServiceUnlessShutdown() returns",
      if: addition != nil && additionEnd.value == nil
    )
      + rules(events.value, result.value, plans, added, cancelSecond: cancelSecond, broken)
  }

  static func rules(
    _ events: [Event],
    _ result: (text: String, second: Int)?,
    _ plans: [Plan],
    _ added: Plan,
    cancelSecond: Int?,
    _ broken: (String, Bool) -> [BrokenRule]
  ) -> [BrokenRule] {
    guard let result else { return broken("run() returns", true) }
    func plan(_ service: Int) -> Plan { service == 9 ? added : plans[service] }
    let ends = events.filter { [.cancel, .end, .fail].contains($0.kind) }
    let starts = events.filter { $0.kind == .start }
    let failures = events.filter { $0.kind == .fail }
    let all = starts.map(\.service)
    let isCut = cancelSecond.map { $0 <= result.second } ?? (result.second >= lastSecond)
    let shutdowns = events.filter { $0.kind == .shutdown }
    // A service that ended at an earlier second than the next shutdown.
    let overlaps = zip(shutdowns, shutdowns.dropFirst()).contains { first, second in
      !(ends.contains { $0.service == first.service && $0.second <= second.second })
    }
    let order = shutdowns.map { $0.service == 9 ? plans.count : $0.service }
    let hasFailed = failures.contains { plan($0.service).failure.description != "ignore" }
    let isIgnoring = all.allSatisfy { plan($0).isIgnored }
    return broken(
      "each service ends before run() returns",
      ends.count != starts.count || ends.contains { $0.second > result.second }
    )
      + broken(
        "cancellation ends run() when the services have ended",
        cancelSecond.map { result.second > max($0, ends.last?.second ?? 0) } ?? false
      )
      + broken("services shut down in reverse order", order != order.sorted(by: >))
      + broken(
        "a service shuts down after the end of the one before",
        // A group that is cancelled does not wait.
        overlaps && !events.contains { $0.kind == .cancel }
      )
      + broken(
        "run() throws the error of a service",
        hasFailed && !isCut && !result.text.hasPrefix("error of") && result.text == "returns"
      )
      + broken(
        "run() throws no error of a service if all services ignore",
        isIgnoring && !isCut && result.text.hasPrefix("error of")
      )
      + broken(
        "run() throws serviceFinishedUnexpectedly only for a service that cancels the group",
        result.text.contains("nexpectedly")
          && !events.contains {
            $0.kind == .end && plan($0.service).success.description == "cancelGroup"
          }
      )
      + broken(
        "an error is that of a service",
        result.text.hasPrefix("error of") && failures.isEmpty
      )
  }

  @Test func group() async throws {
    try await search(
      "ServiceGroup",
      known: [
        "run() throws serviceFinishedUnexpectedly only for a service that cancels the group",
        "run() throws the error of a service",
      ],
      sessions: max(10_000, sessionCount)
    ) { run in await Self.session(run) }
  }
}
