import HTTPTypes
import RemoteLoading

/// Takes frames out of a stream of bytes, whatever its pieces.
package struct FrameReader {
  /// What was read is no frame. The rest of the stream cannot be understood.
  package struct Malformed: Error {}
  /// The other side speaks another version of this protocol.
  package struct OtherVersion: Error {}

  /// What a helper says before its first frame. A change of the frames is a change of the number.
  package static let greeting = Array("rehearse-fetch 1\n".utf8)

  /// The longest frame, in bytes. A request and its body are one.
  static let longest = 256 << 20

  private var bytes: [UInt8] = []
  private var start = 0

  /// What is missing of the greeting.
  private var awaited: ArraySlice<UInt8>

  /// Creates a reader of a stream that begins with a frame, or with the greeting.
  package init(afterGreeting: Bool = false) {
    awaited = afterGreeting ? Self.greeting[...] : []
  }

  package mutating func append(_ more: some Sequence<UInt8>) {
    if start > 1 << 20 || start == bytes.count {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += more
  }

  /// The next frame that has come whole; nil if none has.
  ///
  /// - Throws: `Malformed`, `OtherVersion`.
  package mutating func next() throws -> FetchFrame? {
    while start < bytes.count, let byte = awaited.first {
      guard bytes[start] == byte else { throw OtherVersion() }
      awaited.removeFirst()
      start += 1
    }
    guard bytes.count - start >= 4 else { return nil }
    var parts = FrameParts(bytes[start..<start + 4])
    let length = Int(try parts.id())
    guard length <= Self.longest else { throw Malformed() }
    guard bytes.count - start >= 4 + length else { return nil }
    parts = FrameParts(bytes[start + 4..<start + 4 + length])
    start += 4 + length
    return try parts.frame()
  }

  /// Errors that have no parts, by their number.
  static let plainErrors: [TransportError] = [
    .refused, .reset, .empty, .truncated, .malformed, .timedOut, .cancelled, .insecure, .unresolved,
    .offline, .unsupportedURL,
  ]

  static func number(of error: TransportError) -> UInt8 {
    switch error {
    case .tooManyRedirects: 100
    case .unmatched: 101
    case .forbidden: 102
    case .other: 103
    default: UInt8(plainErrors.firstIndex(of: error) ?? 0)
    }
  }
}

/// The parts of one frame, read from its start.
private struct FrameParts {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func frame() throws -> FetchFrame {
    let kind = try byte()
    let id = try id()
    let frame = try frame(kind: kind, id: id)
    guard rest.isEmpty else { throw FrameReader.Malformed() }
    return frame
  }

  private mutating func frame(kind: UInt8, id: UInt32) throws -> FetchFrame {
    switch kind {
    case 1: .request(id, try request())
    case 2: .cancel(id)
    case 3: .head(id, try head(), expected: try optionalNumber())
    case 4: .body(id, try list())
    case 5: .end(id)
    case 6: .failure(id, try error())
    default: throw FrameReader.Malformed()
    }
  }

  private mutating func request() throws -> FetchRequest {
    guard let method = HTTPRequest.Method(rawValue: try text()) else {
      throw FrameReader.Malformed()
    }
    let head = HTTPRequest(
      method: method,
      scheme: try optionalText(),
      authority: try optionalText(),
      path: try optionalText(),
      headerFields: try fields()
    )
    return FetchRequest(
      RemoteRequest(head, body: try list()),
      allowedHosts: try texts(),
      limits: FetchLimits(
        bodyBytes: try number(),
        headBytes: try number(),
        idleTime: .milliseconds(try number())
      )
    )
  }

  private mutating func head() throws -> HTTPResponse {
    let status = try number()
    guard (0...999).contains(status) else { throw FrameReader.Malformed() }
    return HTTPResponse(status: .init(code: status), headerFields: try fields())
  }

  private mutating func error() throws -> TransportError {
    let number = try byte()
    if Int(number) < FrameReader.plainErrors.count { return FrameReader.plainErrors[Int(number)] }
    switch number {
    case 100: return .tooManyRedirects(try texts())
    case 101: return .unmatched(request: try text(), nearest: try optionalText())
    case 102: return .forbidden(host: try text())
    case 103: return .other(try text())
    default: throw FrameReader.Malformed()
    }
  }

  // MARK: Parts

  private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
    guard rest.count >= count else { throw FrameReader.Malformed() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func byte() throws -> UInt8 {
    guard let byte = try take(1).first else { throw FrameReader.Malformed() }
    return byte
  }

  mutating func id() throws -> UInt32 {
    try take(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private mutating func number() throws -> Int {
    Int(Int64(bitPattern: try take(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
  }

  private mutating func optionalNumber() throws -> Int? {
    let number = try number()
    return number < 0 ? nil : number
  }

  private mutating func list() throws -> [UInt8] { Array(try take(Int(try id()))) }

  private mutating func text() throws -> String { String(decoding: try list(), as: UTF8.self) }

  private mutating func optionalText() throws -> String? { try byte() == 0 ? nil : try text() }

  /// Each item takes at least four bytes, which bounds how many there can be.
  private mutating func count() throws -> Int {
    let count = Int(try id())
    guard count <= rest.count / 4 else { throw FrameReader.Malformed() }
    return count
  }

  private mutating func texts() throws -> [String] {
    var texts: [String] = []
    for _ in 0..<(try count()) { texts.append(try text()) }
    return texts
  }

  private mutating func fields() throws -> HTTPFields {
    var fields = HTTPFields()
    for _ in 0..<(try count()) {
      guard let name = HTTPField.Name(try text()) else { throw FrameReader.Malformed() }
      fields.append(HTTPField(name: name, value: try text()))
    }
    return fields
  }
}
