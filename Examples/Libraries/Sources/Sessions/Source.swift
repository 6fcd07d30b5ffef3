import Synchronization

/// The plan of a source: when it returns which elements, and how it ends.
package struct SourcePlan: Sendable {
  package enum End: Sendable { case finish, fail, never }
  package enum Kind: Sendable {
    /// Counts its delays from each request.
    case pulled
    /// An `AsyncThrowingStream` that gets its elements at fixed seconds, whether somebody asks or not.
    case pushed
  }

  package var name: String
  package var kind = Kind.pulled
  /// The delay before each element, in seconds. 0 does not suspend.
  package var delays: [Int]
  package var end = End.finish
  package var endDelay = 0
  /// Whether a cancelled request throws `CancellationError` in place of returning nil.
  package var throwsIfCancelled = false

  package init(name: String, delays: [Int]) {
    self.name = name
    self.delays = delays
  }
}

/// The error of a source.
package struct SourceError: Error, Equatable, CustomStringConvertible {
  package let source: String
  package init(source: String) { self.source = source }
  package var description: String { "error of \(source)" }
}

/// A source of a session: an asynchronous sequence that follows a plan and records what it returns.
package struct Source: AsyncSequence, Sendable {
  package typealias Element = String
  package typealias Failure = any Error

  package let plan: SourcePlan
  let index: Int
  let log: SessionLog

  package init(_ plan: SourcePlan, index: Int, log: SessionLog) {
    self.plan = plan
    self.index = index
    self.log = log
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(source: self, pushed: plan.kind == .pushed ? pushed().makeAsyncIterator() : nil)
  }

  private func pushed() -> AsyncThrowingStream<String, any Error> {
    let (stream, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
    let plan = plan
    let producer = Task {
      for (number, delay) in plan.delays.enumerated() {
        if delay > 0 { try await Task.sleep(for: .seconds(delay)) }
        continuation.yield("\(plan.name)\(number + 1)")
      }
      if plan.endDelay > 0 { try await Task.sleep(for: .seconds(plan.endDelay)) }
      switch plan.end {
      case .finish: continuation.finish()
      case .fail: continuation.finish(throwing: SourceError(source: plan.name))
      case .never: break
      }
    }
    // The stream keeps its continuation, so a source that never ends stays open.
    continuation.onTermination = { _ in producer.cancel() }
    return stream
  }

  package struct Iterator: AsyncIteratorProtocol {
    let source: Source
    var pushed: AsyncThrowingStream<String, any Error>.Iterator?
    private var returned = 0
    private var hasEnded = false

    init(source: Source, pushed: AsyncThrowingStream<String, any Error>.Iterator?) {
      self.source = source
      self.pushed = pushed
    }

    package mutating func next() async throws -> String? {
      if hasEnded { return nil }
      source.log.sourceIsAsked(source.index)
      do {
        guard let value = try await pushed == nil ? pull() : pushed?.next() else {
          hasEnded = true
          let isCancelled = Task.isCancelled
          source.log.source(source.index, ends: isCancelled ? .cancelled : .finished)
          return nil
        }
        source.log.source(source.index, returns: value)
        return value
      } catch {
        hasEnded = true
        let isOwn = error is SourceError
        source.log.source(source.index, ends: isOwn ? .failed("\(error)") : .cancelled)
        throw error
      }
    }

    private mutating func pull() async throws -> String? {
      let plan = source.plan
      let isElement = returned < plan.delays.count
      let isEndless = !isElement && plan.end == .never
      let delay = isElement ? plan.delays[returned] : isEndless ? 100_000 : plan.endDelay
      if delay > 0 {
        do {
          try await Task.sleep(for: .seconds(delay))
        } catch {
          if plan.throwsIfCancelled { throw error }
          return nil
        }
      }
      if isElement {
        returned += 1
        return "\(plan.name)\(returned)"
      }
      if plan.end == .fail { throw SourceError(source: plan.name) }
      return nil
    }
  }
}
