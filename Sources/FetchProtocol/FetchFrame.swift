package import HTTPTypes
package import RemoteLoading

/// What the main program and its fetch helper say to each other, each about the request with an id.
package enum FetchFrame: Sendable, Hashable {
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
}

/// A request, and what it may do.
package struct FetchRequest: Sendable, Hashable {
  package var request: RemoteRequest
  /// Hosts that it may go to, beside this machine itself.
  package var allowedHosts: [String]
  package var limits: FetchLimits

  package init(_ request: RemoteRequest, allowedHosts: [String], limits: FetchLimits) {
    self.request = request
    self.allowedHosts = allowedHosts
    self.limits = limits
  }

  /// The host that it would reach and may not; nil if it may.
  package var forbiddenHost: String? {
    let host = FetchRequest.host(of: request.head.authority ?? "")
    let isLoopback = ["127.0.0.1", "::1", "localhost"].contains(host)
    return isLoopback || allowedHosts.contains { $0.lowercased() == host } ? nil : host
  }

  /// The host in `user@host:port`, `host` or `[::1]:port`, in lower case.
  static func host(of authority: String) -> String {
    let name = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    if name.first == "[" {
      return String(name.dropFirst().prefix { $0 != "]" }).lowercased()
    }
    return String(name.prefix { $0 != ":" }).lowercased()
  }
}

/// Bounds on one transfer.
public struct FetchLimits: Sendable, Hashable {
  /// Of the body, in bytes.
  public var bodyBytes: Int
  /// Of all fields of the head, in bytes.
  public var headBytes: Int
  /// How long nothing may come.
  public var idleTime: Duration

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
