import HTTPTypes

extension RemoteResponse {
  /// The response without a body where there is none.
  func unpacked(asAnswerTo method: HTTPRequest.Method) -> RemoteResponse {
    var response = self
    if method == .head || [204, 205].contains(head.status.code) { response.body = [] }
    return response
  }
}
