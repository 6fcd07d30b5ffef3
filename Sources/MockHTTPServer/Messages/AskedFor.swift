import HTTPTypes
import NIOHTTP1

/// What a request asks for, as its line is shown even where it is refused.
struct AskedFor {
  let method: String
  let path: String

  init(_ head: HTTPRequestHead) {
    method = head.method.rawValue
    path = head.uri
  }

  init(_ request: HTTPRequest) {
    method = request.method.rawValue
    path = request.path ?? ""
  }
}
