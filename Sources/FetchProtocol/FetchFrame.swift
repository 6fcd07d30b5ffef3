import HTTPTypes
package import RemoteLoading
import Workers

/// A message between the program and its helper, about the request with an id.
package enum FetchFrame: Codable, Sendable, Hashable {
  // To the helper.
  case request(UInt32, FetchRequest)
  /// Closes the connection. Later messages about the request are ignored.
  case cancel(UInt32)

  // From the helper.
  case event(UInt32, TransferEvent)
  case end(UInt32)
  case failure(UInt32, TransportError)

  /// The encoded frame.
  package var bytes: [UInt8] { MessageFrame.bytes(self) }
}

/// A request and its permissions.
package struct FetchRequest: Codable, Sendable, Hashable {
  package var request: RemoteRequest
  /// The allowed hosts in addition to this machine.
  package var allowedHosts: [String]
  package var limits: TransferLimits

  package init(_ request: RemoteRequest, allowedHosts: [String], limits: TransferLimits) {
    self.request = request
    self.allowedHosts = allowedHosts
    self.limits = limits
  }

  /// The host of the request if it is not allowed; nil if it is. An ambiguous authority is refused as a whole.
  package var forbiddenHost: String? {
    let authority = (request.head.authority ?? "").lowercased()
    guard let host = Self.host(of: authority), request.head.path?.first ?? "/" == "/" else {
      return authority
    }
    let isLoopback = ["127.0.0.1", "::1", "localhost"].contains(host)
    return isLoopback || allowedHosts.contains { $0.lowercased() == host } ? nil : host
  }

  /// Returns the host in `host:port` or `[::1]:port`; nil for any other text.
  private static func host(of authority: String) -> String? {
    guard authority.utf8.allSatisfy(isPlain) else { return nil }
    let isBracketed = authority.first == "["
    let host = authority.dropFirst(isBracketed ? 1 : 0).prefix { $0 != (isBracketed ? "]" : ":") }
    let rest = authority.dropFirst(host.count + (isBracketed ? 2 : 0))
    let isPort = rest.first == ":" && rest.dropFirst().allSatisfy(\.isNumber)
    return rest.isEmpty || isPort ? String(host) : nil
  }

  /// Whether a byte may occur in a name, an address or a port.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-._~[]:".utf8.contains(byte)
    }
  }
}
