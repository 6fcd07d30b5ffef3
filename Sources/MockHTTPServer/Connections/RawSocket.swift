import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What is done to the socket below a channel. Call it on the channel's event loop.
struct RawSocket {
  private let channel: any Channel

  init(_ channel: any Channel) {
    self.channel = channel
  }

  /// Makes the next close a reset: the client gets an error instead of an end.
  func resetOnClose() { set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0)) }

  /// Bytes that are written and have not left yet; a reset would take them back.
  var unsentCount: Int {
    var count: CInt = 0
    #if os(Linux)
    let notSent: UInt = 0x894B  // SIOCOUTQNSD, which the C library has no name for.
    withDescriptor { _ = ioctl($0, notSent, &count) }
    #else
    withDescriptor { descriptor in
      var size = socklen_t(MemoryLayout<CInt>.size)
      getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size)
    }
    #endif
    return Int(count)
  }

  /// Whether the client has answered what was sent with a reset.
  var isReset: Bool {
    var error: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    withDescriptor { getsockopt($0, SOL_SOCKET, SO_ERROR, &error, &size) }
    return error != 0
  }

  /// Whether the client is still there.
  var peerPresence: Peer.Presence {
    var presence = Peer.Presence.unknown
    withDescriptor { presence = Peer(of: $0).presence }
    return presence
  }

  private func set<Value>(_ level: CInt, _ name: CInt, _ value: Value) {
    withDescriptor { descriptor in
      withUnsafePointer(to: value) {
        _ = setsockopt(descriptor, level, name, $0, socklen_t(MemoryLayout<Value>.size))
      }
    }
  }

  private func withDescriptor(_ body: (CInt) -> Void) {
    try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self,
      body
    )
  }
}
