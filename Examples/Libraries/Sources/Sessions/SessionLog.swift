import Synchronization

/// What happened in one run of a session: the elements and ends of its sources, and the elements and ends that its
/// consumer got, with the second of each.
package final class SessionLog: Sendable {
  /// An end of a sequence.
  package enum End: Sendable, Equatable {
    case finished
    case failed(String)
    /// The end that a source reports because its task was cancelled.
    case cancelled
  }

  /// A value with its second.
  package struct Timed<Value: Sendable & Equatable>: Sendable, Equatable {
    package let value: Value
    package let second: Int
    /// The position in the order of all entries of the log.
    package let position: Int
  }

  /// What a source has returned.
  package struct Source: Sendable {
    package fileprivate(set) var elements: [Timed<String>] = []
    package fileprivate(set) var end: Timed<End>?
    fileprivate(set) var isAsked = false
    fileprivate(set) var wasAskedTwice = false
    /// The seconds at which it was asked for an element.
    package fileprivate(set) var requests: [Int] = []
  }

  /// What a consumer has got.
  package struct Consumer: Sendable {
    package fileprivate(set) var elements: [Timed<String>] = []
    package fileprivate(set) var end: Timed<End>?
    /// The second at which it gave up its iterator before the end.
    package fileprivate(set) var dropped: Timed<Bool>?
    /// Results of calls after the end.
    package fileprivate(set) var afterEnd: [String] = []
    /// The seconds of its calls.
    package fileprivate(set) var calls: [Timed<Bool>] = []
    /// The cancellation, if it came before the end.
    package fileprivate(set) var cancelled: Timed<Bool>?
    package fileprivate(set) var isWaiting = false

    package var values: [String] { elements.map(\.value) }
    /// The end or the drop.
    package var last: Timed<Bool>? {
      end.map { Timed(value: true, second: $0.second, position: $0.position) } ?? dropped
    }
  }

  /// All entries.
  package struct Content: Sendable {
    package fileprivate(set) var sources: [Source]
    package fileprivate(set) var consumers: [Consumer]
    /// Notes of a harness, in order.
    package fileprivate(set) var notes: [String] = []
    fileprivate var position = 0

    fileprivate mutating func timed<Value>(_ value: Value, _ second: Int) -> Timed<Value> {
      position += 1
      return Timed(value: value, second: second, position: position)
    }
  }

  private let start = ContinuousClock.now
  private let storage: Mutex<Content>

  package init(sources: Int, consumers: Int) {
    storage = Mutex(
      Content(
        sources: Array(repeating: Source(), count: sources),
        consumers: Array(repeating: Consumer(), count: consumers)
      )
    )
  }

  package var content: Content { storage.withLock { $0 } }

  /// The virtual time since the beginning of the run.
  package var second: Int { Int((ContinuousClock.now - start).components.seconds) }

  private func change(_ body: (inout Content, Int) -> Void) {
    let second = second
    storage.withLock { body(&$0, second) }
  }

  // MARK: Sources

  func sourceIsAsked(_ source: Int) {
    change { content, second in
      if content.sources[source].isAsked { content.sources[source].wasAskedTwice = true }
      content.sources[source].isAsked = true
      content.sources[source].requests.append(second)
    }
  }

  func source(_ source: Int, returns value: String) {
    change { content, second in
      let timed = content.timed(value, second)
      content.sources[source].isAsked = false
      content.sources[source].elements.append(timed)
    }
  }

  func source(_ source: Int, ends end: End) {
    change { content, second in
      let timed = content.timed(end, second)
      content.sources[source].isAsked = false
      if content.sources[source].end == nil { content.sources[source].end = timed }
    }
  }

  // MARK: Consumers

  func consumerCalls(_ consumer: Int) {
    change { content, second in
      let timed = content.timed(true, second)
      content.consumers[consumer].calls.append(timed)
      content.consumers[consumer].isWaiting = true
    }
  }

  func consumer(_ consumer: Int, gets value: String) {
    change { content, second in
      let timed = content.timed(value, second)
      content.consumers[consumer].isWaiting = false
      content.consumers[consumer].elements.append(timed)
    }
  }

  func consumer(_ consumer: Int, ends end: End) {
    change { content, second in
      let timed = content.timed(end, second)
      content.consumers[consumer].isWaiting = false
      content.consumers[consumer].end = timed
    }
  }

  func consumer(_ consumer: Int, afterEnd result: String) {
    change { content, _ in
      content.consumers[consumer].isWaiting = false
      content.consumers[consumer].afterEnd.append(result)
    }
  }

  func consumerDrops(_ consumer: Int) {
    change { content, second in
      let timed = content.timed(true, second)
      content.consumers[consumer].dropped = timed
    }
  }

  /// Records a cancellation, unless the consumer has ended.
  package func cancels(_ consumer: Int) {
    change { content, second in
      guard content.consumers[consumer].last == nil else { return }
      let timed = content.timed(true, second)
      content.consumers[consumer].cancelled = timed
    }
  }

  /// Adds a line for a harness.
  package func note(_ text: String) { change { content, _ in content.notes.append(text) } }
}
