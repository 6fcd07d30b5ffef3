import HTTPTypes
import RemoteLoading

/// What a response depends on of its request.
struct RequestInfo {
  /// Stands for one that could not be read.
  static let unreadable = RequestInfo()

  let method: HTTPRequest.Method
  let path: String
  /// Who asks, where the request says it.
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
