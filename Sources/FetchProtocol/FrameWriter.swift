import HTTPTypes
import RemoteLoading

/// Puts frames into bytes: the length of what follows, a number that tells the kind, the id, then the parts.
/// Numbers have their least significant byte first.
struct FrameWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(byte: UInt8) { bytes.append(byte) }

  mutating func put(number: Int) {
    withUnsafeBytes(of: Int64(number).littleEndian) { bytes += $0 }
  }

  mutating func put(id: UInt32) {
    withUnsafeBytes(of: id.littleEndian) { bytes += $0 }
  }

  mutating func put(_ list: [UInt8]) {
    put(id: UInt32(list.count))
    bytes += list
  }

  mutating func put(_ text: String) { put(Array(text.utf8)) }

  mutating func put(optional text: String?) {
    put(byte: text == nil ? 0 : 1)
    if let text { put(text) }
  }

  mutating func put(_ texts: [String]) {
    put(id: UInt32(texts.count))
    for text in texts { put(text) }
  }

  mutating func put(_ fields: HTTPFields) {
    put(id: UInt32(fields.count))
    for field in fields {
      put(field.name.rawName)
      put(field.value)
    }
  }
}

extension FetchFrame {
  /// The frame as it is sent.
  package var bytes: [UInt8] {
    var writer = FrameWriter()
    write(to: &writer)
    var frame = FrameWriter()
    frame.put(writer.bytes)
    return frame.bytes
  }

  private func write(to writer: inout FrameWriter) {
    writer.put(byte: kind)
    writer.put(id: id)
    switch self {
    case .request(_, let request): request.write(to: &writer)
    case .cancel, .end: break
    case .head(_, let head, let expected):
      writer.put(number: head.status.code)
      writer.put(head.headerFields)
      writer.put(number: expected ?? -1)
    case .body(_, let bytes): writer.put(bytes)
    case .failure(_, let error): error.write(to: &writer)
    }
  }

  private var kind: UInt8 {
    switch self {
    case .request: 1
    case .cancel: 2
    case .head: 3
    case .body: 4
    case .end: 5
    case .failure: 6
    }
  }

  package var id: UInt32 {
    switch self {
    case .request(let id, _), .cancel(let id), .head(let id, _, _), .body(let id, _), .end(let id),
      .failure(let id, _):
      id
    }
  }
}

extension FetchRequest {
  fileprivate func write(to writer: inout FrameWriter) {
    writer.put(request.head.method.rawValue)
    writer.put(optional: request.head.scheme)
    writer.put(optional: request.head.authority)
    writer.put(optional: request.head.path)
    writer.put(request.head.headerFields)
    writer.put(request.body)
    writer.put(allowedHosts)
    writer.put(number: limits.bodyBytes)
    writer.put(number: limits.headBytes)
    writer.put(number: Int(limits.idleTime / .milliseconds(1)))
  }
}

extension TransportError {
  fileprivate func write(to writer: inout FrameWriter) {
    writer.put(byte: FrameReader.number(of: self))
    switch self {
    case .tooManyRedirects(let places): writer.put(places)
    case .unmatched(let request, let nearest):
      writer.put(request)
      writer.put(optional: nearest)
    case .forbidden(let text), .other(let text): writer.put(text)
    case .refused, .reset, .empty, .truncated, .malformed, .timedOut, .cancelled, .insecure,
      .unresolved, .offline, .unsupportedURL:
      break
    }
  }
}
