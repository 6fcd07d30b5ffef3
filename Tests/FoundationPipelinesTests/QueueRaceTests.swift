#if os(Linux)
import Exploring
import Foundation
import FoundationPipelines
import Synchronization
import Testing

/// Searches over the orders of pipelines on queues.
@MainActor @Suite struct QueueRaceTests {
  /// A balance that two pipelines change. All code of a stage runs on one thread.
  private final class Account: @unchecked Sendable {
    var balance = 100
    var subscriptions: [AnyCancellable] = []
  }

  @Sendable private static func draw(
    _ run: ExploredRun,
    reading: DispatchQueue,
    writing: DispatchQueue
  ) async {
    let account = Account()
    let group = DispatchGroup()
    for _ in 0..<2 {
      group.enter()
      Just(10)
        .receive(on: reading)
        .map { account.balance - $0 }
        .receive(on: writing)
        .sink(
          receiveCompletion: { _ in group.leave() },
          receiveValue: { account.balance = $0 }
        )
        .store(in: &account.subscriptions)
    }
    await withCheckedContinuation { continuation in
      group.notify(queue: .main) { continuation.resume() }
    }
    run.check(account.balance == 80, "both are drawn")
  }

  @Test func `two pipelines on a global queue lose an update, and the schedule replays it`() throws
  {
    @Sendable func draw(_ run: ExploredRun) async {
      await Self.draw(run, reading: .global(), writing: .global())
    }
    let findings = Exploration.explore(.init(.exhaustive)) { run in await draw(run) }

    let failure = try #require(findings.failures.first)
    #expect(failure.rule == "both are drawn")
    #expect(findings.outside == [])
    let outcome = Exploration.replay(failure.schedule) { run in await draw(run) }
    #expect(outcome.failure?.rule == "both are drawn")
  }

  @Test func `two pipelines on two queues arrive in either order`() throws {
    let lasts = Mutex<Set<String>>([])
    let findings = Exploration.explore(.init(.exhaustive)) { _ in
      let shown = Shown()
      let group = DispatchGroup()
      for (name, queue) in [("one", DispatchQueue(label: "one")), ("two", .init(label: "two"))] {
        group.enter()
        Just(name)
          .receive(on: queue)
          .sink(
            receiveCompletion: { _ in group.leave() },
            receiveValue: { shown.text = $0 }
          )
          .store(in: &shown.subscriptions)
      }
      await withCheckedContinuation { continuation in
        group.notify(queue: .main) { continuation.resume() }
      }
      lasts.withLock { _ = $0.insert(shown.text) }
    }

    #expect(findings.failures.map(\.rule) == [])
    #expect(findings.end == .complete)
    #expect(lasts.withLock(\.self) == ["one", "two"])
  }

  /// The text on a screen. All code of a stage runs on one thread.
  private final class Shown: @unchecked Sendable {
    var text = ""
    var subscriptions: Set<AnyCancellable> = []
  }
}
#endif
