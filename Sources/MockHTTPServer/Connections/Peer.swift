import LibC

/// The other end of a connection, where it is on this machine.
///
/// A client that sends no more may have ended its side and read on, or be gone: both look the same
/// from here until something is sent. The kernel knows: a socket that no process has is gone.
struct Peer {
  private let descriptor: CInt

  enum Presence: Hashable {
    case present
    case gone
    /// It is on another machine, or the system does not say.
    case unknown
  }

  /// - Parameter descriptor: of this side's socket.
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

  /// An address as the kernel knows a connection by it: one of IPv4 that came over IPv6 is one of IPv4.
  private struct Endpoint {
    var family: CInt
    let port: UInt16
    /// 16 bytes, of which IPv4 uses the first four.
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

  // MARK: The kernel's diagnosis of sockets, sock_diag(7)

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

  /// A `nlmsghdr` and an `inet_diag_req_v2`.
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
    append(UInt32.max)  // In any state.
    append(remote.port)
    append(local.port)
    bytes += remote.address + local.address
    append(UInt32(0))  // By any interface.
    append(UInt32.max)  // No cookie.
    append(UInt32.max)
    return bytes
  }

  /// Reads a `nlmsghdr` and an `inet_diag_msg`.
  private static func presence(in reply: [UInt8]) -> Presence {
    guard reply.count >= 88, reply[4] == 20 else {
      // An error's number follows: that there is no such socket.
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
