import LibC

/// The other end of a connection on this machine.
///
/// A client that sends no more may still read, or may be gone; this side cannot distinguish the two
/// until it sends. The kernel can: a socket without a process is gone.
struct Peer {
  private let descriptor: CInt

  enum Presence: Hashable {
    case present
    case gone
    /// It is on another machine, or the system does not report it.
    case unknown
  }

  /// Looks up the peer.
  ///
  /// - Parameter descriptor: the descriptor of this side's socket.
  init(of descriptor: CInt) {
    self.descriptor = descriptor
  }

  #if os(Linux)
  var presence: Presence {
    guard let local = Endpoint(SocketAddress(of: descriptor, getsockname)),
      let remote = Endpoint(SocketAddress(of: descriptor, getpeername)),
      remote.isOnThisMachine(as: local), let reply = Self.ask(about: remote, connectedTo: local)
    else { return .unknown }
    return Self.presence(in: reply)
  }

  /// An address as the kernel stores it. An IPv4 address over IPv6 is an IPv4 address.
  private struct Endpoint {
    var family: CInt
    let port: UInt16
    /// 16 bytes; IPv4 uses the first four.
    var address: [UInt8]

    init?(_ socketAddress: SocketAddress?) {
      guard let socketAddress else { return nil }
      (family, address) = (socketAddress.family, socketAddress.address)
      port = UInt16(socketAddress.port).bigEndian
      if address.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) {
        (family, address) = (AF_INET, Array(address[12...]))
      }
      address += [UInt8](repeating: 0, count: 16 - address.count)
    }

    func isOnThisMachine(as local: Endpoint) -> Bool {
      family == AF_INET && address[0] == 127 || address == local.address
    }
  }

  // MARK: Socket diagnosis by the kernel, sock_diag(7)

  private static func ask(about remote: Endpoint, connectedTo local: Endpoint) -> [UInt8]? {
    let diagnosis: CInt = 4
    let socket = LibC.socket(AF_NETLINK, CInt(SOCK_RAW.rawValue), diagnosis)
    guard socket >= 0 else { return nil }
    defer { close(socket) }
    let question = question(about: remote, connectedTo: local)
    guard send(socket, question, question.count, 0) == question.count else { return nil }
    var reply = [UInt8](repeating: 0, count: 1_024)
    let count = recv(socket, &reply, reply.count, CInt(MSG_DONTWAIT))
    return count > 0 ? Array(reply[..<count]) : nil
  }

  /// Returns a `nlmsghdr` and an `inet_diag_req_v2`.
  private static func question(
    about remote: Endpoint,
    connectedTo local: Endpoint
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ number: UInt32) { withUnsafeBytes(of: number) { bytes += $0 } }
    func append(_ number: UInt16) { withUnsafeBytes(of: number) { bytes += $0 } }
    let byFamily: UInt16 = 20
    let isRequest: UInt16 = 1
    append(UInt32(72))
    append(byFamily)
    append(isRequest)
    append(UInt32(1))
    append(UInt32(0))
    bytes += [UInt8(remote.family), UInt8(IPPROTO_TCP), 0, 0]
    append(UInt32.max)  // Any state.
    append(remote.port)
    append(local.port)
    bytes += remote.address + local.address
    append(UInt32(0))  // Any interface.
    append(UInt32.max)  // No cookie.
    append(UInt32.max)
    return bytes
  }

  /// Reads a `nlmsghdr` and an `inet_diag_msg`.
  private static func presence(in reply: [UInt8]) -> Presence {
    guard reply.count >= 88, reply[4] == 20 else {
      // An error number follows, which means that the socket does not exist.
      let isMissing =
        reply.count >= 20 && reply[4] == 2 && reply[16] == UInt8(truncatingIfNeeded: -ENOENT)
      return isMissing ? .gone : .unknown
    }
    return reply[84..<88].allSatisfy { $0 == 0 } ? .gone : .present
  }
  #else
  var presence: Presence { .unknown }
  #endif
}
