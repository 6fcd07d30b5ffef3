import HTTPTypes
import RemoteLoading

/// A complete request.
struct ReceivedRequest {
  let head: RequestHead
  let body: [UInt8]

  var remote: RemoteRequest { RemoteRequest(head.request, body: body) }
}

/// A parser of HTTP/1.0 and HTTP/1.1 requests.
///
/// It is strict (RFC 9112): a message that two readers could interpret differently is refused.
struct RequestParser {
  private let service: Service
  private var state = State.line
  /// The received bytes; those before `start` are parsed.
  private var bytes: [UInt8] = []
  private var start = 0
  /// The position before which no line ends.
  private var searched = 0
  /// The size of the head, or of the fields after a chunked body, in bytes.
  private var headByteCount = 0
  private var fields: [(name: HTTPField.Name, value: String)] = []
  private var head: RequestHead?
  private var body: [UInt8] = []
  /// Whether the client waits for `100 Continue` before it sends the body.
  private(set) var owesContinue = false
  /// A name of this host that was already checked.
  private var knownAuthority: String?
  /// The body bytes of the current request, and of parsed requests that are not released yet.
  private var heldByteCount = 0
  /// The method and path of the request whose body is being read.
  private(set) var asked: (method: String, path: String)?

  private enum State {
    case line
    case fields(StartLine)
    case body(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case trailer
  }

  /// The maximum number of header fields.
  private static let fieldLimit = 256
  /// The maximum length of a chunk's size line, in bytes.
  private static let chunkLineLimit = 1_024

  init(_ service: Service) {
    self.service = service
  }

  /// Whether the head of a request has been read, but not its end.
  var isWithinRequest: Bool { head != nil }

  /// Appends received bytes.
  mutating func append(_ new: UnsafeRawBufferPointer) {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      (start, searched) = (0, 0)
    } else if start > 64 * 1_024 {
      bytes.removeSubrange(..<start)
      (start, searched) = (0, searched - start)
    }
    bytes += new
  }

  /// Parses the next request.
  ///
  /// - Returns: the request, nil if more bytes are needed.
  /// - Throws: `Refusal`; later bytes are not a request.
  mutating func next() throws(Refusal) -> ReceivedRequest? {
    while true {
      switch state {
      case .line:
        guard let line = try nextLine() else {
          if start < bytes.count { try StartLine.checkBeginning(bytes[start...]) }
          return nil
        }
        // Some clients send an empty line after a body.
        if !line.isEmpty { state = .fields(try StartLine(bytes[line])) }
      case .fields(let line):
        guard let field = try nextLine() else { return nil }
        if field.isEmpty {
          try begin(line)
        } else {
          fields.append(try Self.field(bytes[field]))
          if fields.count > Self.fieldLimit { throw .headTooLong }
        }
      case .body(let left):
        if left == 0 { return end() }
        guard let count = try takeBody(atMost: left) else { return nil }
        state = .body(left: left - count)
      case .chunkSize:
        headByteCount = 0
        guard let line = try nextLine(limit: Self.chunkLineLimit) else { return nil }
        let size = try Self.chunkSize(bytes[line])
        state = size == 0 ? .trailer : .chunk(left: size)
      case .chunk(let left):
        guard let count = try takeBody(atMost: left) else { return nil }
        state = count == left ? .chunkEnd : .chunk(left: left - count)
      case .chunkEnd:
        headByteCount = 0
        guard let line = try nextLine(limit: 2) else { return nil }
        guard line.isEmpty else { throw .notHTTP("invalid character in chunk size header") }
        state = .chunkSize
      case .trailer:
        guard let line = try nextLine() else { return nil }
        if line.isEmpty { return end() }
        _ = try Self.field(bytes[line])
      }
    }
  }

  /// Records that `100 Continue` was sent.
  mutating func continued() { owesContinue = false }

  /// Releases a request that was passed on, with its body.
  mutating func release(_ request: ReceivedRequest) {
    heldByteCount -= request.body.count
    service.removeBodyBytes(request.body.count)
  }

  /// Releases the body of the current request, because it was refused.
  mutating func dropBody() {
    heldByteCount -= body.count
    service.removeBodyBytes(body.count)
    body = []
  }

  /// Releases all bodies, because the connection is closed.
  mutating func releaseAll() {
    service.removeBodyBytes(heldByteCount)
    heldByteCount = 0
    body = []
  }

  // MARK: Lines

  /// Takes a line without its CR LF, nil if it is incomplete.
  private mutating func nextLine(limit: Int? = nil) throws(Refusal) -> Range<Int>? {
    let limit = limit ?? service.options.headLimitInBytes
    searched = max(searched, start)
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      guard headByteCount + bytes.count - start <= limit else { throw .headTooLong }
      return nil
    }
    guard end > start, bytes[end - 1] == UInt8(ascii: "\r") else { throw .bareLF }
    headByteCount += end + 1 - start
    guard headByteCount <= limit else { throw .headTooLong }
    defer { start = end + 1 }
    return start..<end - 1
  }

  private static func field(
    _ line: ArraySlice<UInt8>
  ) throws(Refusal) -> (name: HTTPField.Name, value: String) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
      let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
    else { throw .notHTTP("invalid character in header") }
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var value = line[(colon + 1)...].drop(while: isBlank)
    while let last = value.last, isBlank(last) { value.removeLast() }
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
      throw .notHTTP("invalid character in header")
    }
    return (name, String(decoding: value, as: UTF8.self))
  }

  private static func chunkSize(_ line: ArraySlice<UInt8>) throws(Refusal) -> Int {
    let digits = line.prefix { $0 != UInt8(ascii: ";") }
    let isDigit = { (byte: UInt8) in
      switch byte {
      case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
      default: false
      }
    }
    guard digits.allSatisfy(isDigit), !digits.isEmpty,
      let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
      line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") })
    else { throw .notHTTP("invalid character in chunk size header") }
    return size
  }

  // MARK: One request

  private mutating func begin(_ line: StartLine) throws(Refusal) {
    asked = (line.method, line.target)
    let head = try RequestHead(line, fields: fields)
    if let authority = head.request.authority, authority != knownAuthority {
      guard service.answers(to: authority) else { throw .strangeHost }
      knownAuthority = authority
    }
    if let length = head.bodyLength, length > service.options.bodyLimitInBytes {
      throw .bodyTooLong
    }
    asked = (line.method, head.request.path ?? "")
    self.head = head
    owesContinue = head.expectsContinue
    fields.removeAll(keepingCapacity: true)
    state = head.isChunked ? .chunkSize : .body(left: head.bodyLength ?? 0)
  }

  /// Moves bytes into the body.
  ///
  /// - Returns: their number, nil if none has arrived.
  private mutating func takeBody(atMost left: Int) throws(Refusal) -> Int? {
    let count = min(left, bytes.count - start)
    guard count > 0 else { return nil }
    owesContinue = false
    guard body.count + count <= service.options.bodyLimitInBytes else { throw .bodyTooLong }
    guard service.addBodyBytes(count) else {
      service.removeBodyBytes(count)
      throw .busy
    }
    heldByteCount += count
    body += bytes[start..<start + count]
    start += count
    return count
  }

  private mutating func end() -> ReceivedRequest? {
    defer {
      (head, asked) = (nil, nil)
      body = []
      headByteCount = 0
      owesContinue = false
      state = .line
    }
    return head.map { ReceivedRequest(head: $0, body: body) }
  }
}
