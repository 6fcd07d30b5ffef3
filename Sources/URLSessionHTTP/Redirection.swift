import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Decides which responses are redirects, and the request that follows one.
extension URLRequest {
  /// Maximum number of redirects, as in `URLSession`.
  static let redirectLimit = 16

  /// Returns the request for a redirect; nil if the response is not one.
  ///
  /// As Foundation does on Linux: 301, 302 and 303 become a GET without a body, 307 and 308 keep the request. Credentials
  /// are not sent to another host.
  func redirected(by response: HTTPResponse) -> URLRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status.code),
      let place = response.headerFields[.location],
      let target = URL(string: place, relativeTo: url)?.absoluteURL
    else { return nil }
    var next = self
    next.url = target
    if response.status.code < 304 {
      next.httpMethod = httpMethod == "HEAD" ? "HEAD" : "GET"
      next.httpBody = nil
    }
    if target.host != url?.host { next.setValue(nil, forHTTPHeaderField: "Authorization") }
    return next
  }
}
