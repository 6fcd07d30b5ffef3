import HTTPTypes
import RemoteLoading

/// The helper crashed, and this request is one of those that may be the reason.
struct Suspicion: Error {
  let words: String

  func ending(_ request: FetchRequest) -> String {
    "\(words), and a \(request.request.head.method) is not sent twice"
  }
}

extension FetchRequest {
  /// Whether the request may be sent a second time after a server has received it.
  var isRepeatable: Bool {
    [.get, .head, .put, .delete, .options].contains(request.head.method)
  }
}
