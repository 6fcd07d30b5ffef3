import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
  /// How many redirects `URLSession` follows.
  static let redirectLimit = 16

  /// The request that follows from being redirected; nil where that is no redirect.
  ///
  /// As Foundation does it on Linux: 301, 302 and 303 turn into a GET without a body, 307 and 308 leave the
  /// request as it is. Credentials do not go to another host.
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
