import HTTPTypes
import MockHTTP
import RemoteLoading

extension RemoteRequest {
  /// Returns a request such as `GET /posts`.
  static func asking(
    _ line: String,
    host: String? = nil,
    headers: HTTPFields = [:],
    body: String = ""
  ) -> RemoteRequest {
    let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2, let method = HTTPRequest.Method(parts[0]) else {
      preconditionFailure("'\(line)' is no request line.")
    }
    let head = HTTPRequest(
      method: method,
      scheme: "http",
      authority: host,
      path: parts[1],
      headerFields: headers
    )
    return RemoteRequest(head, body: Array(body.utf8))
  }
}

extension MockServer {
  convenience init(_ first: Route, _ others: Route...) {
    self.init()
    for route in [first] + others { add(route) }
  }

  @discardableResult
  func receive(_ line: String, scope: String? = nil) -> Exchange {
    receive(.asking(line), scope: scope, at: .zero)
  }

  /// Returns the status of the response, nil for a failure.
  func status(_ line: String, scope: String? = nil) -> Int? {
    receive(line, scope: scope).delivery?.head.status.code
  }

  func status(of request: RemoteRequest) -> Int? {
    receive(request, at: .zero).delivery?.head.status.code
  }
}

extension Exchange {
  var delivery: Delivery? {
    if case .response(let delivery) = outcome { delivery } else { nil }
  }

  var text: String? { delivery.map { String(decoding: $0.body, as: UTF8.self) } }

  var error: TransportError? {
    if case .failure(let error) = outcome { error } else { nil }
  }
}
