import LibC
import MockHTTP

/// A connection that reads requests and answers them one after the other, in order.
///
/// Only its loop's thread uses it; other threads call `EventLoop.execute`.
final class Connection: SocketHandler, @unchecked Sendable {
  let service: Service
  let loop: EventLoop
  let socket: SystemSocket
  var answer: ServedAnswer?
  private var parser: RequestParser
  private var waiting: [Item] = []
  private var output = Output()
  /// Whether input is ignored, because it was refused or this side has ended the connection.
  private var ignoresInput = false
  /// The time at which the client ended its side, in the log's time and in real time. Earlier bytes
  /// may still be unread.
  private(set) var inputEnd: (logged: Duration, real: ContinuousClock.Instant)?
  /// Whether all input of the client has been read.
  private var isInputRead = false
  /// Whether this side has ended the connection and waits for the client to do the same.
  private var isLeaving = false
  private var isAdvancing = false
  private(set) var isClosed = false
  private var lastActivity = ContinuousClock.now
  private var timer: LoopTimer?
  private var peerTimer: LoopTimer?

  private enum Item {
    case request(ReceivedRequest)
    case refusal(Refusal, of: (method: String, path: String)?)
  }

  /// Bytes that the system has not accepted yet, with an action to run afterwards.
  private struct Output {
    var bytes: [UInt8] = []
    var start = 0
    var next: ((Connection) -> Void)?
    var isPumping = false

    var isEmpty: Bool { start == bytes.count }
  }

  /// The maximum number of waiting requests; reading pauses beyond it.
  private static let waitingLimit = 16

  init(_ socket: SystemSocket, _ service: Service, _ loop: EventLoop) {
    self.socket = socket
    self.service = service
    self.loop = loop
    parser = RequestParser(service)
  }

  /// Starts reading, or closes the connection if there are too many.
  func open() {
    loop.watch(socket.descriptor, for: .readable, self)
    guard service.addConnection() else { return close() }
    watchIdleness(for: service.options.idleTimeout)
  }

  // MARK: Events

  func handle(_ events: SocketEvents) {
    guard !isClosed else { return }
    if events.contains(.writable) { pump() }
    if isReading, !events.isDisjoint(with: [.readable, .failed]) {
      read()
    } else if !events.isDisjoint(with: .failed) {
      close()
    } else if !events.isDisjoint(with: .inputEnded) {
      noteInputEnd()
    }
    updateEvents()
  }

  private var isReading: Bool {
    !isClosed && !isInputRead
      && (isLeaving || !ignoresInput && waiting.count < Self.waitingLimit)
  }

  private func updateEvents() {
    guard !isClosed else { return }
    var events: SocketEvents = isReading ? .readable : []
    if !isReading, inputEnd == nil { events.formUnion(.inputEnded) }
    if !output.isEmpty { events.insert(.writable) }
    loop.setEvents(events, of: socket.descriptor)
  }

  private func read() {
    do throws(SystemError) {
      let count = try socket.receive(into: loop.buffer)
      guard count > 0 else { return endInput() }
      guard !ignoresInput else { return }
      touch()
      parser.append(UnsafeRawBufferPointer(rebasing: loop.buffer[..<count]))
      parse()
      advance()
    } catch {
      if !error.isWouldBlock { close() }
    }
  }

  private func parse() {
    while !ignoresInput, waiting.count < Self.waitingLimit {
      do throws(Refusal) {
        guard let request = try parser.next() else { return }
        waiting.append(.request(request))
      } catch {
        refuse(error)
      }
    }
  }

  /// Queues an error response and stops reading.
  private func refuse(_ refusal: Refusal) {
    ignoresInput = true
    waiting.append(.refusal(refusal, of: parser.asked))
    parser.dropBody()
  }

  private func endInput() {
    isInputRead = true
    if isLeaving { return close() }
    noteInputEnd()
    advance()
  }

  private func noteInputEnd() {
    guard inputEnd == nil else { return }
    inputEnd = (service.now(), .now)
    if answer != nil { watchPeer(every: .milliseconds(1)) }
  }

  /// Closes the connection after the client is gone. If that is unknown, the answer is sent in
  /// time, which shows whether the client is there.
  private func watchPeer(every interval: Duration) {
    peerTimer = nil
    guard !isClosed, let answer else { return }
    if answer.isSilent || socket.peerPresence == .gone { return close() }
    // The client's input may end before its socket is closed.
    peerTimer = loop.schedule(at: .now + interval) { [weak self] in
      self?.watchPeer(every: min(.seconds(1), interval * 2))
    }
  }

  // MARK: Progress

  /// Makes all possible progress: begins the next answer, ends the connection, continues reading.
  func advance() {
    guard !isAdvancing, !isClosed else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    while answer == nil, !isLeaving, !isClosed {
      if waiting.isEmpty { parse() }
      guard !waiting.isEmpty else { break }
      begin(waiting.removeFirst())
    }
    parse()
    if answer == nil, !isLeaving, !isClosed {
      if isInputRead { return close() }
      if parser.owesContinue {
        parser.continued()
        write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) { _ in }
      }
    }
    updateEvents()
  }

  private func begin(_ item: Item) {
    switch item {
    case .refusal(let refusal, let asked):
      let answer = ServedAnswer(request: nil, asked: asked, exchange: nil)
      self.answer = answer
      deliver(Reply(refusal), to: answer)
    case .request(let request):
      parser.release(request)
      begin(request)
    }
    if inputEnd != nil, peerTimer == nil { watchPeer(every: .milliseconds(1)) }
  }

  // MARK: Bytes

  /// Writes, and calls `next` when the system has accepted all bytes.
  func write(_ bytes: [UInt8], _ next: @escaping (Connection) -> Void) {
    if output.isEmpty {
      (output.bytes, output.start) = (bytes, 0)
    } else {
      output.bytes += bytes
    }
    output.next = next
    pump()
  }

  /// Whether bytes wait for the client.
  var isWriting: Bool { !output.isEmpty }

  private func pump() {
    guard !output.isPumping else { return }
    output.isPumping = true
    defer { output.isPumping = false }
    while let next = output.next, flush() {
      output.next = nil
      next(self)
    }
    updateEvents()
  }

  /// Passes bytes to the system. Returns true if it accepted all of them.
  private func flush() -> Bool {
    while !isClosed, !output.isEmpty {
      do throws(SystemError) {
        output.start += try output.bytes[output.start...].withBytes(socket.send)
        touch()
      } catch {
        if !error.isWouldBlock { close() }
        return false
      }
    }
    return !isClosed
  }

  // MARK: The end

  /// Ends this side, so that the client sees an end and not a reset, even if it is still sending.
  /// Closes the connection after the client has ended too, or after a timeout.
  func leave() {
    guard !isClosed, !isLeaving else { return }
    isLeaving = true
    ignoresInput = true
    if isInputRead { return close() }
    socket.endOutput()
    schedule(after: service.options.farewellTimeout) { $0.close() }
    updateEvents()
  }

  func reset() {
    guard !isClosed else { return }
    socket.resetOnClose()
    close()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    for timer in [timer, peerTimer] { timer.map(loop.cancel) }
    waiting.removeAll()
    loop.unwatch(socket.descriptor)
    socket.close()
    if let answer { finish(answer, .cancelled) }
    parser.releaseAll()
    service.removeConnection()
  }

  // MARK: Stalled clients

  private func touch() { lastActivity = .now }

  private func watchIdleness(for duration: Duration) {
    schedule(after: duration) { connection in
      let limit = connection.service.options.idleTimeout
      let idleTime = connection.lastActivity.duration(to: .now)
      if connection.isClientsTurn, idleTime >= limit {
        connection.giveUp()
      } else {
        connection.watchIdleness(for: connection.isClientsTurn ? limit - idleTime : limit)
      }
    }
  }

  private var isClientsTurn: Bool { answer.map { isWriting || $0.isDraining } ?? true }

  private func giveUp() {
    guard answer == nil, parser.isWithinRequest, !ignoresInput else { return close() }
    refuse(.tooSlow)
    advance()
  }

  private func schedule(after duration: Duration, _ body: @escaping (Connection) -> Void) {
    timer.map(loop.cancel)
    timer = loop.schedule(at: .now + duration) { [weak self] in
      if let self, !isClosed { body(self) }
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func withBytes(
    _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Int
  ) throws(SystemError) -> Int {
    var result = Result<Int, SystemError>.success(0)
    withUnsafeBytes { bytes in
      do throws(SystemError) { result = .success(try body(bytes)) } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}
