import HTTPTypes
import RemoteLoading

/// The properties of a request that its response depends on.
struct RequestInfo {
  /// A placeholder for an unreadable request.
  static let unreadable = RequestInfo()

  let method: HTTPRequest.Method
  let path: String
  /// The member that sent the request, if it has the header field.
  let member: String?
  let isHead: Bool
  let isHTTP10: Bool
  let keepsAlive: Bool

  private init() {
    method = .get
    path = ""
    member = nil
    isHead = false
    isHTTP10 = false
    keepsAlive = false
  }

  init(_ head: RequestHead) {
    method = head.request.method
    path = head.request.path ?? ""
    member = head.request.headerFields[.rehearseMember]
    isHead = method == .head
    isHTTP10 = head.isHTTP10
    keepsAlive = head.keepsAlive
  }
}
