/// The plan of a consumer: how long it pauses between elements, how many it takes, and when it is cancelled.
package struct ConsumerPlan: Sendable {
  /// The pauses before the calls of `next()`, in seconds, in turn.
  package var pauses: [Int] = [0]
  /// The number of elements after which it drops its iterator; nil for all.
  package var takes: Int?
  /// The second of its cancellation; nil for none before the end of the session.
  package var cancelSecond: Int?
  /// Whether it keeps the sequence while it iterates.
  package var keepsSequence = true

  package init() {}
}

/// Iterates a sequence by a plan, and records what it gets.
struct Consumer: Sendable {
  let plan: ConsumerPlan
  let index: Int
  let log: SessionLog

  /// Iterates the sequence in the box. The box is the only owner of the sequence.
  func consume(_ box: SequenceBox) async {
    let dropped = await iterate(box)
    box.sequence = nil
    if dropped { log.consumerDrops(index) }
  }

  /// - Returns: whether it dropped the iterator before the end.
  private func iterate(_ box: SequenceBox) async -> Bool {
    guard var iterator = box.makeIterator() else { return false }
    if !plan.keepsSequence { box.sequence = nil }
    var count = 0
    while true {
      if count == plan.takes { return true }
      let pause = plan.pauses[count % plan.pauses.count]
      if pause > 0 { try? await Task.sleep(for: .seconds(pause)) }
      log.consumerCalls(index)
      do {
        guard let value = try await iterator.next() as? String else {
          log.consumer(index, ends: .finished)
          break
        }
        log.consumer(index, gets: value)
        count += 1
      } catch {
        log.consumer(index, ends: error is SourceError ? .failed("\(error)") : .cancelled)
        break
      }
    }
    do {
      let result = try await iterator.next() as? String
      log.consumer(index, afterEnd: result.map { "element \($0)" } ?? "nil")
    } catch {
      log.consumer(index, afterEnd: "\(error)")
    }
    return false
  }
}

/// Owns a sequence, so that a consumer can give it up while it iterates. Only the task of the consumer uses it.
final class SequenceBox: @unchecked Sendable {
  var sequence: (any AsyncSequence<String, any Error> & Sendable)?

  init(_ sequence: any AsyncSequence<String, any Error> & Sendable) { self.sequence = sequence }

  func makeIterator() -> (any AsyncIteratorProtocol)? { sequence?.makeAsyncIterator() }
}
