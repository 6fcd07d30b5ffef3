import AsyncAlgorithms
import Exploring
import Sessions
import Testing

/// `AsyncChannel` and `AsyncThrowingChannel`: two senders, two consumers, and an end.
@Suite struct ChannelTests {
  /// Both types of channel.
  struct Channel: Sendable {
    let sequence: any AsyncSequence<String, any Error> & Sendable
    let send: @Sendable (String) async -> Void
    let finish: @Sendable () -> Void
    let fail: @Sendable () -> Void

    static func plain() -> Channel {
      let channel = AsyncChannel<String>()
      return Channel(
        sequence: texts(channel) { $0 },
        send: channel.send,
        finish: channel.finish,
        fail: channel.finish
      )
    }

    static func throwing() -> Channel {
      let channel = AsyncThrowingChannel<String, any Error>()
      return Channel(
        sequence: channel,
        send: channel.send,
        finish: channel.finish,
        fail: { channel.fail(SourceError(source: "channel")) }
      )
    }
  }

  /// What a sender has done.
  struct Sent: Sendable {
    var value: String
    var start: Int
    var end: Int?
  }

  @MainActor static func session(_ run: ExploredRun, _ channel: Channel) async -> [BrokenRule] {
    let log = SessionLog(sources: 0, consumers: 2)
    let sent = Cell<[Sent]>([])
    let ended = Cell<Int?>(nil)
    let cancelled = Cell<[Int?]>([nil, nil])
    // The senders.
    for sender in 0...1 {
      let name = ["a", "b"][sender]
      let count = run.choose([1, 2, 0, 3], named: "elements of \(name)")
      let pauses = (0..<count).map {
        run.choose([0, 1, 2], named: "pause before \(name)\($0 + 1)")
      }
      let cancelSecond = run.choose(
        [nil, nil, 0, 1, 2, 3],
        named: "cancellation of sender \(name)"
      )
      let task = Task.detached {
        for (number, pause) in pauses.enumerated() {
          if pause > 0 { try? await Task.sleep(for: .seconds(pause)) }
          let value = "\(name)\(number + 1)"
          let place = sent.change { list -> Int in
            list.append(Sent(value: value, start: log.second))
            return list.count - 1
          }
          await channel.send(value)
          sent.change { $0[place].end = log.second }
        }
      }
      cancel(task, at: cancelSecond) { cancelled.change { $0[sender] = log.second } }
    }
    // The consumers.
    let plans = (1...2).map { ConsumerPlan(run, SessionShape(), number: $0) }
    start(plans, log, channel.sequence)
    // The end.
    let endSecond = run.choose([nil, 0, 1, 2, 4], named: "second of the end")
    let fails = run.choose([false, true], named: "the end is an error")
    Task {
      try await Task.sleep(for: .seconds(endSecond ?? 50))
      ended.change { $0 = log.second }
      if fails { channel.fail() } else { channel.finish() }
    }
    await run.settle()
    for consumer in log.content.consumers { run.note(log.content.describe(consumer)) }
    return rules(log.content, sent.value, ended.value ?? 0, cancelled.value)
  }

  @MainActor static func cancel<Success>(
    _ task: Task<Success, Never>,
    at second: Int?,
    _ note: @escaping @Sendable () -> Void
  ) {
    guard let second else { return }
    Task {
      try await Task.sleep(for: .seconds(second))
      note()
      task.cancel()
    }
  }

  static func rules(
    _ content: SessionLog.Content,
    _ sent: [Sent],
    _ ended: Int,
    _ cancelled: [Int?]
  ) -> [BrokenRule] {
    let what =
      "sent \(sent.map { "\($0.value)@\($0.start)–\($0.end.map(String.init) ?? "")" }); ended@\(ended); "
      + content.consumers.map { content.describe($0) }.joined(separator: "; ")
    func broken(_ rule: String, if condition: Bool) -> [BrokenRule] {
      condition ? [BrokenRule(rule, what)] : []
    }
    // A cancelled consumer that calls again can get an element after its nil.
    let late = content.consumers.flatMap(\.afterEnd).filter { $0.hasPrefix("element ") }
    let got = content.consumers.flatMap(\.values) + late.map { String($0.dropFirst(8)) }
    return content.brokenRules
      + broken("an element is delivered once", if: Set(got).count < got.count)
      + broken("an element was sent", if: !Set(got).isSubset(of: sent.map(\.value)))
      + broken("send() returns", if: sent.contains { $0.end == nil })
      + broken(
        "finish() ends send() at its instant",
        if: sent.contains { ($0.end ?? 0) > max(ended, $0.start) }
      )
      + broken(
        "cancellation ends send() at its instant",
        if: sent.contains {
          let sender = $0.value.hasPrefix("a") ? 0 : 1
          guard let second = cancelled[sender] else { return false }
          return ($0.end ?? 0) > max(second, $0.start)
        }
      )
      + broken(
        "an element whose send() has returned was delivered",
        if: sent.contains { element in
          // A cancellation or the end also ends it.
          let sender = element.value.hasPrefix("a") ? 0 : 1
          let isCut = (element.end ?? 0) >= min(ended, cancelled[sender] ?? .max)
          // A consumer that is cancelled, or that drops its iterator, has got its elements before.
          return !isCut && !got.contains(element.value)
        }
      )
      + content.consumers.flatMap { consumer in
        ["a", "b"].flatMap { name in
          let own = consumer.values.filter { $0.hasPrefix(name) }
          return broken("elements of a sender come in their order", if: own != own.sorted())
        }
      }
      + broken(
        "finish() ends next() at its instant",
        if: content.consumers.contains {
          $0.isWaiting || ($0.end?.second ?? 0) > max(ended, $0.calls.last?.second ?? 0)
        }
      )
  }

  static let known = ["after its end, next() returns nil"]

  @Test func channel() async throws {
    try await search("AsyncChannel", known: Self.known) { run in await Self.session(run, .plain()) }
  }

  @Test func throwingChannel() async throws {
    try await search("AsyncThrowingChannel", known: Self.known) { run in
      await Self.session(run, .throwing())
    }
  }
}
