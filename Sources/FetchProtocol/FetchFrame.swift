package import HTTPTypes
package import RemoteLoading
import Workers

/// A message between the program and its helper, about the request with an id.
package enum FetchFrame: Codable, Sendable, Hashable {
  // To the helper.
  case request(UInt32, FetchRequest)
  /// Closes the connection. What is still on its way back is to be ignored.
  case cancel(UInt32)

  // From the helper.
  /// The head, and how many bytes will come; nil where it does not say.
  case head(UInt32, HTTPResponse, expected: Int?)
  case body(UInt32, [UInt8])
  case end(UInt32)
  case failure(UInt32, TransportError)

  package var id: UInt32 {
    switch self {
    case .request(let id, _), .cancel(let id), .head(let id, _, _), .body(let id, _), .end(let id),
      .failure(let id, _):
      id
    }
  }

  /// The frame as it is sent.
  package var bytes: [UInt8] { MessageFrame.bytes(self) }
}

/// A request, and what it may do.
package struct FetchRequest: Codable, Sendable, Hashable {
  package var request: RemoteRequest
  /// Hosts that it may go to, beside this machine itself.
  package var allowedHosts: [String]
  package var limits: FetchLimits

  package init(_ request: RemoteRequest, allowedHosts: [String], limits: FetchLimits) {
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

/// Bounds on one transfer.
public struct FetchLimits: Codable, Sendable, Hashable {
  /// Of the body, in bytes.
  public var bodyBytes: Int
  /// Of all fields of the head, in bytes.
  public var headBytes: Int
  /// How long nothing may come.
  public var idleTime: Duration

  /// Bounds on one transfer: by default 64 MiB of body, 256 KiB of fields, and 30 s of silence.
  public init(
    bodyBytes: Int = 64 << 20,
    headBytes: Int = 256 << 10,
    idleTime: Duration = .seconds(30)
  ) {
    self.bodyBytes = bodyBytes
    self.headBytes = headBytes
    self.idleTime = idleTime
  }
}
