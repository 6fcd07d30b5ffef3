import LibC
import MockHTTP

/// One connection: reads requests, and answers them one after the other, in their order.
///
/// Only its loop's thread uses it; other threads reach it by `EventLoop.execute`.
final class Connection: SocketHandler, @unchecked Sendable {
  let service: Service
  let loop: EventLoop
  let socket: SystemSocket
  var answer: ServedAnswer?
  private var parser: RequestParser
  private var waiting: [Item] = []
  private var output = Output()
  /// What comes is no longer read: it was refused, or this side has ended the connection.
  private var ignoresInput = false
  /// When the client ended its side, in the log's time and in real time. There may be bytes before that end that have not
  /// been read.
  private(set) var inputEnd: (logged: Duration, real: ContinuousClock.Instant)?
  /// All that the client sent has been read.
  private var isInputRead = false
  /// This side has ended the connection, and waits for the client to do the same.
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

  /// Bytes that the system has not taken yet, and what is to be done when it has.
  private struct Output {
    var bytes: [UInt8] = []
    var start = 0
    var next: ((Connection) -> Void)?
    var isPumping = false

    var isEmpty: Bool { start == bytes.count }
  }

  /// How many requests may wait behind the one that is answered before reading pauses.
  private static let waitingLimit = 16

  init(_ socket: SystemSocket, _ service: Service, _ loop: EventLoop) {
    self.socket = socket
    self.service = service
    self.loop = loop
    parser = RequestParser(service)
  }

  /// Begins to read, or closes a connection too many.
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

  /// Answers with an error when it is its turn, and reads no more.
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

  /// Closes the connection as soon as a client that sends no more is gone. Where that cannot be
  /// known, the answer is sent in time, and shows it.
  private func watchPeer(every interval: Duration) {
    peerTimer = nil
    guard !isClosed, let answer else { return }
    if answer.isSilent || socket.peerPresence == .gone { return close() }
    // Its end may come before it has let go, and it may go later.
    peerTimer = loop.schedule(at: .now + interval) { [weak self] in
      self?.watchPeer(every: min(.seconds(1), interval * 2))
    }
  }

  // MARK: One after the other

  /// Does what can be done now: begins the next answer, ends the connection, reads on.
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
      parser.letGo(of: request)
      begin(request)
    }
    if inputEnd != nil, peerTimer == nil { watchPeer(every: .milliseconds(1)) }
  }

  // MARK: Bytes

  /// Writes, and goes on when the system has taken all of it.
  func write(_ bytes: [UInt8], _ next: @escaping (Connection) -> Void) {
    if output.isEmpty {
      (output.bytes, output.start) = (bytes, 0)
    } else {
      output.bytes += bytes
    }
    output.next = next
    pump()
  }

  /// Whether bytes wait for the client to take them.
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

  /// Hands bytes to the system; true if it has taken all.
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

  /// Ends this side, so that the client sees an end and not a reset even where it is still sending,
  /// and the rest when the client has ended too, or takes too long.
  func leave() {
    guard !isClosed, !isLeaving else { return }
    isLeaving = true
    ignoresInput = true
    if isInputRead { return close() }
    socket.endOutput()
    schedule(after: service.options.farewellTimeout) { $0.close() }
    updateEvents()
  }

  /// Ends the connection by a reset.
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
    parser.letGoOfAll()
    service.removeConnection()
  }

  // MARK: Clients that stall

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
