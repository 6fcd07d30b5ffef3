import Foundation
import HTTPTypes
import RemoteLoading

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Translates requests and responses between Foundation's types and Rehearse's.
extension URLRequest {
  /// Accepts gzip, unless the request has its own field; libcurl would accept every encoding that it supports.
  ///
  /// - Throws: `TransportError.unsupportedURL` for a scheme other than http and https; `.other` for an IPv6
  ///   address on Linux.
  ///   on Linux.
  init(_ request: RemoteRequest) throws {
    guard
      let scheme = request.head.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let authority = request.head.authority, !authority.isEmpty,
      let url = URL(string: "\(scheme)://\(authority)\(request.head.path ?? "/")"), url.host != nil,
      // Otherwise the path would change the host: `@elsewhere`.
      request.head.path?.first ?? "/" == "/"
    else { throw TransportError.unsupportedURL }
    #if canImport(FoundationNetworking)
    // Foundation compares its own host, without brackets, with that of libcurl, and refuses the URL.
    guard !authority.hasPrefix("[") else { throw TransportError.other(Self.noAddressesOfIPv6) }
    #endif
    self.init(url: url)
    if request.head.headerFields[.acceptEncoding] == nil {
      setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
    }
    httpMethod = request.head.method.rawValue
    for field in request.head.headerFields where field.name != .contentLength {
      addValue(field.value, forHTTPHeaderField: field.name.rawName)
    }
    if !request.body.isEmpty { httpBody = Data(request.body) }
  }

  private static let noAddressesOfIPv6 =
    "Foundation on Linux does not support IPv6 addresses in URLs; use a host name, such as localhost"
}

extension RemoteRequest {
  /// Creates a request with a separate body, because a `URLRequest` does not always have it.
  init(_ request: URLRequest, body: [UInt8]) {
    let url = request.url
    self.init(
      HTTPRequest(
        method: HTTPRequest.Method(rawValue: request.httpMethod ?? "GET") ?? .get,
        scheme: url?.scheme,
        authority: url?.authority,
        path: url?.pathAndQuery,
        headerFields: HTTPFields(request.allHTTPHeaderFields ?? [:])
      ),
      body: body
    )
  }
}

extension HTTPResponse {
  init(_ response: HTTPURLResponse) {
    var fields: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      guard let name = name as? String, let value = value as? String else { continue }
      fields[name] = value
    }
    let status = (100...999).contains(response.statusCode) ? response.statusCode : 999
    self.init(status: .init(code: status), headerFields: HTTPFields(fields))
  }

  /// The fields for `HTTPURLResponse`, which has one value for each name.
  var fieldsByName: [String: String] {
    var fields: [String: String] = [:]
    for field in headerFields {
      let name = field.name.rawName
      fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
    }
    return fields
  }
}

extension HTTPFields {
  /// Sorts the fields by name, because the order of a dictionary differs from run to run.
  fileprivate init(_ fields: [String: String]) {
    self.init()
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      guard let name = HTTPField.Name(name) else { continue }
      append(HTTPField(name: name, value: value))
    }
  }
}

extension URL {
  fileprivate var authority: String? {
    guard let host else { return nil }
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return port.map { "\(name):\($0)" } ?? name
  }

  /// The path and query as they are sent, percent-encoded.
  fileprivate var pathAndQuery: String {
    let parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
    let path = parts?.percentEncodedPath ?? path
    let query = parts?.percentEncodedQuery.map { "?\($0)" } ?? ""
    return (path.isEmpty ? "/" : path) + query
  }
}
