import HTTPTypes
import RemoteLoading
import Staging
import Synchronization

/// A transport with scripted answers, in a stage's time.
final class ScriptedTransport: HTTPTransport {
  /// One answer: its head after a delay, then the pieces of its body, each after another delay.
  struct Answer: Sendable {
    var delay = Duration.milliseconds(100)
    var status = 200
    var fields: HTTPFields = [:]
    var body: [UInt8] = []
    var pieces = 1
    var gap = Duration.zero
    var saysLength = true
    var error: (any Error)?
  }

  private struct Log {
    var requests: [RemoteRequest] = []
    var cancelled: [Int] = []
  }

  private let clock: StageClock
  private let answer: @Sendable (RemoteRequest, _ count: Int) -> Answer
  private let log = Mutex(Log())

  init(on stage: Stage, _ answer: @escaping @Sendable (RemoteRequest, Int) -> Answer) {
    clock = stage.clock
    self.answer = answer
  }

  var requests: [RemoteRequest] { log.withLock { $0.requests } }
  /// The times of cancelled requests, in milliseconds.
  var cancelled: [Int] { log.withLock { $0.cancelled } }

  func send(
    _ request: RemoteRequest,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    let count = log.withLock {
      $0.requests.append(request)
      return $0.requests.count
    }
    let answer = answer(request, count)
    do {
      try await clock.sleep(for: answer.delay)
      if let error = answer.error { throw error }
      try await deliver(answer, progress)
    } catch let error as CancellationError {
      log.withLock { $0.cancelled.append(Int(clock.now.elapsed / .milliseconds(1))) }
      throw error
    }
    let head = HTTPResponse(status: .init(code: answer.status), headerFields: answer.fields)
    return RemoteResponse(head, body: answer.body)
  }

  private func deliver(_ answer: Answer, _ progress: (TransferProgress) -> Void) async throws {
    let count = answer.body.count
    let expected = answer.saysLength ? count : nil
    for piece in 0...answer.pieces {
      if piece > 0 { try await clock.sleep(for: answer.gap) }
      let received = count * piece / answer.pieces
      progress(TransferProgress(received: received, expected: expected, status: answer.status))
    }
  }
}

extension ScriptedTransport.Answer {
  static func json(_ text: String) -> Self { Self(body: Array(text.utf8)) }
  static func status(_ status: Int) -> Self { Self(status: status) }
  static func failing(_ error: any Error) -> Self { Self(error: error) }
  static func redirect(_ status: Int = 302, to place: String) -> Self {
    Self(status: status, fields: [.location: place], body: Array("moved".utf8))
  }
}

/// Runs `body` on its own stage until no work is left.
func onStage(_ body: @escaping @MainActor (Stage) async -> Void) {
  let stage = Stage()
  do {
    try stage.run { @MainActor [stage] in await body(stage) }
  } catch {
    preconditionFailure("\(error)")
  }
}
