public import MockHTTP
import NIOCore
import NIOHTTP1
import NIOPosix

/// The routes of a `MockServer` on a socket of this machine, in real time.
public final class MockHTTPServer: Sendable {
  public let server: MockServer

  public init(_ server: MockServer) {
    self.server = server
  }
}
