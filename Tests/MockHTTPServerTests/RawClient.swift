import LibC

/// A TCP client that sends exact bytes and reports exactly what it receives: bytes, ends, resets.
final class RawClient {
  private let descriptor: CInt
  /// The received bytes that were not returned yet.
  private var buffer: [UInt8] = []

  /// The end of a connection.
  enum End: Equatable {
    case closed
    /// The error code, `ECONNRESET` for a reset.
    case failed(CInt)
    /// Nothing arrived before the time limit.
    case open
  }

  init(port: Int) throws {
    descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Failure(code: errno) }
  }

  struct Failure: Error, Equatable {
    let code: CInt
  }

  deinit { close(descriptor) }

  // MARK: Sending

  @discardableResult
  func send(_ text: String) -> Int { send(Array(text.utf8)) }

  /// Sends until the server stops accepting. Errors are reported by reading.
  ///
  /// - Parameters:
  ///   - bytes: the bytes to send.
  ///   - patience: the time that the server may accept nothing.
  /// - Returns: the number of accepted bytes.
  @discardableResult
  func send(_ bytes: [UInt8], patience: Duration = .seconds(5)) -> Int {
    var sent = 0
    while sent < bytes.count {
      var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard LibC.poll(&poll, 1, CInt(patience / .milliseconds(1))) == 1 else { break }
      let count = bytes.withUnsafeBytes {
        LibC.send(
          descriptor,
          $0.baseAddress?.advanced(by: sent),
          bytes.count - sent,
          CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        )
      }
      guard count > 0 else { break }
      sent += count
    }
    return sent
  }

  /// Ends the output; reading continues.
  func finishSending() { shutdown(descriptor, CInt(SHUT_WR)) }

  // MARK: Reading

  /// Reads until the connection ends or nothing arrives within the time limit.
  func readToEnd(patience: Duration = .seconds(3)) -> (text: String, end: End) {
    while true {
      if let end = receive(patience: patience) {
        defer { buffer = [] }
        return (String(decoding: buffer, as: UTF8.self), end)
      }
    }
  }

  /// Reads up to a text, and returns the bytes including it.
  func read(through mark: String, patience: Duration = .seconds(3)) -> String? {
    let mark = Array(mark.utf8)
    while true {
      if let end = Self.end(of: mark, in: buffer) { return take(end) }
      if receive(patience: patience) != nil { return nil }
    }
  }

  /// Reads a response with an announced length.
  func readResponse(patience: Duration = .seconds(3)) -> (head: String, body: String)? {
    guard let head = read(through: "\r\n\r\n", patience: patience) else { return nil }
    let announced = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
    let length = announced.flatMap { Int($0.dropFirst(16)) } ?? 0
    while buffer.count < length {
      if receive(patience: patience) != nil { return nil }
    }
    return (head, take(length))
  }

  /// Reads a response on its own thread, because the server may need the threads of the tests.
  func awaitResponse() async -> (head: String, body: String)? {
    await withCheckedContinuation { continuation in
      let work = Unmanaged.passRetained(
        Work { [self] in
          continuation.resume(returning: readResponse(patience: .seconds(20)))
        }
      )
      var thread = pthread_t()
      pthread_create(&thread, nil, Work.run, work.toOpaque())
      pthread_detach(thread)
    }
  }

  private final class Work {
    let body: () -> Void

    init(_ body: @escaping () -> Void) {
      self.body = body
    }

    static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
      if let pointer = $0 { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
      return nil
    }
  }

  /// Returns whether nothing arrives within this time.
  func isQuiet(for time: Duration) -> Bool { buffer.isEmpty && receive(patience: time) == .open }

  private func take(_ count: Int) -> String {
    defer { buffer.removeFirst(count) }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  /// - Returns: nil when something came.
  private func receive(patience: Duration) -> End? {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = patience / .milliseconds(1)
    guard LibC.poll(&poll, 1, CInt(milliseconds)) == 1 else { return .open }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count < 0 { return .failed(errno) }
    if count == 0 { return .closed }
    buffer += bytes[..<count]
    return nil
  }

  private static func end(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= mark.count else { return nil }
    for start in 0...(bytes.count - mark.count)
    where bytes[start..<(start + mark.count)].elementsEqual(mark) {
      return start + mark.count
    }
    return nil
  }
}
