import HTTPTypes
import NIOCore
import NIOHTTP1
import RemoteLoading

/// Puts requests together from the parts in which they come.
struct RequestReader {
  private let service: Service
  private var head: RequestHead?
  private var body: [UInt8] = []
  /// The client waits for a word before it sends the body.
  private(set) var owesContinue = false
  /// A name of this host that has been checked already.
  private var knownAuthority: String?
  /// Body bytes of the request that is being read, and of those that were read and not let go yet.
  private var heldByteCount = 0

  /// A request that has come whole.
  struct Request {
    let head: RequestHead
    let body: [UInt8]

    var remote: RemoteRequest { RemoteRequest(head.request, body: body) }
  }

  init(_ service: Service) {
    self.service = service
  }

  /// Whether the head of a request has come, and its end has not.
  var isWithinRequest: Bool { head != nil }

  /// What the request asks for that this part belongs to; nil between requests.
  func asked(in part: HTTPServerRequestPart? = nil) -> AskedFor? {
    if case .head(let head) = part { return AskedFor(head) }
    return head.map { AskedFor($0.request) }
  }

  /// - Returns: a request, with its last part.
  /// - Throws: `Refusal`; what comes after that is no request.
  mutating func take(_ part: HTTPServerRequestPart) throws(Refusal) -> Request? {
    switch part {
    case .head(let head):
      try begin(RequestHead(head))
      return nil
    case .body(let bytes):
      try append(bytes)
      return nil
    case .end: return end()
    }
  }

  /// The word has been given.
  mutating func continued() { owesContinue = false }

  /// A request is on its way to who answers it, and its body no longer held here.
  mutating func letGo(of request: Request) {
    heldByteCount -= request.body.count
    service.removeBodyBytes(request.body.count)
  }

  /// The connection is closed.
  mutating func letGoOfAll() {
    service.removeBodyBytes(heldByteCount)
    heldByteCount = 0
    body = []
  }

  private mutating func begin(_ head: RequestHead) throws(Refusal) {
    if let authority = head.request.authority, authority != knownAuthority {
      guard service.answers(to: authority) else { throw .strangeHost }
      knownAuthority = authority
    }
    if let length = head.bodyLength, length > service.options.bodyLimitInBytes {
      throw .bodyTooLong
    }
    self.head = head
    owesContinue = head.expectsContinue
  }

  private mutating func append(_ bytes: ByteBuffer) throws(Refusal) {
    owesContinue = false
    guard body.count + bytes.readableBytes <= service.options.bodyLimitInBytes else {
      throw .bodyTooLong
    }
    heldByteCount += bytes.readableBytes
    guard service.addBodyBytes(bytes.readableBytes) else { throw .busy }
    body.append(contentsOf: bytes.readableBytesView)
  }

  private mutating func end() -> Request? {
    guard let head else { return nil }
    defer {
      self.head = nil
      body = []
      owesContinue = false
    }
    return Request(head: head, body: body)
  }
}
