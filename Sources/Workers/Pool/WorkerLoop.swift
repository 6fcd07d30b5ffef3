import LibC

/// A worker in its own process: answers one request after the other.
struct WorkerLoop<Request: Codable, Message: Codable> {
  let context: WorkerContext
  let captured: CapturedOutput
  let requests: Int32
  let answers: Int32
  let limits: WorkerLimits

  /// Works until the requests end, then ends the process.
  func run(_ service: WorkerPool<Request, Message>.Service) -> Never {
    captured.redirect()
    Self.resetSignals()
    StopSignals.leaveToParent()
    StackWatch.begin(note: context.overflowNote)
    // The pool checks the memory in use; this is for growth that is too quick for it.
    ProcessMemory.limitData(
      toFurther: limits.memoryLimit.multipliedReportingOverflow(by: 2).partialValue
    )
    let answer = service(context)
    var received: [UInt8] = []
    while let request = next(&received) {
      let message = answer(request) { send(.news($0)) }
      _ = captured.take()
      // The next request might be blamed for the memory that earlier ones have used.
      let isWorn = context.isRetired || ProcessMemory.peakBytes > limits.memoryLimit / 2
      send(.answer(message, isWorn: isWorn))
    }
    _exit(0)
  }

  private func send(_ message: WorkerMessage<Message>) {
    // Without a reader the process ends here, by a signal.
    try? Descriptor.write(MessageFrame.bytes(message), to: answers)
  }

  private func next(_ received: inout [UInt8]) -> Request? {
    while true {
      if let request = MessageFrame.take(Request.self, from: &received) { return request }
      guard let bytes = Descriptor.readChunk(requests) else { return nil }
      received += bytes
    }
  }

  /// Leaves crashes to the system: a back-trace with addresses is slow and differs each time.
  private static func resetSignals() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGALRM, SIGPIPE] {
      signal(number, SIG_DFL)
    }
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
    setrlimit(RLIMIT_CORE, &none)
    #endif
  }
}
