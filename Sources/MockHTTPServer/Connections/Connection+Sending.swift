import HTTPTypes
import MockHTTP

/// Sends an answer on a socket: head, pieces of the body, endings such as a reset, and simulated faults.
extension Connection {
  /// Sends the answer from its first byte.
  func send(_ answer: ServedAnswer) {
    switch answer.reply {
    case .response(let response): send(response, as: answer)
    case .fault(let fault): commit(fault, as: answer)
    case nil: preconditionFailure("An answer must be known before it is sent.")
    }
  }

  private func send(_ response: Reply.Response, as answer: ServedAnswer) {
    let request = answer.request ?? .unreadable
    let head = ResponseHead(response, to: request)
    answer.begin(head, of: response)
    sayBegun(answer)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512 + min(head.bodyEnd, 4_096))
    head.write(response.head, to: request, into: &bytes)
    continueBody(of: response, as: answer, after: bytes)
  }

  /// Sends the due part of the body and schedules the rest.
  private func continueBody(
    of response: Reply.Response,
    as answer: ServedAnswer,
    after bytes: [UInt8] = []
  ) {
    var bytes = bytes
    switch answer.plan.next(elapsed: answer.headTime.duration(to: .now)) {
    case .send(let range):
      append(response.body[range], of: response, as: answer, to: &bytes)
      write(bytes, as: answer) { connection in
        answer.bytesSent = range.upperBound
        connection.continueBody(of: response, as: answer)
      }
    case .wait(let time):
      if !bytes.isEmpty { write(bytes, as: answer) { _ in } }
      wait(answer, until: answer.headTime + time) { $0.continueBody(of: response, as: answer) }
    case .done:
      if bytes.isEmpty { return end(response, as: answer) }
      if answer.plan.offset == 0 { appendEnd(of: response, as: answer, to: &bytes) }
      write(bytes, as: answer) { $0.end(response, as: answer) }
    }
  }

  private func append(
    _ slice: ArraySlice<UInt8>,
    of response: Reply.Response,
    as answer: ServedAnswer,
    to bytes: inout [UInt8]
  ) {
    guard answer.framing == .chunked else {
      bytes += slice
      return
    }
    bytes += "\(String(slice.count, radix: 16))\r\n".utf8
    bytes += slice
    bytes += "\r\n".utf8
    if answer.plan.isDone { appendEnd(of: response, as: answer, to: &bytes) }
  }

  private func appendEnd(
    of response: Reply.Response,
    as answer: ServedAnswer,
    to bytes: inout [UInt8]
  ) {
    let isHead = answer.request?.isHead ?? false
    if answer.framing == .chunked, response.ending == .complete, !isHead {
      bytes += "0\r\n\r\n".utf8
    }
  }

  /// Ends a response after the system has accepted all its bytes.
  private func end(_ response: Reply.Response, as answer: ServedAnswer) {
    switch response.ending {
    case .complete, .claiming, .closed: end(answer, isGone ? .cancelled : response.fate)
    case .silent: stay(answer)
    case .reset: resetWhenSent(answer)
    }
  }

  private func end(_ answer: ServedAnswer, _ fate: RequestLog.Fate) {
    finish(answer, fate)
    if answer.keepsAlive {
      advance()
    } else {
      leave()
    }
  }

  /// Whether a client that had ended its side has reset the connection since.
  private var isGone: Bool { inputEnd != nil && socket.isReset }

  // MARK: Faults

  /// Simulates a fault. A listening socket cannot refuse a single connection, nor fail to be
  /// secure, so these faults become a reset.
  private func commit(_ fault: Fault, as answer: ServedAnswer) {
    switch fault {
    case .refused, .reset, .tls:
      finish(answer, .failed)
      reset()
    case .empty:
      finish(answer, .failed)
      leave()
    case .garbage:
      sayBegun(answer)
      write(Self.garbage, as: answer) { $0.end(answer, .failed) }
    case .never: stay(answer)
    }
  }

  /// Bytes that are neither a status line, nor text, nor the beginning of a TLS record.
  static let garbage: [UInt8] = [0x00, 0xFF, 0x7B, 0x13, 0x37] + Array("garbage\r\n\r\n".utf8)

  /// Sends nothing more, and keeps the connection open until the client closes it.
  private func stay(_ answer: ServedAnswer) {
    answer.isSilent = true
    if inputEnd != nil { close() }
  }

  /// Resets after all bytes have left, because a reset discards unsent bytes.
  private func resetWhenSent(_ answer: ServedAnswer) {
    answer.isDraining = socket.unsentCount > 0
    if answer.isDraining {
      wait(answer, until: .now + .milliseconds(1)) { $0.resetWhenSent(answer) }
    } else {
      finish(answer, .failed)
      reset()
    }
  }

  // MARK: Bytes

  private func sayBegun(_ answer: ServedAnswer) {
    if let exchange = answer.exchange, case .routes(let server) = service.source {
      server.begin(exchange, at: service.now())
    }
  }

  /// Writes, and calls `next` when the system has accepted all bytes, unless the answer ends
  /// before.
  private func write(
    _ bytes: [UInt8],
    as answer: ServedAnswer,
    _ next: @escaping (Connection) -> Void
  ) {
    write(bytes) { if $0.answer === answer { next($0) } }
  }
}
