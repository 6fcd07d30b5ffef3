import Staging
import Synchronization

/// A sequence of elements that tasks send to other tasks, with a buffer of a fixed size.
///
///     let jobs = BoundedChannel<Int>("jobs")
///     Task {
///       try await jobs.send(1)
///       jobs.finish()
///     }
///     for await job in jobs { … }
///
/// With a capacity of 0, `send` waits until a task receives the element (*rendezvous*). With a capacity of n, it waits only
/// while the buffer has n elements. Elements arrive in the order of the calls of `send`. If several tasks iterate over one
/// channel, each element goes to one of them: to the task that has waited longest.
///
/// On the stage, each `send` and each request for an element is a scheduling point, so a search tries other tasks before it.
/// Elsewhere the channel works in real time. If nothing is left to do, a failure names the channel and the tasks that wait.
public final class BoundedChannel<Element: Sendable>: AsyncSequence, Sendable {
  /// The sequence throws no error.
  public typealias Failure = Never

  private struct Sender: Sendable {
    let element: Element
    let suspension = Suspension<Void>()
  }

  //     Tasks wait to receive only if the buffer is empty and no task waits to send.
  //     Tasks wait to send only if the buffer is full and no task waits to receive.
  private struct State {
    var buffer: [Element] = []
    var senders: [Sender] = []
    var receivers: [Suspension<Element?>] = []
    var isFinished = false
  }

  private let state = Mutex(State())
  private let gate = Gate()
  private let capacity: Int
  private let name: String

  /// Creates a channel without elements.
  ///
  /// - Parameters:
  ///   - name: the name in reports; nil to name the line of the call.
  ///   - capacity: the number of elements that `send` may leave in the channel without waiting.
  ///   - fileID: the file of the call.
  ///   - line: the line of the call.
  /// - Precondition: `capacity` is not negative.
  public init(
    _ name: String? = nil,
    capacity: Int = 0,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    precondition(
      capacity >= 0,
      "The capacity of a BoundedChannel is \(capacity), but it is at least 0."
    )
    self.capacity = capacity
    self.name = reportedName("BoundedChannel", name, fileID, line)
  }

  // MARK: Sending

  /// Sends an element, and waits until a task has received it or the buffer has a place for it.
  ///
  /// If the task is cancelled before that, the element is not sent.
  ///
  /// - Parameter element: the element.
  /// - Throws: `ChannelFinished` if `finish` was called before; `CancellationError` if the task is cancelled before the
  ///   element is received or in the buffer.
  public func send(_ element: Element) async throws {
    try Task.checkCancellation()
    guard let sender = try await gate.enter({ self.offer(element) }).get() else { return }
    do {
      try await sender.suspension.value {
        NamedWait("a task that receives from \(self.name)")
      }
    } catch {
      state.withLock { $0.senders.removeAll { $0.suspension === sender.suspension } }
      throw error
    }
  }

  /// Passes on an element if possible; otherwise returns how its sender waits.
  private func offer(_ element: Element) -> Result<Sender?, ChannelFinished> {
    state.withLock { state in
      if state.isFinished { return .failure(ChannelFinished()) }
      while !state.receivers.isEmpty {
        if state.receivers.removeFirst().end(.success(element)) { return .success(nil) }
      }
      if state.buffer.count < capacity {
        state.buffer.append(element)
        return .success(nil)
      }
      let sender = Sender(element: element)
      state.senders.append(sender)
      return .success(sender)
    }
  }

  /// Ends the sequence after the elements in the buffer and those of tasks that wait in `send`. Later calls of `send` throw
  /// `ChannelFinished`. A second call does nothing.
  public func finish() {
    Stage.noteSharedEffect()
    state.withLock { state in
      state.isFinished = true
      for receiver in state.receivers { _ = receiver.end(.success(nil)) }
      state.receivers = []
    }
  }

  // MARK: Receiving

  /// Receives the elements of a channel.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let channel: BoundedChannel

    /// Waits for the next element.
    ///
    /// - Returns: the element; nil if the channel is finished and has no element, or if the task is cancelled.
    public mutating func next() async -> Element? { await channel.receive() }

    /// Waits for the next element.
    ///
    /// - Parameter actor: the isolation of the caller.
    /// - Returns: the element; nil if the channel is finished and has no element, or if the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await channel.receive()
    }
  }

  /// Returns an iterator. Several iterators of one channel share its elements.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(channel: self) }

  private func receive() async -> Element? {
    if Task.isCancelled { return nil }
    switch await gate.enter({ self.take() }) {
    case .element(let element): return element
    case .waiting(let receiver):
      do {
        return try await receiver.value { NamedWait("an element of \(self.name)") }
      } catch {
        state.withLock { $0.receivers.removeAll { $0 === receiver } }
        return nil
      }
    }
  }

  private enum Received: Sendable {
    case element(Element?)
    case waiting(Suspension<Element?>)
  }

  /// Takes the next element if there is one, or nil if there will be none; otherwise returns how the task waits.
  private func take() -> Received {
    state.withLock { state in
      if !state.buffer.isEmpty {
        let element = state.buffer.removeFirst()
        if let next = Self.takeSent(&state) { state.buffer.append(next) }
        return .element(element)
      }
      if let sent = Self.takeSent(&state) { return .element(sent) }
      if state.isFinished { return .element(nil) }
      let receiver = Suspension<Element?>()
      state.receivers.append(receiver)
      return .waiting(receiver)
    }
  }

  /// Takes the element of the first task that waits in `send` and is not cancelled, and resumes the task.
  private static func takeSent(_ state: inout State) -> Element? {
    while !state.senders.isEmpty {
      let sender = state.senders.removeFirst()
      if sender.suspension.end(.success(())) { return sender.element }
    }
    return nil
  }
}

/// The error of `BoundedChannel.send` after `finish`.
public struct ChannelFinished: Error, Equatable, CustomStringConvertible {
  /// Creates the error.
  public init() {}

  /// What is wrong.
  public var description: String { "the channel is finished, so it takes no more elements" }
}
