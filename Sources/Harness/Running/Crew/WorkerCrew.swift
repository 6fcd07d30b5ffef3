#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Copies of this process that answer one request after the other. One that crashes, leaves, hangs or takes too
/// much memory loses what it was about, and nothing else: for the next request another takes its place.
package final class WorkerCrew {
  /// How a member may be.
  package struct Limits: Sendable {
    /// How long a step may take, in milliseconds, as `PlayClock` counts them.
    package var timeoutInMilliseconds: Int
    /// How much memory a member may use, in bytes.
    package var memoryLimit: Int

    package init(timeoutInMilliseconds: Int = 10_000, memoryLimit: Int = 1 << 30) {
      self.timeoutInMilliseconds = timeoutInMilliseconds
      self.memoryLimit = memoryLimit
    }
  }

  /// What came of a request.
  package enum Reply {
    case answer([UInt8])
    /// The member was lost: why, and what it had written to its standard streams.
    case lost(TranscriptProblem, written: [String])
    /// The system gave no process for a member.
    case notStarted(FileProblem)
  }

  /// Begins the work of a member, in its process, and answers requests.
  package typealias Service = (CrewDesk) -> ([UInt8]) -> [UInt8]

  private let limits: Limits
  private let service: Service
  private var seats: [CrewSeat]

  /// Makes a crew; processes are started when they are first asked. Nil where the system has no memory to share,
  /// or where this process has several threads and must not be copied.
  ///
  /// - Parameters:
  ///   - count: how many at most.
  ///   - limits: for each of them.
  ///   - noteSize: how many bytes of notes a member shares.
  ///   - service: what a member does.
  package init?(
    count: Int,
    limits: Limits,
    noteSize: Int,
    service: @escaping Service
  ) {
    guard ProcessControl.isSingleThreaded else { return nil }
    self.limits = limits
    self.service = service
    seats = []
    for _ in 0..<count {
      guard let desk = CrewDesk(noteSize: noteSize) else { break }
      seats.append(CrewSeat(desk))
    }
    if seats.isEmpty { return nil }
  }

  deinit {
    for seat in seats { seat.leave() }
  }

  package var count: Int { seats.count }

  package func desk(_ seat: Int) -> CrewDesk { seats[seat].desk }

  /// Whether nobody waits for an answer from there.
  package func isIdle(_ seat: Int) -> Bool { !seats[seat].isBusy }

  /// Asks the member of an idle seat. What it answers, or that it was lost, `next` tells.
  ///
  /// - Parameters:
  ///   - seat: where it sits.
  ///   - request: what it is asked.
  ///   - timeout: how long a step may take, where that is less than usual.
  package func ask(_ seat: Int, _ request: [UInt8], withinMilliseconds timeout: Int = .max) {
    let timeout = min(timeout, limits.timeoutInMilliseconds)
    seats[seat].ask(request, limits, service, withinMilliseconds: timeout, others: seats)
  }

  /// Tells a member to answer with what it has; `forgetting` that, nobody hears the answer.
  package func stop(_ seat: Int, forgetting: Bool = false) {
    seats[seat].stop(forgetting: forgetting)
  }

  /// Waits for a reply, for so long at most.
  ///
  /// - Returns: nil where there is none.
  package func next(withinMilliseconds patience: Int) -> (seat: Int, reply: Reply)? {
    let end = ProcessControl.milliseconds + patience
    while true {
      for index in seats.indices {
        if let reply = seats[index].takeReply(limits) { return (index, reply) }
      }
      let left = end - ProcessControl.milliseconds
      guard left > 0, seats.contains(where: \.isWaited) else { return nil }
      listen(forMilliseconds: min(left, Self.tick))
    }
  }

  /// Asks, and waits for the reply.
  package func answer(to request: [UInt8]) -> Reply {
    while !isIdle(0) { _ = next(withinMilliseconds: 1_000) }
    ask(0, request)
    while true {
      if let (seat, reply) = next(withinMilliseconds: 1_000), seat == 0 { return reply }
    }
  }

  /// How often limits are looked at, in milliseconds.
  private static let tick = 20

  private func listen(forMilliseconds limit: Int) {
    var polled = seats.map { seat in
      pollfd(fd: seat.isWaited ? seat.answers : -1, events: Int16(POLLIN), revents: 0)
    }
    _ = poll(&polled, nfds_t(polled.count), Int32(limit))
  }
}
