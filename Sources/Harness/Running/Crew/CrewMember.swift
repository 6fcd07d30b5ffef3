#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The life of a member of a crew: answers one request after the other.
struct CrewMember {
  private let desk: CrewDesk
  private let captured: CapturedOutput
  private let requests: Int32
  private let answers: Int32
  private let limits: WorkerCrew.Limits

  init(
    _ desk: CrewDesk,
    _ captured: CapturedOutput,
    requests: Int32,
    answers: Int32,
    _ limits: WorkerCrew.Limits
  ) {
    self.desk = desk
    self.captured = captured
    self.requests = requests
    self.answers = answers
    self.limits = limits
  }

  /// Works until nobody asks any more, then ends the process.
  func work(_ service: WorkerCrew.Service) -> Never {
    captured.redirect()
    Worker.dieQuietly()
    StopSignals.leaveToRunner()
    StackWatch.begin(note: desk.overflowNote)
    ProcessMemory.limitData(
      toFurther: limits.memoryLimit.multipliedReportingOverflow(by: 2).partialValue
    )
    let answer = service(desk.seen(with: captured))
    var received: [UInt8] = []
    while let request = next(&received) {
      let bytes = answer(request)
      _ = captured.take()
      let isWorn = ProcessMemory.peakBytes > limits.memoryLimit / 2
      // Without a reader the process ends here, by a signal.
      try? FileBytes.write(CrewFrame.bytes(bytes + [isWorn ? 1 : 0]), to: self.answers)
    }
    _exit(0)
  }

  private func next(_ received: inout [UInt8]) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      if let request = CrewFrame.take(from: &received) { return request }
      let count = FileBytes.read(requests, &chunk, chunk.count)
      guard count > 0 else { return nil }
      received += chunk[..<count]
    }
  }
}

/// Bytes with their number in front.
package enum CrewFrame {
  package static func bytes(_ content: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: Int64(content.count)) { Array($0) } + content
  }

  /// Takes the first frame, once all of it is there.
  package static func take(from bytes: inout [UInt8]) -> [UInt8]? {
    guard bytes.count >= 8 else { return nil }
    let count = Int(bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
    guard bytes.count >= 8 + count else { return nil }
    defer { bytes.removeFirst(8 + count) }
    return Array(bytes[8..<8 + count])
  }
}
