import DequeModule
import NIOCore
import RehearsalTesting
import Sessions
import Testing

/// Shrunk violations of swift-nio, in virtual time.
@Suite(.rehearsed) struct NIOScenarios {
  struct Delegate: NIOAsyncSequenceProducerDelegate, NIOAsyncWriterSinkDelegate {
    let terminations = Cell(0)
    func produceMore() {}
    func didTerminate() { terminations.change { $0 += 1 } }
    func didTerminate(error: (any Error)?) { terminations.change { $0 += 1 } }
    func didYield(contentsOf sequence: Deque<Int>) {}
  }

  typealias Writer = NIOAsyncWriter<Int, Delegate>

  let delegate = Delegate()

  @Test func `a producer does not call didTerminate`() async throws {
    typealias Watermark = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark
    let new = NIOAsyncSequenceProducer.makeSequence(
      elementType: Int.self,
      backPressureStrategy: Watermark(lowWatermark: 1, highWatermark: 2),
      finishOnDeinit: true,
      delegate: delegate
    )
    let task = Task { [sequence = new.sequence] in
      withUnsafeCurrentTask { $0?.cancel() }
      for await _ in sequence {}
    }
    await task.value
    withKnownIssue { #expect(delegate.terminations.value == 1) }
  }

  @Test func `a writer does not call didTerminate`() async throws {
    let new = Writer.makeWriter(isWritable: false, finishOnDeinit: true, delegate: delegate)
    let task = Task { [writer = new.writer] in try? await writer.yield(1) }
    try await Task.sleep(for: .milliseconds(50))
    new.writer.finish()
    task.cancel()
    await task.value
    new.sink.setWritability(to: true)
    withKnownIssue { #expect(delegate.terminations.value == 1) }
  }

  @Test func `finish does not resume a waiting yield`() async throws {
    let new = Writer.makeWriter(isWritable: false, finishOnDeinit: true, delegate: delegate)
    let isOver = Cell(false)
    Task { [writer = new.writer] in
      try? await writer.yield(1)
      isOver.change { $0 = true }
    }
    try await Task.sleep(for: .milliseconds(50))
    new.writer.finish()
    try await Task.sleep(for: .milliseconds(50))
    withKnownIssue { #expect(isOver.value) }
    new.sink.setWritability(to: true)
  }
}
