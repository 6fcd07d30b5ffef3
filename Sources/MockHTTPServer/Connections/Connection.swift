import MockHTTP
import NIOCore
import NIOHTTP1

/// One connection: reads requests, and answers them one after the other, in their order.
///
/// It runs on the event loop of its channel alone.
final class Connection: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let service: Service
  private(set) var context: ChannelHandlerContext?
  private let lineEnds: LineEnds
  private var reader: RequestReader
  private var waiting = CircularBuffer<Item>()
  var answer: Answer?
  /// What comes is no longer read: it was refused, or this side has ended the connection.
  private var ignoresInput = false
  /// When the client ended its side, in the log's time and in real time.
  private(set) var inputEnd: (logged: Duration, real: NIODeadline)?
  /// This side has ended the connection, and waits for the client to do the same.
  private(set) var isLeaving = false
  private var isReadHeld = false
  private var isAdvancing = false
  private var lastActivity = NIODeadline.now()
  private var timer: Scheduled<Void>?
  private var peerTimer: Scheduled<Void>?

  private enum Item {
    case request(RequestReader.Request)
    case refusal(Refusal, of: AskedFor?)
  }

  /// How many requests may wait behind the one that is answered before reading pauses.
  private static let waitingLimit = 16

  init(_ service: Service, _ lineEnds: LineEnds) {
    self.service = service
    self.lineEnds = lineEnds
    reader = RequestReader(service)
  }

  // MARK: What comes

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelActive(context: ChannelHandlerContext) {
    guard service.addConnection() else { return context.close(promise: nil) }
    watchIdleness(for: service.options.idleTimeout)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !ignoresInput else { return }
    touch()
    let part = unwrapInboundIn(data)
    do throws(Refusal) {
      guard let request = try reader.take(part) else { return }
      waiting.append(.request(request))
    } catch {
      refuse(error, of: reader.asked(in: part))
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) { advance() }

  func read(context: ChannelHandlerContext) {
    let isFull = ignoresInput || waiting.count >= Self.waitingLimit
    if isFull, !isLeaving {
      isReadHeld = true
    } else {
      context.read()
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is IOError { return context.close(promise: nil) }
    guard !ignoresInput else { return }
    refuse(Refusal(unreadable: error, hasBareLF: lineEnds.hasBareLF), of: reader.asked())
    advance()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event as? ChannelEvent == .inputClosed else {
      return context.fireUserInboundEventTriggered(event)
    }
    inputEnd = (service.now(), .now())
    if isLeaving { return context.close(promise: nil) }
    advance()
    if answer != nil { watchPeer(every: .milliseconds(1)) }
  }

  /// Closes the connection as soon as a client that sends no more is gone. Where that cannot be
  /// known, the answer is sent in time, and shows it.
  private func watchPeer(every interval: TimeAmount) {
    guard let context, let answer else { return }
    if answer.isSilent || RawSocket(context.channel).peerPresence == .gone {
      return context.close(promise: nil)
    }
    // Its end may come before it has let go, and it may go later.
    let next = TimeAmount.nanoseconds(min(1_000_000_000, interval.nanoseconds * 2))
    peerTimer = context.eventLoop.assumeIsolated().scheduleTask(in: interval) { [weak self] in
      self?.watchPeer(every: next)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    peerTimer?.cancel()
    waiting.removeAll()
    if let answer { finish(answer, .cancelled) }
    reader.letGoOfAll()
    service.removeConnection()
  }

  /// Answers with an error when it is its turn, and reads no more.
  private func refuse(_ refusal: Refusal, of asked: AskedFor?) {
    ignoresInput = true
    waiting.append(.refusal(refusal, of: asked))
  }

  // MARK: One after the other

  /// Does what can be done now: begins the next answer, ends the connection, reads on.
  func advance() {
    guard !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    while answer == nil, !isLeaving, let item = waiting.popFirst() { begin(item) }
    if answer == nil, !isLeaving {
      if inputEnd != nil { context?.close(promise: nil) }
      if reader.owesContinue { sendContinue() }
    }
    readOn()
  }

  private func begin(_ item: Item) {
    switch item {
    case .refusal(let refusal, let asked):
      let answer = Answer(request: nil, asked: asked, exchange: nil)
      self.answer = answer
      deliver(Reply(refusal), to: answer)
    case .request(let request):
      reader.letGo(of: request)
      begin(request)
    }
  }

  private func readOn() {
    guard isReadHeld, isLeaving || (!ignoresInput && waiting.count < Self.waitingLimit) else {
      return
    }
    isReadHeld = false
    context?.read()
  }

  private func sendContinue() {
    guard let context else { return }
    reader.continued()
    let buffer = context.channel.allocator.buffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")
    context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
  }

  // MARK: The end

  /// Ends this side, so that the client sees an end and not a reset even where it is still sending,
  /// and the rest when the client has ended too, or takes too long.
  func leave() {
    guard let context, !isLeaving else { return }
    isLeaving = true
    ignoresInput = true
    if inputEnd != nil { return context.close(promise: nil) }
    context.close(mode: .output, promise: nil)
    schedule(after: service.options.farewellTimeout) { $0.context?.close(promise: nil) }
    readOn()
  }

  /// Ends the connection by a reset.
  func reset() {
    guard let context else { return }
    isLeaving = true
    ignoresInput = true
    RawSocket(context.channel).resetOnClose()
    context.close(promise: nil)
  }

  // MARK: Clients that stall

  func touch() { lastActivity = .now() }

  private func watchIdleness(for duration: Duration) {
    schedule(after: duration) { connection in
      let limit = TimeAmount(connection.service.options.idleTimeout)
      let idleTime = NIODeadline.now() - connection.lastActivity
      if connection.isClientsTurn, idleTime >= limit {
        connection.giveUp()
      } else {
        let left = connection.isClientsTurn ? limit - idleTime : limit
        connection.watchIdleness(for: .nanoseconds(left.nanoseconds))
      }
    }
  }

  private var isClientsTurn: Bool { answer?.isWriting ?? true }

  private func giveUp() {
    guard answer == nil, reader.isWithinRequest, !ignoresInput else {
      context?.close(promise: nil)
      return
    }
    refuse(.tooSlow, of: reader.asked())
    advance()
  }

  private func schedule(after duration: Duration, _ body: @escaping (Connection) -> Void) {
    guard let context else { return }
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(duration)) {
      [weak self] in
      if let self { body(self) }
    }
  }
}
