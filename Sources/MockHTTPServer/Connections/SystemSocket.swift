import LibC

extension SystemError {
  /// Whether the call would block.
  var isWouldBlock: Bool { code == EAGAIN || code == EWOULDBLOCK }
  /// Whether no descriptor or memory is left for another connection.
  var isShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }
}

/// A nonblocking TCP socket.
struct SystemSocket {
  let descriptor: CInt

  // MARK: Listening

  /// Listens at an IP address and a port.
  init(listeningAt address: String, port: Int) throws(ServeProblem) {
    guard (0...65_535).contains(port) else { throw .noSuchPort(port) }
    guard let endpoint = SocketAddress(address, port: UInt16(port)) else {
      throw .noSuchAddress(address)
    }
    #if canImport(Glibc)
    descriptor = socket(endpoint.family, CInt(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(endpoint.family, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw ServeProblem(.last, address: address, port: port) }
    Descriptor.makeNonblocking(descriptor)
    Descriptor.closeInPrograms(descriptor)
    set(SOL_SOCKET, SO_REUSEADDR, CInt(1))
    guard endpoint.withSockaddr({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 1_024) == 0
    else {
      let error = SystemError.last
      close()
      throw ServeProblem(error, address: address, port: port)
    }
  }

  private init(accepted descriptor: CInt) {
    self.descriptor = descriptor
    Descriptor.makeNonblocking(descriptor)
    Descriptor.closeInPrograms(descriptor)
    set(CInt(IPPROTO_TCP), TCP_NODELAY, CInt(1))
    #if canImport(Darwin)
    set(SOL_SOCKET, SO_NOSIGPIPE, CInt(1))
    #endif
  }

  /// The listening port, nil if the system does not report it.
  var port: Int? { SocketAddress(of: descriptor, getsockname)?.port }

  /// Accepts the next connection.
  func accept() throws(SystemError) -> SystemSocket {
    while true {
      let descriptor = LibC.accept(descriptor, nil, nil)
      if descriptor >= 0 { return SystemSocket(accepted: descriptor) }
      if errno != EINTR, errno != ECONNABORTED { throw .last }
    }
  }

  // MARK: Bytes

  /// Reads available bytes; 0 bytes if the other side has ended.
  func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw .last }
    }
  }

  /// Passes bytes to the system, which may accept a part of them.
  func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    while true {
      let count = systemSend(descriptor, bytes)
      if count >= 0 { return count }
      if errno != EINTR { throw .last }
    }
  }

  /// Ends this side's output; the other side may still send.
  func endOutput() { _ = shutdown(descriptor, CInt(SHUT_WR)) }

  func close() { systemClose(descriptor) }

  // MARK: TCP details

  /// Makes `close` a reset: the client gets an error instead of an end.
  func resetOnClose() { set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0)) }

  /// The number of written bytes that have not left yet; a reset would discard them.
  var unsentCount: Int {
    var count: CInt = 0
    #if os(Linux)
    let notSent: UInt = 0x894B  // SIOCOUTQNSD, missing in the C library.
    _ = ioctl(descriptor, notSent, &count)
    #else
    var size = socklen_t(MemoryLayout<CInt>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size)
    #endif
    return Int(count)
  }

  /// Whether the client has answered with a reset.
  var isReset: Bool {
    var error: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
    return error != 0
  }

  /// Whether the client is still connected.
  var peerPresence: Peer.Presence { Peer(of: descriptor).presence }

  private func set<Value>(_ level: CInt, _ name: CInt, _ value: Value) {
    withUnsafePointer(to: value) {
      _ = setsockopt(descriptor, level, name, $0, socklen_t(MemoryLayout<Value>.size))
    }
  }
}

/// An IP address and a port.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private var size: socklen_t
  var family: CInt { CInt(storage.ss_family) }

  /// Parses `127.0.0.1` or `::1`; nil if the text is not an IP address.
  init?(_ text: some StringProtocol, port: UInt16) {
    var v4 = sockaddr_in()
    var v6 = sockaddr_in6()
    let text = String(text)
    if inet_pton(AF_INET, text, &v4.sin_addr) == 1 {
      v4.sin_family = sa_family_t(AF_INET)
      v4.sin_port = port.bigEndian
      size = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutableBytes(of: &storage) { storage in
        withUnsafeBytes(of: v4) { storage.copyMemory(from: $0) }
      }
    } else if inet_pton(AF_INET6, text, &v6.sin6_addr) == 1 {
      v6.sin6_family = sa_family_t(AF_INET6)
      v6.sin6_port = port.bigEndian
      size = socklen_t(MemoryLayout<sockaddr_in6>.size)
      withUnsafeMutableBytes(of: &storage) { storage in
        withUnsafeBytes(of: v6) { storage.copyMemory(from: $0) }
      }
    } else {
      return nil
    }
  }

  /// Returns one end of a connection, from `getsockname` or `getpeername`.
  init?(
    of descriptor: CInt,
    _ name: (CInt, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> CInt
  ) {
    size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &storage) { [size] storage in
      var size = size
      return storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        name(descriptor, $0, &size)
      }
    }
    guard status == 0, family == AF_INET || family == AF_INET6 else { return nil }
  }

  var port: Int { Int(bytes[2]) << 8 | Int(bytes[3]) }

  /// The address in network byte order: 4 or 16 bytes.
  var address: [UInt8] { Array(family == AF_INET ? bytes[4..<8] : bytes[8..<24]) }

  private var bytes: [UInt8] { withUnsafeBytes(of: storage) { Array($0.prefix(28)) } }

  func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }
}

func systemClose(_ descriptor: CInt) { close(descriptor) }

/// Sends without the signal for a socket without a reader.
private func systemSend(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
  send(descriptor, bytes.baseAddress, bytes.count, 0)
  #else
  send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
  #endif
}
