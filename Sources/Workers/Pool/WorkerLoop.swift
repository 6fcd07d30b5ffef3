import LibC

/// A worker in its own process: answers one request after another.
struct WorkerLoop<Request: Codable, Message: Codable> {
  let context: WorkerContext
  let captured: CapturedOutput
  let requests: Int32
  let answers: Int32
  let limits: WorkerLimits

  /// Answers requests until they end, then ends the process.
  func run(_ service: WorkerPool<Request, Message>.Service) -> Never {
    captured.redirect()
    ForkedProcess.resetSignals()
    StopSignals.leaveToParent()
    StackWatch.begin(note: context.overflowNote)
    LateWork.answer { send(.activity($0)) }
    // The pool checks the used memory; this limit catches growth that is too fast for it.
    ProcessMemory.limitData(
      toFurther: limits.memoryLimit.multipliedReportingOverflow(by: 2).partialValue
    )
    let answer = service(context)
    var received: [UInt8] = []
    while let request = next(&received) {
      let message = answer(request) { send(.news($0)) }
      _ = captured.take()
      // The next request would be blamed for the memory that earlier ones have used.
      let isWorn = context.isRetired || ProcessMemory.peakBytes > limits.memoryLimit / 2
      send(.answer(message, isWorn: isWorn))
    }
    _exit(0)
  }

  private func send(_ message: WorkerMessage<Message>) {
    // Without a reader, a signal ends the process here.
    try? Descriptor.write(MessageFrame.bytes(message), to: answers)
  }

  private func next(_ received: inout [UInt8]) -> Request? {
    while true {
      if let request = MessageFrame.take(Request.self, from: &received) { return request }
      guard let bytes = Descriptor.readChunk(requests) else { return nil }
      received += bytes
    }
  }
}
