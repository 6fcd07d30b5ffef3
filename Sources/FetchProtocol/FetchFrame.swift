import HTTPTypes
package import RemoteLoading
import Workers

/// A message between the program and its helper, about the request with an id.
package enum FetchFrame: Codable, Sendable, Hashable {
  // To the helper.
  case request(UInt32, FetchRequest)
  /// Closes the connection. What is still on its way back is to be ignored.
  case cancel(UInt32)

  // From the helper.
  case event(UInt32, TransferEvent)
  case end(UInt32)
  case failure(UInt32, TransportError)

  /// The frame as it is sent.
  package var bytes: [UInt8] { MessageFrame.bytes(self) }
}

/// A request, and what it may do.
package struct FetchRequest: Codable, Sendable, Hashable {
  package var request: RemoteRequest
  /// Hosts that it may go to, beside this machine itself.
  package var allowedHosts: [String]
  package var limits: TransferLimits

  package init(_ request: RemoteRequest, allowedHosts: [String], limits: TransferLimits) {
    self.request = request
    self.allowedHosts = allowedHosts
    self.limits = limits
  }

  /// The host that it would reach and may not; nil if it may. What could be read in more than one way is
  /// refused whole.
  package var forbiddenHost: String? {
    let authority = (request.head.authority ?? "").lowercased()
    guard let host = Self.host(of: authority), request.head.path?.first ?? "/" == "/" else {
      return authority
    }
    let isLoopback = ["127.0.0.1", "::1", "localhost"].contains(host)
    return isLoopback || allowedHosts.contains { $0.lowercased() == host } ? nil : host
  }

  /// The host in `host:port` or `[::1]:port`; nil for everything else.
  private static func host(of authority: String) -> String? {
    guard authority.utf8.allSatisfy(isPlain) else { return nil }
    let isBracketed = authority.first == "["
    let host = authority.dropFirst(isBracketed ? 1 : 0).prefix { $0 != (isBracketed ? "]" : ":") }
    let rest = authority.dropFirst(host.count + (isBracketed ? 2 : 0))
    let isPort = rest.first == ":" && rest.dropFirst().allSatisfy(\.isNumber)
    return rest.isEmpty || isPort ? String(host) : nil
  }

  /// Letters, digits, and what else names, addresses and ports are made of.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-._~[]:".utf8.contains(byte)
    }
  }
}
